import type { ChainNode } from '../node/index.ts'
import type { Question } from '../types.ts'
import type { PooledNode } from './node-health.ts'

/** A node that was wrong once may agree when it is asked again. */
const MAX_QUESTIONS = 4

/** An answer, and the name of the node that gave it. */
export interface Opinion<T> {
  node: string
  answer: T
}

/** The nodes' answers to one question. */
export interface Agreement<T> {
  /** Answers of two nodes that agree, or two of the only configured node; undefined where no two agree. */
  agreed: readonly [T, T] | undefined
  /** All answers, in order. */
  opinions: readonly Opinion<T>[]
}

/** A question to more than one node. */
export interface Inquiry<T> {
  question: Question
  /** Asks one node. @throws NodeUnavailableError */
  ask(node: ChainNode): Promise<T>
  agree(one: T, other: T): boolean
  /** An answer that a node has given already; the others are asked first. */
  said?: Opinion<T> | undefined
}

/**
 * Asks one node after the other until two of them agree (interface 19.18). Where only one node is configured, it must give
 * the same answer twice in a row.
 * @param nodes in the order in which they are asked
 * @param isOnly whether no other node is configured
 */
export async function seekAgreement<T>(
  nodes: readonly Pick<PooledNode, 'name' | 'ask'>[],
  isOnly: boolean,
  { question, ask, agree, said }: Inquiry<T>
): Promise<Agreement<T>> {
  const opinions = said ? [said] : []
  const others = nodes.filter(({ name }) => name !== said?.node)
  const inTurn = [...others, ...nodes.filter(({ name }) => name === said?.node)]
  // A node alone cannot agree with another one, however often it is asked.
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
