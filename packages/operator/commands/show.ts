import { StoreCorruptError } from '../../../services/submission/errors.ts'
import type { OperatorQueries, StoredSubmission } from '../../../services/submission/store/operator.ts'
import { readArguments } from '../arguments.ts'
import type { Command } from '../command.ts'
import { OperatorError } from '../errors.ts'
import { messageFields } from '../message.ts'

export const show: Command = {
  arguments: 'ID',
  summary: 'shows everything about one submission, as JSON',
  details: `  ID  the submissionId that the client received
If a row is damaged, \`problems\` describes the damage, the intact data is shown, and the exit code is 1.`,
  async run(argv, context) {
    const { argument: id } = readArguments(argv, {}, 'ID')
    const queries = await context.read()
    const columns = await queries.columns(id)
    if (columns === undefined) throw new OperatorError(`there is no submission ${id}`)
    const problems: string[] = []
    const onDamage = ({ message }: Error) => void problems.push(message)

    /** Returns the result of a read. If the row is corrupt, reports it and returns undefined. */
    async function readable<T>(read: Promise<T>): Promise<T | undefined> {
      return read.catch(error => {
        if (!(error instanceof StoreCorruptError)) throw error
        onDamage(error)
        return undefined
      })
    }

    const stored = await readable(queries.find(id))
    const { sequence } = columns
    const slot =
      typeof sequence === 'number' ? await readable(slotOf(queries, sequence, id, onDamage)) : undefined
    const events = await queries.events({ submissionId: id }, onDamage)
    const all = {
      ...(stored ? fieldsOf(stored, context.config.SERVICE_BRAND) : { columns: printable(columns) }),
      slot: slot ?? null,
      events: events.map(({ eventId, state, attempts, problem }) => ({ eventId, state, attempts, problem })),
      ...(problems.length > 0 && { problems })
    }
    context.print(...JSON.stringify(all, null, 2).split('\n'))
    return problems.length === 0 ? 0 : 1
  }
}

function fieldsOf({ submission, identities, typeUrl, message }: StoredSubmission, brand: string) {
  return {
    ...submission,
    identities,
    message: { typeUrl, ...messageFields(brand, typeUrl, message) }
  }
}

/** Formats the columns of a corrupt row, bytes in hex. */
const printable = (columns: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(columns).map(([name, value]) => {
      const isBytes = value instanceof Uint8Array || value instanceof ArrayBuffer
      return [name, isBytes ? Buffer.from(new Uint8Array(value)).toString('hex') : value]
    })
  )

/** Reads the slot of a submission and the slot's signed transactions. */
async function slotOf(
  queries: OperatorQueries,
  sequence: number,
  submissionId: string,
  onDamage: (damage: Error) => void
) {
  const resolution = await queries.resolution(sequence)
  if (resolution !== undefined) return { sequence, state: 'resolved', ...resolution }
  const signedTxs = (await queries.signedTxs(sequence, onDamage)).map(
    ({ hash, gasLimit, feeAmount, submissionIds }) => ({
      hash,
      gasLimit,
      fee: String(feeAmount),
      messages: submissionIds.length,
      containsIt: submissionIds.includes(submissionId)
    })
  )
  return { sequence, state: 'open', signedTxs }
}
