import { isDeepStrictEqual } from 'node:util'
import type { ChainBlock, ChainClient } from '../../../services/chain-client/index.ts'
import { systemClock } from '../../../services/clock.ts'
import { createBlockReader } from '../../../services/submission/act/block-reader.ts'
import type { CommittedSubmission, Execution, WalletRequest } from '../../../services/submission/contract.ts'
import { foreignRequests } from '../../../services/submission/decide/block.ts'
import { createIdentify } from '../../../services/submission/identities.ts'
import { meaningOf } from '../../../services/submission/same-content.ts'
import type { StoredSubmission } from '../../../services/submission/store/operator.ts'
import { readArguments, wholeNumber } from '../arguments.ts'
import type { Command } from '../command.ts'
import { walletStateOf } from '../context.ts'
import { OperatorError, UsageError } from '../errors.ts'
import { STATES } from './list.ts'

export const verify: Command = {
  arguments: '--from HEIGHT [--node URL] [--repair]',
  summary: 'compares the stored results with the blocks of the chain',
  details: `  --from HEIGHT  the first block to compare; the last is the newest block that the server has read
  --node URL     an RPC node that has these blocks (default: the configured nodes)
  --repair       overwrites the stored status, txId and events of committed submissions with those on the chain, if the
                 transaction is the same. Stop all servers first. Without --repair, only prints the differences
Every committed submission must match exactly one message of one successful transaction, with the stored result; other
submissions must match none. Exits with code 1 if an uncorrected difference remains.`,
  changes: argv => argv.includes('--repair'),
  async run(argv, context) {
    const { values } = readArguments(argv, {
      from: { type: 'string' },
      node: { type: 'string' },
      repair: { type: 'boolean' }
    })
    const from = wholeNumber('--from', values.from, 1)
    const { node } = values
    // The error omits the URL, because the URL might contain a key.
    if (node !== undefined && !(/^https?:/i.test(node) && URL.canParse(node))) {
      throw new UsageError('--node: expected an http(s) URL')
    }
    const owned = values.repair ? await context.own() : undefined
    const queries = owned?.queries ?? (await context.read())
    // Read the cursor first. Submissions that settle afterwards are then beyond the cursor and are not compared.
    const { address, chainId, cursorHeight } = await walletStateOf(queries)
    if (from > cursorHeight) {
      throw new OperatorError(
        `--from ${from} is after block ${cursorHeight}, the newest block that the server has read`
      )
    }
    const submissions = await queries.list({ states: STATES })
    const identify = createIdentify(context.config.SERVICE_BRAND, address)
    const requests: ExecutedRequest[] = []
    for await (const block of blocks(context.chain(node), { from, to: cursorHeight, chainId })) {
      const found = foreignRequests(block, { address, identify, isOwn: () => false })
      requests.push(...found.filter(isInSuccessful))
    }
    const compared = compare(submissions, requests, { from, to: cursorHeight })
    const { differences, corrections, matching, unknown } = compared
    const count = differences.length + corrections.length
    const lines = [...differences, ...corrections.map(correctionLine)]
    context.report(
      { from, to: cursorHeight, matching, differences: lines, unknown, isRepaired: owned !== undefined },
      ...lines,
      `Blocks ${from} to ${cursorHeight}: ${matching} committed submissions match, ${count} differences.`,
      ...(unknown > 0
        ? [
            `${unknown} executed requests of the wallet are not in the store: they were deleted, or another program sent them.`
          ]
        : [])
    )
    if (owned === undefined) return count > 0 ? 1 : 0
    for (const { request, submission } of corrections) {
      const { submissionId } = submission
      await owned.store.correct({ ...request.execution, submissionId }, request)
    }
    if (!context.json) context.print(`${corrections.length} results were corrected.`)
    return differences.length > 0 ? 1 : 0
  }
}

