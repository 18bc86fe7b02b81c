import type { OperatorQueries } from '../../services/submission/store/operator-store.ts'
import { readArguments } from '../arguments.ts'
import type { Command } from '../command.ts'
import { OperatorError } from '../errors.ts'
import { messageFields } from '../format/message.ts'

export const show: Command = {
  arguments: 'ID',
  summary: 'shows everything about one submission, as JSON',
  details: '  ID  the submissionId that the client got',
  async run(argv, context) {
    const [id = ''] = readArguments(argv, {}, ['ID']).positionals
    const queries = await context.read()
    const stored = await queries.find(id)
    if (stored === undefined) throw new OperatorError(`there is no submission ${id}`)
    const { submission, identities, typeUrl, message, sequence, attempts, suspicion } = stored
    const all = {
      ...submission,
      identities,
      attempts,
      ...(submission.status !== 'rejected' && { lastFailure: suspicion ?? null }),
      slot: sequence === undefined ? null : await slotOf(queries, sequence, id),
      message: { typeUrl, ...messageFields(context.config.SERVICE_BRAND, typeUrl, message) }
    }
    context.print(JSON.stringify(all, null, 2))
    return 0
  }
}

/** The slot of a submission, and which of its signed transactions contain it. */
async function slotOf(queries: OperatorQueries, sequence: number, submissionId: string) {
  const resolution = (await queries.slot(sequence))?.resolution
  if (resolution !== undefined) return { sequence, state: 'resolved', ...resolution }
  const variants = (await queries.variants(sequence)).map(({ hash, gasLimit, feeAmount, submissionIds }) => ({
    hash,
    gasLimit,
    fee: String(feeAmount),
    messages: submissionIds.length,
    containsIt: submissionIds.includes(submissionId)
  }))
  return { sequence, state: 'open', variants }
}
