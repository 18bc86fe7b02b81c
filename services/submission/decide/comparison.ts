import { isDeepStrictEqual } from 'node:util'
import type { ChainBlock } from '../../chain-client/index.ts'
import type { ComparableStore, Execution, Submission, WalletRequest } from '../contract.ts'
import { contentHash, type Identify } from '../identities.ts'
import { type Content, meaningOf } from '../same-content.ts'
import { foreignRequests } from './block.ts'

export type ExecutedRequest = WalletRequest & { execution: Execution }

/**
 * `result`: the chain has the committed submission in its transaction, but with another result, which is in `request`.
 * `execution`: the transaction does not contain it exactly once, or the chain executed it elsewhere.
 */
export type Difference = { submissionId: string; text: string } & (
  | { kind: 'result'; request: ExecutedRequest }
  | { kind: 'execution' | 'damage' }
)

export interface Comparison {
  /** Settled submissions whose transaction has them exactly once, with the stored result. */
  matching: number
  differences: Difference[]
  /** Executed requests of the wallet that the store does not have. */
  unknown: number
}

/** Returns the wallet's requests in the successful transactions of a block, whoever signed them. */
export const executedRequests = (block: ChainBlock, wallet: { address: string; identify: Identify }) =>
  foreignRequests(block, { ...wallet, isOwn: () => false }).filter(
    (request): request is typeof request & { execution: Execution } => request.execution !== undefined
  )

/**
 * Compares a block with the store. Each committed submission of the block must match exactly one request, at its place
 * and with its result, and no other request may have been executed.
 * @param stored the submissions that the store has in this block, and those with the content of a request
 */
export function compareContents(
  height: number,
  { stored, damages }: Awaited<ReturnType<ComparableStore['comparable']>>,
  requests: readonly ExecutedRequest[]
): Comparison {
  const meaning = rememberMeanings()
  const onChain = groupBy(requests, meaning)
  const differences = damages.map(
    ({ row, message }): Difference => ({ kind: 'damage', submissionId: row, text: message })
  )
  const contents = groupBy(stored, meaning)
  let matching = 0
  for (const [content, sameContent] of contents) {
    const found = onChain.get(content) ?? []
    const submissions = sameContent.map(({ submission }) => submission)
    const settled = submissions.filter(one => 'height' in one && one.height === height)
    for (const submission of settled) {
      const { submissionId } = submission
      const [request, ...others] = found.filter(one => isAt(submission, one))
      if (request && others.length === 0 && isResult(submission, request)) matching += 1
      else if (submission.status !== 'committed') continue
      else if (request && others.length === 0)
        differences.push({ kind: 'result', submissionId, request, text: resultText(submission, request) })
      else {
        const text = `${submissionId} is committed, but its transaction does not contain it exactly once`
        differences.push({ kind: 'execution', submissionId, text })
      }
    }
    const committed = settled.filter(({ status }) => status === 'committed')
    const [one] = committed.length > 0 ? committed : submissions
    for (const request of found) {
      if (!one || request.execution.status !== 'committed' || committed.some(each => isAt(each, request)))
        continue
      const { submissionId, status } = one
      const text = `${submissionId} is ${status}, but was executed by ${describe(request)}`
      differences.push({ kind: 'execution', submissionId, text })
    }
  }
  const unknown = requests.filter(
    request => request.execution.status === 'committed' && !contents.has(meaning(request))
  )
  return { matching, differences, unknown: unknown.length }
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return groups
}

/** Returns a `meaningOf` that reads equal contents only once. Nearly all are equal on the chain and in the store. */
function rememberMeanings(): (content: Content) => string {
  const known = new Map<string, string>()
  return content => {
    const hash = contentHash(content.typeUrl, content.message).toString('hex')
    const meaning = known.get(hash) ?? meaningOf(content)
    known.set(hash, meaning)
    return meaning
  }
}

const isAt = (submission: Submission, { transactionHash, height }: WalletRequest) =>
  'height' in submission && submission.transactionHash === transactionHash && submission.height === height

/**
 * Returns whether the stored result matches. Skips the txId if the chain reports none, because an operator might have
 * added it.
 */
function isResult(submission: Submission, { execution }: ExecutedRequest): boolean {
  if (submission.status !== 'committed' || execution.status !== 'committed')
    return submission.status === execution.status
  const isSameId = execution.txId === undefined || execution.txId === submission.txId
  return isSameId && isDeepStrictEqual(submission.events, execution.events)
}

const describe = ({ transactionHash, height, execution }: ExecutedRequest) =>
  `transaction ${transactionHash} in block ${height}, txId ${'txId' in execution ? execution.txId : '-'}`

const resultOf = (result: (Submission & { status: 'committed' }) | Execution) =>
  result.status === 'committed'
    ? `committed, txId ${result.txId ?? '-'}, ${result.events.length} events`
    : `rejected (${result.error.codespace} ${result.error.code}: ${result.error.message})`

const resultText = (submission: Submission & { status: 'committed' }, request: ExecutedRequest) =>
  `${submission.submissionId} is ${resultOf(submission)}; on the chain it is ${resultOf(request.execution)} ` +
  `(transaction ${request.transactionHash} in block ${request.height})`
