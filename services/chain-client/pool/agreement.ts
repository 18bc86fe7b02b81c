import type { Agreement, Opinion } from '../types.ts'

/** So often nodes are asked: one that was wrong once may agree later. */
const MAX_QUESTIONS = 4

/**
 * Puts a question to one node after the other until two of them agree (interface 19.18). Where only one node is
 * configured, it must give the same answer twice in a row.
 * @param nodes in the order in which they are asked
 * @param options.isOnly whether no other node is configured
 * @param options.said what a node has answered already; the others are asked first
 * @param options.ask undefined when the node has no usable answer
 * @param options.agree whether two answers say the same
 */
export async function seekAgreement<T, Node extends { readonly name: string }>(
  nodes: readonly Node[],
  options: {
    isOnly: boolean
    said?: Opinion<T> | undefined
    ask: (node: Node) => Promise<{ answer: T } | undefined>
    agree: (one: T, other: T) => boolean
  }
): Promise<Agreement<T>> {
  const { isOnly, said, ask, agree } = options
  const opinions = said ? [said] : []
  const others = nodes.filter(({ name }) => name !== said?.node)
  const inTurn = [...others, ...nodes.filter(({ name }) => name === said?.node)]
  // A node alone cannot agree with another one, however often it is asked.
  const canAgree = isOnly || others.length > (said ? 0 : 1)
  const questions = canAgree ? Math.max(MAX_QUESTIONS, inTurn.length) : 1 - opinions.length
  for (let asked = 0; asked < questions; asked++) {
    const next = inTurn[asked % inTurn.length]
    const answered = next && (await ask(next))
    if (!answered) continue
    const { answer } = answered
    const comparable = isOnly ? opinions.slice(-1) : opinions.filter(({ node }) => node !== next.name)
    const other = comparable.find(opinion => agree(opinion.answer, answer))
    opinions.push({ node: next.name, answer })
    if (other) return { agreed: [other.answer, answer], opinions }
  }
  return { agreed: undefined, opinions }
}
