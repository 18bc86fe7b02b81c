import { everyOne, type StoredSubmission } from '../../services/submission/store/operator-store.ts'
import { nodeUrl, readArguments, required, wholeNumber } from '../arguments.ts'
import { type Blocks, createBlocks } from '../chain/blocks.ts'
import { contentKey, createRequestReader, type WalletRequest } from '../chain/wallet-requests.ts'
import type { Command } from '../command.ts'
import { signerOf } from '../context.ts'
import { OperatorError } from '../errors.ts'

export const verify: Command = {
  arguments: '--from HEIGHT [--node URL]',
  summary: 'compares the settled submissions with the blocks of the chain',
  details: `  --from HEIGHT  the first block to read; the last one is the newest that the server has read
  --node URL     an RPC node that has these blocks (default: the configured nodes)
Each committed submission must be in exactly one message of one successful transaction, and each other one in none. The
exit code is 1 when something differs.`,
  async run(argv, context) {
    const { values } = readArguments(argv, { from: { type: 'string' }, node: { type: 'string' } })
    const from = wholeNumber('--from', required('--from', values.from), 1)
    const node = nodeUrl('--node', values.node)
    const brand = context.config.SERVICE_BRAND
    const queries = await context.read()
    // The cursor first: what the server settles meanwhile is after it.
    const { address, chainId, cursorHeight } = await signerOf(queries)
    if (from > cursorHeight) {
      throw new OperatorError(
        `--from ${from} is after block ${cursorHeight}, the newest that the server has read`
      )
    }
    const submissions = await queries.list(everyOne('queued', 'broadcast', 'committed', 'rejected'))
    const requestsIn = createRequestReader({ address, brand })
    const blocks = createBlocks(context.chain(node))
    const requests: WalletRequest[] = []
    for (let height = from; height <= cursorHeight; height++) {
      requests.push(...requestsIn(await blockAt(blocks, height, chainId)))
    }
    const { differences, matching, unknown } = compare(submissions, requests, { from, to: cursorHeight })
    context.print(...differences)
    context.print(
      `Blocks ${from} to ${cursorHeight}: ${matching} committed submissions match, ${differences.length} differences.`
    )
    if (unknown > 0) {
      context.print(
        `${unknown} executed requests of the wallet are not in the store: it has deleted them, or another program sent them.`
      )
    }
    return differences.length > 0 ? 1 : 0
  }
}

async function blockAt(blocks: Blocks, height: number, chainId: string) {
  const block = await blocks.next(height)
  if (block === undefined) throw new OperatorError(`the node has no block ${height}`)
  if (block.chainId !== chainId) {
    throw new OperatorError(`the node's block ${height} is of ${block.chainId}, the store is of ${chainId}`)
  }
  return block
}

function groupBy<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item])
  return groups
}

const describe = ({ transactionHash, height, execution }: WalletRequest) =>
  `transaction ${transactionHash} in block ${height}, txId ${'txId' in execution ? execution.txId : '-'}`

/** Whether the store's result of a submission is that request. A txId that could not be read is no difference. */
function agrees({ submission }: StoredSubmission, request: WalletRequest): boolean {
  if (submission.status !== 'committed' || request.execution.status !== 'committed') return false
  const sameId = submission.txId === undefined || submission.txId === request.execution.txId
  return (
    submission.transactionHash === request.transactionHash && submission.height === request.height && sameId
  )
}

function compare(
  submissions: readonly StoredSubmission[],
  requests: readonly WalletRequest[],
  range: { from: number; to: number }
) {
  const executed = groupBy(
    requests.filter(({ execution }) => execution.status === 'committed'),
    ({ content }) => content
  )
  const stored = groupBy(submissions, ({ typeUrl, message }) => contentKey(typeUrl, message))
  const differences: string[] = []
  let matching = 0
  for (const [content, sameContent] of stored) {
    const found = executed.get(content) ?? []
    const committed = sameContent.filter(({ submission }) => isIn(submission, range))
    const unmatched = found.filter(request => !committed.some(one => agrees(one, request)))
    for (const one of committed) {
      if (found.some(request => agrees(one, request))) matching += 1
      else
        differences.push(`${one.submission.submissionId} is committed, but no such transaction executed it`)
    }
    const others = sameContent.filter(({ submission }) => !isIn(submission, range))
    const { submission } = committed[0] ?? others[0] ?? sameContent[0] ?? { submission: undefined }
    for (const request of unmatched) {
      differences.push(
        `${submission?.submissionId} is ${submission?.status}, but executed by ${describe(request)}`
      )
    }
  }
  const unknown = [...executed].filter(([content]) => !stored.has(content)).flatMap(([, found]) => found)
  return { differences, matching, unknown: unknown.length }
}

function isIn(
  submission: StoredSubmission['submission'],
  { from, to }: { from: number; to: number }
): boolean {
  return submission.status === 'committed' && submission.height >= from && submission.height <= to
}
