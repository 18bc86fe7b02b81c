import { TxMsgData } from 'cosmjs-types/cosmos/base/abci/v1beta1/abci'
import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { type BlockTransaction, type ChainBlock, safeInteger } from '../../chain-client/index.ts'
import { failedMessageIndex, isWalletRefused } from '../sdk-errors.ts'
import type { OpenSlot, SlotTable } from '../state/slots.ts'
import type { SlotResolution, SubmissionOutcome, Variant } from '../store/types.ts'
import type { Refusal, SubmissionEvent } from '../types.ts'
import { attributeOf, eventsByMessage } from './message-events.ts'
import { reportedTxIds } from './transaction-id.ts'

/** A lone message that fails this often is refused: another attempt would fail the same way. */
const MAX_ATTEMPTS_ALONE = 3

/** A block's results are impossible or unreadable. The block is not applied, and is read again. */
class BlockResultError extends Error {
  override name = 'BlockResultError'
}

/** The consumed sequence of `address`, from the event `tx.acc_seq` of the ante handler. */
function reportedSequence({ events }: BlockTransaction, address: string): string | undefined {
  for (const { type, attributes } of events) {
    if (type !== 'tx') continue
    for (const { key, value } of attributes) {
      if (key === 'acc_seq' && value.startsWith(`${address}/`)) return value.slice(address.length + 1)
    }
  }
  return undefined
}

/**
 * Whether a transaction consumes no sequence (`TxBody.unordered`, from SDK 0.53 on). Its event reports sequence 0 all the
 * same.
 */
function isUnordered({ bytes }: BlockTransaction): boolean {
  try {
    return TxBody.decode(TxRaw.decode(bytes).bodyBytes).unordered
  } catch {
    return false
  }
}

/** @param variant the transaction if it is ours: its sequence is then known without the event */
function consumedSequence(
  tx: BlockTransaction,
  variant: Variant | undefined,
  address: string
): number | undefined {
  const reported = reportedSequence(tx, address)
  if (reported === undefined) return tx.code === 0 ? variant?.sequence : undefined
  if (variant === undefined && isUnordered(tx)) return undefined
  const sequence = safeInteger(reported) ?? variant?.sequence
  if (sequence === undefined) throw new BlockResultError(`transaction ${tx.hash} has no readable sequence`)
  return sequence
}

/** @param suspicion the failure that it may have caused; undefined when it did not cause one */
function requeued(submissionId: string, suspicion: Refusal | undefined): SubmissionOutcome {
  return { submissionId, status: 'queued', suspicion }
}

/** The SDK's code for an error without a code of its own. */
const INTERNAL_ERROR_CODE = 1

/** A refusal of one message by an `error` event (interface 8.8). */
function eventRefusal(events: SubmissionEvent[]): Refusal {
  return {
    code: safeInteger(attributeOf(events, 'error', 'code')) ?? INTERNAL_ERROR_CODE,
    codespace: 'transaction',
    message: attributeOf(events, 'error', 'content') ?? 'the chain gave no reason'
  }
}

function ownGas({ hash, gasUsed, gasWanted }: BlockTransaction) {
  const gas = { gasUsed: safeInteger(gasUsed), gasWanted: safeInteger(gasWanted) }
  if (gas.gasUsed === undefined || gas.gasWanted === undefined) {
    throw new BlockResultError(`transaction ${hash} has no readable gas`)
  }
  return { gasUsed: gas.gasUsed, gasWanted: gas.gasWanted }
}

/**
 * The outcome of one message of a successful transaction (interface 7.14). Only an `error` event without any
 * transaction id is a refusal, because a refused submission may be submitted and executed again. Any other message was
 * executed; its id is known when all reports agree.
 */
function messageOutcome(
  submissionId: string,
  response: Uint8Array | undefined,
  events: SubmissionEvent[],
  gas: { gasUsed: number; gasWanted: number }
): SubmissionOutcome {
  const [txId, ...otherIds] = reportedTxIds(response, events)
  const isRefused = events.some(({ type }) => type === 'error')
  if (isRefused && txId === undefined)
    return { submissionId, status: 'rejected', error: eventRefusal(events) }
  const isContradicted = isRefused || otherIds.length > 0
  return { submissionId, status: 'committed', txId: isContradicted ? undefined : txId, ...gas, events }
}

/** The messages' responses in order; none unless there is one for each message. */
function responsesOf({ data }: BlockTransaction, messageCount: number): Uint8Array[] {
  try {
    const { msgResponses } = TxMsgData.decode(data)
    return msgResponses.length === messageCount ? msgResponses.map(({ value }) => value) : []
  } catch {
    return []
  }
}

function variantOutcomes(variant: Variant, tx: BlockTransaction, address: string): SubmissionOutcome[] {
  const { submissionIds, attempts } = variant
  const { code, codespace, log } = tx
  if (code === 0) {
    const gas = ownGas(tx)
    const responses = responsesOf(tx, submissionIds.length)
    const events = eventsByMessage(tx, submissionIds.length)
    return submissionIds.map((submissionId, index) =>
      messageOutcome(submissionId, responses[index], events[index] ?? [], gas)
    )
  }
  // The cause is the wallet and not the users: their submissions wait until it may submit again.
  if (isWalletRefused(log, address))
    return submissionIds.map(submissionId => requeued(submissionId, undefined))
  const alone = submissionIds.length === 1
  const named = failedMessageIndex(log, submissionIds.length)
  const culprit = named ?? (alone && attempts + 1 >= MAX_ATTEMPTS_ALONE ? 0 : undefined)
  const refusal = { code, codespace, message: log }
  return submissionIds.map((submissionId, index) => {
    if (index === culprit) return { submissionId, status: 'rejected', error: refusal }
    return requeued(submissionId, culprit === undefined ? refusal : undefined)
  })
}

/** The submissions in any variant of the slot. */
function boundSubmissions(slot: OpenSlot | undefined): string[] {
  return [...new Set(slot?.variants.flatMap(({ submissionIds }) => submissionIds))]
}

function resolution(
  sequence: number,
  tx: BlockTransaction,
  slots: SlotTable,
  address: string
): SlotResolution {
  const variant = slots.findVariant(tx.hash)
  const decided = variant ? variantOutcomes(variant, tx, address) : []
  const slot = slots.get(sequence)
  const left = boundSubmissions(slot).filter(id => !variant?.submissionIds.includes(id))
  return {
    sequence,
    transactionHash: tx.hash,
    origin: variant ? 'own' : 'foreign',
    outcomes: [...decided, ...left.map(id => requeued(id, slot?.refusal))]
  }
}

/**
 * Reads which slots a block consumed, and the outcomes of their submissions. Only blocks decide:
 * - a sequence is consumed when the ante handler's event reports it, whoever signed the transaction, except by an
 *   unordered transaction, which consumes none;
 * - a transaction that failed in the ante handler consumed nothing, and its bytes may succeed later;
 * - a failed message is named by its index, and no message of its transaction was executed;
 * - when the chain refuses all requests of the wallet, every submission is queued again.
 * @param address of the wallet
 * @throws BlockResultError
 */
export function resolveSlots(block: ChainBlock, slots: SlotTable, address: string): SlotResolution[] {
  const resolutions: SlotResolution[] = []
  for (const tx of block.transactions) {
    const sequence = consumedSequence(tx, slots.findVariant(tx.hash), address)
    if (sequence !== undefined) resolutions.push(resolution(sequence, tx, slots, address))
  }
  return resolutions
}
