/**
 * What the sequence diagrams of the documents use, of Mermaid's language. Mermaid itself needs a newer Node than the
 * oldest that this project supports.
 */
const name = '[A-Za-z]\\w*'
// Mermaid ends a statement at a semicolon and reads a hash as the beginning of an entity.
const text = '[^;#]+'
const participant = new RegExp(`^(?:participant|actor) (${name})(?: as ${text})?$`)
const message = new RegExp(`^(${name})--?(?:>>|\\)|x)(${name}): ${text}$`)
const note = new RegExp(`^Note (?:over|left of|right of) (${name})(?:,(${name}))?: ${text}$`)
const opening = new RegExp(`^(loop|alt|opt|par) ${text}$`)
const branch = new RegExp(`^(else|and) ${text}$`)

/** The block that each keyword for a branch belongs to. */
const branches: Record<string, string> = { else: 'alt', and: 'par' }

/** @returns what is wrong with a diagram, one text for each line at fault */
export function problemsOf(diagram: string): string[] {
  const [first, ...lines] = diagram.trim().split('\n')
  if (first?.trim() !== 'sequenceDiagram') return [`not a sequenceDiagram: ${first}`]
  const known = new Set<string>()
  const open: string[] = []
  const problems = lines.flatMap(line => problemOf(line.trim(), known, open) ?? [])
  return [...problems, ...open.map(block => `${block} does not end`)]
}

function problemOf(line: string, known: Set<string>, open: string[]): string | undefined {
  if (line === '' || line === 'autonumber') return undefined
  if (line === 'end') return open.pop() === undefined ? 'end of nothing' : undefined
  const [, declared] = participant.exec(line) ?? []
  if (declared !== undefined) {
    known.add(declared)
    return undefined
  }
  const [, opened] = opening.exec(line) ?? []
  if (opened !== undefined) {
    open.push(opened)
    return undefined
  }
  const [, other] = branch.exec(line) ?? []
  if (other !== undefined)
    return open.at(-1) === branches[other] ? undefined : `${line}: not in ${branches[other]}`
  const [, ...ends] = message.exec(line) ?? note.exec(line) ?? []
  if (ends.length === 0) return `cannot be read: ${line}`
  const unknown = ends.filter(end => end !== undefined && !known.has(end))
  return unknown.length === 0 ? undefined : `${line}: no participant ${unknown.join(', ')}`
}
