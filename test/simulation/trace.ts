/** Adds a line to a schedule's trace. Calls `line` only if the trace is written. */
export type Trace = (line: () => string) => void

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/**
 * Returns a function that replaces random ids in a string with numbers, in order of appearance. Every run of a schedule
 * therefore produces the same trace.
 */
export function createNaming(): (text: string) => string {
  const names = new Map<string, string>()

  function nameOf(id: string): string {
    const name = names.get(id) ?? `#${names.size + 1}`
    names.set(id, name)
    return name
  }

  return text => text.replaceAll(UUID, nameOf)
}

export function createTrace(options: {
  write: ((line: string) => void) | undefined
  elapsed: () => number
  naming: (text: string) => string
}): Trace {
  const { write, elapsed, naming } = options
  if (!write) return () => {}
  return line => write(`${(elapsed() / 1000).toFixed(3).padStart(8)}  ${naming(line())}`)
}