/** Reads a range of blocks. @throws OperatorError, HistoryPrunedError, NodeUnavailableError */
async function* blocks(
  chain: ChainClient,
  { from, to, chainId }: { from: number; to: number; chainId: string }
): AsyncGenerator<ChainBlock> {
  const reader = createBlockReader(chain, systemClock)
  for (let height = from; height <= to; height++) {
    const block = await reader.next(height)
    if (!block) throw new OperatorError(`the node has no block ${height}`)
    if (block.chainId !== chainId)
      throw new OperatorError(
        `block ${height} of the node belongs to chain ${block.chainId}, but the store belongs to ${chainId}: check the RPC URL`
      )
    yield block
  }
}

type ExecutedRequest = WalletRequest & { execution: Execution }

const isInSuccessful = <R extends WalletRequest>(request: R): request is R & { execution: Execution } =>
  request.execution !== undefined

function groupBy<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item])
  return groups
}

const describe = ({ transactionHash, height, execution }: ExecutedRequest) =>
  `transaction ${transactionHash} in block ${height}, txId ${'txId' in execution ? execution.txId : '-'}`

type Committed = StoredSubmission & { submission: CommittedSubmission }

/** A committed submission whose stored result differs from the result of the same transaction on the chain. */
interface Correction {
  submission: CommittedSubmission
  request: ExecutedRequest
}

const resultOf = (result: CommittedSubmission | Execution) =>
  result.status === 'committed'
    ? `committed, txId ${result.txId ?? '-'}, ${result.events.length} events`
    : `rejected (${result.error.codespace} ${result.error.code}: ${result.error.message})`

const correctionLine = ({ submission, request }: Correction) =>
  `${submission.submissionId} is ${resultOf(submission)}; on the chain it is ${resultOf(request.execution)} ` +
  `(transaction ${request.transactionHash} in block ${request.height})`

/**
 * Returns whether the stored result matches. Skips the txId if the chain reports none, because an operator might have
 * added it.
 */
function isResult({ txId, events }: CommittedSubmission, { execution }: ExecutedRequest): boolean {
  if (execution.status !== 'committed') return false
  const isSameId = execution.txId === undefined || execution.txId === txId
  return isSameId && isDeepStrictEqual(events, execution.events)
}

const isAt = (submission: CommittedSubmission, { transactionHash, height }: WalletRequest) =>
  submission.transactionHash === transactionHash && submission.height === height

function compare(
  submissions: readonly StoredSubmission[],
  requests: readonly ExecutedRequest[],
  range: { from: number; to: number }
) {
  const onChain = groupBy(requests, meaningOf)
  const stored = groupBy(submissions, meaningOf)
  const differences: string[] = []
  const corrections: Correction[] = []
  let matching = 0
  for (const [content, sameContent] of stored) {
    const found = onChain.get(content) ?? []
    const committed = sameContent.filter(one => isIn(one, range))
    for (const { submission } of committed) {
      const [request, ...others] = found.filter(one => isAt(submission, one))
      if (request === undefined || others.length > 0) {
        differences.push(
          `${submission.submissionId} is committed, but its transaction does not contain it exactly once`
        )
      } else if (isResult(submission, request)) matching += 1
      else corrections.push({ submission, request })
    }
    const [one] = committed.length > 0 ? committed : sameContent
    for (const request of found) {
      if (request.execution.status !== 'committed') continue
      if (committed.some(({ submission }) => isAt(submission, request))) continue
      differences.push(
        `${one?.submission.submissionId} is ${one?.submission.status}, but was executed by ${describe(request)}`
      )
    }
  }
  const unknown = requests.filter(
    request => request.execution.status === 'committed' && !stored.has(meaningOf(request))
  )
  return { differences, corrections, matching, unknown: unknown.length }
}

function isIn(one: StoredSubmission, { from, to }: { from: number; to: number }): one is Committed {
  const { submission } = one
  return submission.status === 'committed' && submission.height >= from && submission.height <= to
}
