import type { StatusService } from '../../../services/status/index.ts'
import type { StatusRecord } from '../../../services/status/record.ts'
import type { StoredSubmission } from '../../../services/submission/store/operator.ts'
import { viewOf } from '../../../services/submission/view.ts'
import { readArguments, wholeNumber } from '../arguments.ts'
import type { Command } from '../command.ts'
import { OperatorError } from '../errors.ts'
import { table } from '../table.ts'

export const KINDS = 'submissionId, txId, transaction hash, feeId, payment seed, address or webhook id'

export const find: Command = {
  arguments: 'X [--limit N] [--json]',
  summary: 'finds payments by any identifier that a customer has',
  details: `  X          a ${KINDS}
  --limit N  the maximum number of payments, newest first (default: 20)
  --json     prints one JSON object per line
The column \`transfer\` is the status of the record on the chain; ? means that it could not be read.`,
  async run(argv, context) {
    const { argument: identifier, values } = readArguments(argv, { limit: { type: 'string' } }, 'X')
    const limit = wholeNumber('--limit', values.limit ?? '20', 1)
    const { problems } = context
    const queries = await context.read()
    const all = await queries.search(identifier, limit + 1, context.onDamage)
    if (all.length + problems.size === 0) throw unknown(identifier)
    const found = all.slice(0, limit)
    const status = context.status()
    const rows = await Promise.all(
      found.map(async stored => ({ stored, record: await recordOf(status, stored) }))
    )
    if (context.json) {
      for (const { stored, record } of rows) {
        const { submission, caller, content } = stored
        context.print(
          JSON.stringify({ ...viewOf(submission), caller, ...content, txstatus: record?.['txstatus'] })
        )
      }
    } else if (rows.length > 0) {
      context.print(...table(rows.map(summaryOf), context.width))
      if (all.length > limit) context.print(`Only the newest ${limit}: see --limit.`)
    }
    context.print(...[...problems].map(problem => (context.json ? JSON.stringify({ problem }) : problem)))
    return 0
  }
}

export function unknown(identifier: string) {
  // Customers quote the hash that their wallet shows, of the approval or the pull.
  const hint = /^(0x)?[0-9a-f]{64}$/i.test(identifier)
    ? '. Hashes of other chains are not stored: find the address that paid'
    : ''
  return new OperatorError(`${identifier} is unknown: no submission has this ${KINDS}${hint}`)
}

/** Returns the record of a committed submission; undefined if there is none, or if the chain does not respond. */
export async function recordOf(
  status: Pick<StatusService, 'poll'>,
  { submission, content }: StoredSubmission
): Promise<StatusRecord | undefined> {
  if (submission.status !== 'committed' || submission.txId === undefined) return undefined
  return status
    .poll(content.kind === 'swap' ? 'swap' : 'transfer', String(submission.txId))
    .catch(() => undefined)
}

interface Found {
  stored: StoredSubmission
  record: StatusRecord | undefined
}

function summaryOf({ stored: { submission, content }, record }: Found) {
  const { submissionId, status, createdAt } = submission
  const { originChain, originSymbol, targetChain, targetSymbol } = content.request
  const { amount, amountIn, amountOut } = content.request
  const isCommitted = status === 'committed'
  return {
    accepted: createdAt.slice(0, 19),
    submissionId,
    route: `${originChain} ${originSymbol} > ${targetChain} ${targetSymbol}`,
    amount: amountIn ? `${amountIn} > ${amountOut}` : amount,
    chain: status === 'rejected' ? `rejected: ${submission.error.message.slice(0, 60)}` : status,
    txId: isCommitted ? submission.txId : undefined,
    transfer: isCommitted ? String(record?.['txstatus'] ?? '?') : undefined
  }
}
