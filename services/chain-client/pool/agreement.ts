import type { ChainNode } from '../node/index.ts'
import type { Question } from '../types.ts'
import type { PooledNode } from './node-health.ts'

/** A node that was wrong once might agree on a retry. */
const MAX_QUESTIONS = 4

export interface Opinion<T> {
  node: string
  answer: T
}

export interface Agreement<T> {
  /** Two matching responses, from two nodes or from the only configured node; undefined if there are none. */
  agreed: readonly [T, T] | undefined
  /** All responses, in order. */
  opinions: readonly Opinion<T>[]
}

export interface Inquiry<T> {
  question: Question
  /** @throws NodeUnavailableError */
  ask(node: ChainNode): Promise<T>
  agree(one: T, other: T): boolean
  /** A node's earlier response. The other nodes are tried first. */
  said?: Opinion<T> | undefined
}

/**
 * Sends the request to one node after another until two agree (interface 19.18). An only node must send matching
 * responses twice in a row.
 * @param nodes in the order to try
 */
export async function seekAgreement<T>(
  nodes: readonly Pick<PooledNode, 'name' | 'ask'>[],
  isOnly: boolean,
  { question, ask, agree, said }: Inquiry<T>
): Promise<Agreement<T>> {
  const opinions = said ? [said] : []
  const others = nodes.filter(({ name }) => name !== said?.node)
  const inTurn = [...others, ...nodes.filter(({ name }) => name === said?.node)]
  // If several nodes are configured, a single node cannot agree with itself.
  const canAgree = isOnly || others.length > (said ? 0 : 1)
  const questions = canAgree ? Math.max(MAX_QUESTIONS, inTurn.length) : 1 - opinions.length
  for (let asked = 0; asked < questions; asked++) {
    const node = inTurn[asked % inTurn.length]
    const answered = await node?.ask(question, ask).then(
      answer => ({ node: node.name, answer }),
      () => undefined
    )
    if (!answered) continue
    const comparable = isOnly ? opinions.slice(-1) : opinions.filter(({ node }) => node !== answered.node)
    const other = comparable.find(opinion => agree(opinion.answer, answered.answer))
    opinions.push(answered)
    if (other) return { agreed: [other.answer, answered.answer], opinions }
  }
  return { agreed: undefined, opinions }
}
