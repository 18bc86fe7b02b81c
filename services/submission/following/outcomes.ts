import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { type BlockTransaction, type ChainBlock, safeInteger, shorten } from '../../chain-client/index.ts'
import { hasLeft } from '../left-place.ts'
import type { Failure } from '../packing/blame.ts'
import { failedMessageIndex, refusalOf } from '../sdk-errors.ts'
import type { SlotTable } from '../state/slots.ts'
import type { SlotResolution, SubmissionOutcome, Variant } from '../store/types.ts'
import type { Refusal, SubmissionEvent } from '../types.ts'
import { attributeOf, eventsByMessage } from './message-events.ts'
import { messageResponses } from './message-responses.ts'
import { eventsNaming, idInResponse, reportedTxIds } from './transaction-id.ts'

/** A block's results are impossible or unreadable. The block is not applied, and is read again. */
class BlockResultError extends Error {
  override name = 'BlockResultError'
}

/** The consumed sequence of `address`, from the event `tx.acc_seq` of the ante handler. */
export function reportedSequence({ events }: BlockTransaction, address: string): string | undefined {
  for (const { type, attributes } of events) {
    if (type !== 'tx') continue
    for (const { key, value } of attributes) {
      if (key === 'acc_seq' && value.startsWith(`${address}/`)) return value.slice(address.length + 1)
    }
  }
  return undefined
}

/**
 * Whether a transaction consumes a sequence. An unordered one (`TxBody.unordered`, from SDK 0.53 on) consumes none,
 * whatever its events say.
 */
function isOrdered({ bytes }: BlockTransaction): boolean {
  try {
    return !TxBody.decode(TxRaw.decode(bytes).bodyBytes).unordered
  } catch {
    return false
  }
}

/**
 * The sequence of the wallet that a transaction claims to have consumed.
 * @param variant the transaction if it is ours: its sequence is then known without the event
 * @returns undefined when it is not a transaction of the wallet, or failed before it consumed a sequence
 */
function claimedSequence(
  tx: BlockTransaction,
  variant: Variant | undefined,
  address: string
): string | undefined {
  const reported = reportedSequence(tx, address)
  if (variant) return tx.code === 0 || reported !== undefined ? String(variant.sequence) : undefined
  return reported
}

const requeued = (submissionId: string): SubmissionOutcome => ({ submissionId, status: 'queued' })

/** The SDK's code for an error without a code of its own. */
const INTERNAL_ERROR_CODE = 1

/** A refusal of one message by an `error` event (interface 8.8). */
function eventRefusal(events: SubmissionEvent[]): Refusal {
  return {
    code: safeInteger(attributeOf(events, 'error', 'code')) ?? INTERNAL_ERROR_CODE,
    codespace: 'transaction',
    message: shorten(attributeOf(events, 'error', 'content') ?? 'the chain gave no reason')
  }
}

function ownGas({ hash, gasUsed, gasWanted }: BlockTransaction) {
  const gas = { gasUsed: safeInteger(gasUsed), gasWanted: safeInteger(gasWanted) }
  if (gas.gasUsed === undefined || gas.gasWanted === undefined) {
    throw new BlockResultError(`transaction ${hash} has no readable gas`)
  }
  return { gasUsed: gas.gasUsed, gasWanted: gas.gasWanted }
}

type MessageOutcome = Extract<SubmissionOutcome, { status: 'committed' | 'rejected' }>

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
): MessageOutcome {
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
    const responses = messageResponses(data)
    return responses.length === messageCount ? responses : []
  } catch {
    return []
  }
}

/**
 * The outcomes of the messages of a successful transaction. Where the events of a message are not known, they are those of
 * the transaction that name the id in its response. An `error` event, which may be another message's, then refuses nothing.
 * @param submissionIds in the order of the messages
 */
export function messageOutcomes(tx: BlockTransaction, submissionIds: readonly string[]): MessageOutcome[] {
  const gas = ownGas(tx)
  const responses = responsesOf(tx, submissionIds.length)
  const events = eventsByMessage(tx, submissionIds.length)
  return submissionIds.map((submissionId, index) => {
    const response = responses[index]
    const own = events[index] ?? eventsNaming(idInResponse(response), tx.events)
    return messageOutcome(submissionId, response, own, gas)
  })
}

/** The failure of an own transaction, and which of its submissions may have caused it. */
function failureOf({ submissionIds }: Variant, tx: BlockTransaction): Failure {
  const messages = submissionIds.length
  const named = failedMessageIndex(tx.log, messages)
  const suspects = submissionIds.filter(
    (id, index) => !hasLeft(id) && (named === undefined || named === index)
  )
  return { suspects, messages, refusal: refusalOf(tx), by: 'block' }
}

/** A slot that a block has consumed, and why its own transaction failed, if it did. */
export interface ReadResolution extends SlotResolution {
  failure: Failure | undefined
}

/** What the transaction has not executed is queued again, also what only other variants of the slot hold. */
function resolution(sequence: number, tx: BlockTransaction, slots: SlotTable): ReadResolution {
  const variant = slots.findVariant(tx.hash)
  const executed = variant && tx.code === 0 ? messageOutcomes(tx, variant.submissionIds) : []
  const decided = executed.filter(({ submissionId }) => !hasLeft(submissionId))
  const others = new Set(slots.get(sequence)?.variants.flatMap(({ submissionIds }) => submissionIds))
  for (const { submissionId } of executed) others.delete(submissionId)
  return {
    sequence,
    transactionHash: tx.hash,
    origin: variant ? 'own' : 'foreign',
    outcomes: [...decided, ...[...others].filter(id => !hasLeft(id)).map(requeued)],
    failure: variant && tx.code !== 0 ? failureOf(variant, tx) : undefined
  }
}

/** What a block says about the wallet. */
export interface BlockReading {
  resolutions: ReadResolution[]
  /** Transactions that claim a sequence of the wallet which they cannot have consumed. They change nothing. */
  ignored: { hash: string; sequence: string; expected: number }[]
}

/**
 * Reads which slots a block consumed, and the outcomes of their submissions. Only blocks decide:
 * - a sequence is consumed when the ante handler's event reports it, whoever signed the transaction, and when it is the
 *   wallet's next one; an unordered transaction consumes none;
 * - a transaction that failed in the ante handler consumed nothing, and its bytes may succeed later;
 * - no message of a failed transaction was executed, so all of them are queued again, and those that may have caused the
 *   failure are suspects: only a simulation beside the wallet's probe tells a message from a passing state of the chain.
 * @param wallet.nextSequence that of the next slot
 * @throws BlockResultError
 */
export function resolveSlots(
  block: ChainBlock,
  slots: SlotTable,
  wallet: { address: string; nextSequence: number }
): BlockReading {
  const reading: BlockReading = { resolutions: [], ignored: [] }
  let expected = slots.first()?.sequence ?? wallet.nextSequence
  for (const tx of block.transactions) {
    const variant = slots.findVariant(tx.hash)
    const sequence = claimedSequence(tx, variant, wallet.address)
    if (sequence === undefined) continue
    if (sequence === String(expected) && (variant || isOrdered(tx))) {
      reading.resolutions.push(resolution(expected, tx, slots))
      expected += 1
    } else {
      reading.ignored.push({ hash: tx.hash, sequence, expected })
    }
  }
  return reading
}
