import { hasLeft } from '../../services/submission/left-place.ts'
import type { OperatorQueries, SlotEnd } from '../../services/submission/store/operator-store.ts'
import type { Variant } from '../../services/submission/store/types.ts'
import { type RecordedIds, readRecords } from '../chain/records.ts'
import type { Context } from '../context.ts'
import { OperatorError } from '../errors.ts'
import type { Decision, Decisions } from './decisions.ts'

/** What the chain's records are read with. */
interface Tools extends Pick<Context, 'print' | 'chainApi'> {
  config: Pick<Context['config'], 'SERVICE_BRAND'>
}

/** A slot whose submissions are queued again. */
export const released = (sequence: number): SlotEnd => ({ sequence, consumedBy: undefined, executions: [] })

/**
 * The block cannot be read, so neither events nor the gas used are known.
 * @param ids the transaction ids of its records; they belong to the messages in order when there is one for each
 */
function executedBy(variant: Variant, height: number, ids: readonly number[]): SlotEnd {
  const { sequence, hash, gasLimit, submissionIds } = variant
  const gas = { gasUsed: gasLimit, gasWanted: gasLimit }
  return {
    sequence,
    consumedBy: { transactionHash: hash, height, origin: 'own' },
    executions: submissionIds.flatMap((submissionId, index) => {
      // Another transaction has settled it.
      if (hasLeft(submissionId)) return []
      const txId = ids.length === submissionIds.length ? ids[index] : undefined
      return { submissionId, status: 'committed' as const, txId, ...gas, events: [] }
    })
  }
}

/**
 * The ends of slots whose sequences were consumed in blocks that cannot be read, by what the operator says. The chain's
 * records can contradict that.
 * @throws OperatorError that lists the slots without a decision
 */
export async function decide(
  context: Tools,
  queries: Pick<OperatorQueries, 'variants' | 'newestTxId'>,
  sequences: readonly number[],
  decisions: Decisions
): Promise<SlotEnd[]> {
  for (const sequence of decisions.keys()) {
    if (!sequences.includes(sequence)) throw new OperatorError(`slot ${sequence} needs no decision`)
  }
  if (sequences.length === 0) return []
  const records = await recordsOf(context, queries)
  const undecided = sequences.filter(sequence => !decisions.has(sequence))
  if (undecided.length > 0) throw new OperatorError(await explain(queries, undecided, records))
  const ends = await Promise.all(
    sequences.map(async sequence =>
      endOf(await queries.variants(sequence), decisions.get(sequence), records, sequence)
    )
  )
  for (const { sequence, consumedBy, executions } of ends) {
    const ids = records.get(consumedBy?.transactionHash ?? '')?.length ?? 0
    if (ids > 0 && ids < executions.length) {
      context.print(
        `Slot ${sequence}: only ${ids} of ${executions.length} submissions have a record. The chain has refused the others; all are committed, without ids.`
      )
    }
  }
  return ends
}

function endOf(
  variants: readonly Variant[],
  decision: Decision | undefined,
  records: RecordedIds,
  sequence: number
): SlotEnd {
  const executed = typeof decision === 'object' ? decision : undefined
  const recorded = variants.find(({ hash }) => records.has(hash))
  if (recorded !== undefined && recorded.hash !== executed?.hash) {
    throw new OperatorError(
      `slot ${sequence}: the chain's records say that transaction ${recorded.hash} was executed. Nothing was moved.`
    )
  }
  if (executed === undefined) return released(sequence)
  const variant = variants.find(({ hash }) => hash === executed.hash)
  if (variant === undefined) throw new OperatorError(`slot ${sequence} has no transaction ${executed.hash}`)
  return executedBy(variant, executed.height, records.get(variant.hash) ?? [])
}

/** The records after the newest one that the store knows; none when they cannot be read. */
async function recordsOf(context: Tools, queries: Pick<OperatorQueries, 'newestTxId'>): Promise<RecordedIds> {
  try {
    return await readRecords(
      context.chainApi(),
      context.config.SERVICE_BRAND,
      (await queries.newestTxId()) + 1
    )
  } catch (error) {
    context.print(`The chain's records cannot be read: ${error instanceof Error ? error.message : error}`)
    return new Map()
  }
}

async function explain(
  queries: Pick<OperatorQueries, 'variants'>,
  undecided: readonly number[],
  records: RecordedIds
): Promise<string> {
  const slots: string[] = []
  for (const sequence of undecided) {
    slots.push(`slot ${sequence}:`)
    for (const { hash, submissionIds } of await queries.variants(sequence)) {
      const ids = records.get(hash)
      const found = ids === undefined ? '' : ` (executed: the chain's records have it as ${ids.join(', ')})`
      slots.push(`  transaction ${hash}: ${submissionIds.join(' ') || 'no submission'}${found}`)
    }
  }
  return [
    'the chain has consumed these slots in blocks that cannot be read, so it is not known what it executed:',
    ...slots,
    'Name a node that has the blocks with --node. Otherwise look each transaction up, and say for each slot',
    '--executed SLOT:HASH:HEIGHT when one of its transactions succeeded, or --not-executed SLOT when none did.',
    'A wrong --not-executed executes submissions twice. Nothing was moved.'
  ].join('\n')
}
