import { messageFields } from '../../../services/messages/readable.ts'
import type { OperatorQueries } from '../../../services/submission/store/operator.ts'
import { readArguments } from '../arguments.ts'
import type { Command } from '../command.ts'

export const exportUnsettled: Command = {
  arguments: '',
  summary: 'prints the unsettled submissions, one JSON object per line',
  details: `Each line contains the encoded message, its fields and every signed transaction that may still execute it. Do not
execute a submission by other means while the chain can still execute such a transaction. Reports damaged rows and then
exits with code 1.`,
  async run(argv, context) {
    readArguments(argv, {})
    const queries = await context.read()
    const { onDamage } = context
    for (const stored of await queries.list({ states: ['queued', 'broadcast'] }, onDamage)) {
      const { submission, identities, typeUrl, message, sequence } = stored
      const { submissionId, status, createdAt, updatedAt } = submission
      const line = {
        submissionId,
        identities,
        status,
        createdAt,
        updatedAt,
        typeUrl,
        message: Buffer.from(message).toString('base64'),
        fields: messageFields(context.config.SERVICE_BRAND, typeUrl, message),
        slot:
          sequence === undefined
            ? null
            : { sequence, transactions: await transactionsOf(queries, sequence, onDamage) }
      }
      context.print(JSON.stringify(line))
    }
    context.print(...[...context.problems].map(problem => JSON.stringify({ problem })))
    return 0
  }
}

async function transactionsOf(queries: OperatorQueries, sequence: number, onDamage: (damage: Error) => void) {
  const signedTxs = await queries.signedTxs(sequence, onDamage)
  return signedTxs.map(({ hash, bytes, gasLimit, feeAmount, submissionIds }) => ({
    hash,
    bytes: Buffer.from(bytes).toString('base64'),
    gasLimit,
    fee: String(feeAmount),
    submissionIds
  }))
}
