/** Formats an object as a TypeScript literal. */
export function literal(value: object): string {
  const lines = Object.entries(value).map(([name, field]) => `  ${name}: ${literalOf(field)}`)
  return `{\n${lines.join(',\n')}\n}`
}

function literalOf(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value)
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
