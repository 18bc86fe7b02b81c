/** JSON without spaces, in lines. It is not parsed, so that numbers stay as they came. */
export function indented(json: string): string {
  let depth = 0
  const line = () => `\n${'  '.repeat(depth)}`
  return json.replace(/"(?:[^"\\]|\\.)*"|\{\}|\[\]|[{}[\],:]/g, token => {
    if (token === ',') return `,${line()}`
    if (token === ':') return ': '
    if (token === '{' || token === '[') {
      depth += 1
      return token + line()
    }
    if (token !== '}' && token !== ']') return token
    depth -= 1
    return line() + token
  })
}
