import { EventStreamParser } from '../../client/event-stream-parser.ts'

/** Formats a response's body by its content type: JSON, or an event stream as far as it has arrived. */
export function readable(type: string, body: string): string {
  if (type.startsWith('application/json')) return indented(body)
  if (!type.startsWith('text/event-stream')) return body
  const events = new EventStreamParser().push(new TextEncoder().encode(body))
  return events.map(({ type, data }) => `event: ${type}\ndata: ${indented(data)}`).join('\n\n')
}

/** Indents compact JSON. Does not parse it, so numbers keep their spelling. */
function indented(json: string): string {
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
