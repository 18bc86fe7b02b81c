import { randomUUID } from 'node:crypto'
import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import type { BlockTransaction, ChainBlock } from '../../chain-client/index.ts'
import type { Refusal, SignedTx, SlotResolution, SubmissionOutcome, WalletRequest } from '../contract.ts'
import type { Identify } from '../identities.ts'
import { hasLeft, type SlotTable } from '../slots.ts'
import { messagesOf } from '../transaction.ts'
import { messageOutcomes } from './message-results.ts'
import { failedMessageIndex, refusalOf } from './sdk-errors.ts'

/** A transaction that was refused or failed because of its content. */
export interface Failure {
  suspects: readonly string[]
  /** The number of all messages in the transaction. */
  messages: number
  refusal: Refusal
  /**
   * `block`: it failed in a block. `limit`: nodes agree that it is larger, or needs more gas, than a transaction may.
   * `node`: CheckTx refused it.
   */
  by: 'block' | 'limit' | 'node'
}

/** The sequence of `address` that a transaction consumed, from the ante handler's `tx.acc_seq` event. */
function reportedSequence({ events }: BlockTransaction, address: string): string | undefined {
  for (const { type, attributes } of events) {
    if (type !== 'tx') continue
    for (const { key, value } of attributes) {
      if (key === 'acc_seq' && value.startsWith(`${address}/`)) return value.slice(address.length + 1)
    }
  }
  return undefined
}

/** An unordered transaction (since SDK 0.53) consumes no sequence, regardless of its events. */
function isOrdered({ bytes }: BlockTransaction): boolean {
  try {
    return !TxBody.decode(TxRaw.decode(bytes).bodyBytes).unordered
  } catch {
    return false
  }
}

/**
 * Returns the wallet's sequence that a transaction reports as consumed; undefined if it is not the wallet's, or failed
 * before it consumed a sequence. The sequence of our own transaction is known without the event.
 */
function claimedSequence(
  tx: BlockTransaction,
  signedTx: SignedTx | undefined,
  address: string
): string | undefined {
  const reported = reportedSequence(tx, address)
  if (signedTx) return tx.code === 0 || reported !== undefined ? String(signedTx.sequence) : undefined
  return reported
}

function failureOf({ submissionIds }: SignedTx, tx: BlockTransaction): Failure {
  const messages = submissionIds.length
  const named = failedMessageIndex(tx.log, messages)
  const suspects = submissionIds.filter(
    (id, index) => !hasLeft(id) && (named === undefined || named === index)
  )
  return { suspects, messages, refusal: refusalOf(tx), by: 'block' }
}

/** A consumed slot, with the failure of our own transaction, if it failed. */
export interface ReadResolution extends SlotResolution {
  failure: Failure | undefined
}

/**
 * Returns the outcomes of a consumed slot. The submissions that the transaction executed are settled. All others in any
 * of the slot's signed transactions return to the queue.
 */
function resolution(sequence: number, tx: BlockTransaction, slots: SlotTable): ReadResolution {
  const signedTx = slots.findSignedTx(tx.hash)
  const executed = signedTx && tx.code === 0 ? messageOutcomes(tx, signedTx.submissionIds) : []
  const outcomes: SubmissionOutcome[] = executed.filter(({ submissionId }) => !hasLeft(submissionId))
  const others = new Set(slots.get(sequence)?.signedTxs.flatMap(({ submissionIds }) => submissionIds))
  for (const { submissionId } of executed) others.delete(submissionId)
  for (const submissionId of others)
    if (!hasLeft(submissionId)) outcomes.push({ submissionId, status: 'queued' })
  return {
    sequence,
    transactionHash: tx.hash,
    origin: signedTx ? 'own' : 'foreign',
    outcomes,
    failure: signedTx && tx.code !== 0 ? failureOf(signedTx, tx) : undefined
  }
}

/**
 * Determines which slots a block consumed, and the outcomes of their submissions. Only blocks decide:
 * - a sequence is consumed if it is the wallet's next one and the ante handler's event reports it, no matter who signed
 *   the transaction; an unordered transaction consumes none;
 * - a transaction that failed in the ante handler consumed nothing, and its bytes may succeed later;
 * - no message of a failed transaction was executed, so all of them are requeued. Messages that may have caused the
 *   failure become suspects: only a simulation together with the wallet's control request distinguishes a bad message from a
 *   temporary state of the chain.
 * @param wallet.nextSequence the sequence of the next slot
 * @throws BlockResultError
 */
export function resolveSlots(
  block: ChainBlock,
  slots: SlotTable,
  wallet: { address: string; nextSequence: number }
) {
  const resolutions: ReadResolution[] = []
  /** Transactions that report a sequence of the wallet that they cannot have consumed. They change nothing. */
  const ignored: { hash: string; sequence: string; expected: number }[] = []
  let expected = slots.first()?.sequence ?? wallet.nextSequence
  for (const tx of block.transactions) {
    const signedTx = slots.findSignedTx(tx.hash)
    const sequence = claimedSequence(tx, signedTx, wallet.address)
    if (sequence === undefined) continue
    if (sequence === String(expected) && (signedTx || isOrdered(tx))) {
      resolutions.push(resolution(expected, tx, slots))
      expected += 1
    } else {
      ignored.push({ hash: tx.hash, sequence, expected })
    }
  }
  return { resolutions, ignored }
}

/**
 * Returns the wallet's requests in a block's foreign transactions, including failed ones. Another program signed them,
 * or this program did before the store was lost or rolled back.
 */
export function foreignRequests(
  { transactions, height }: ChainBlock,
  wallet: { address: string; identify: Identify; isOwn: (hash: string) => boolean }
): WalletRequest[] {
  return transactions
    .filter(tx => reportedSequence(tx, wallet.address) !== undefined && !wallet.isOwn(tx.hash))
    .flatMap(tx => requestsIn(tx, height, wallet.identify))
}

function requestsIn(tx: BlockTransaction, height: number, identify: Identify): WalletRequest[] {
  const messages = messagesIn(tx)
  const identified = messages.map(message => readOr({ identities: [] }, () => identify(message)))
  if (identified.every(({ identities }) => identities.length === 0)) return []
  const ids = messages.map(() => randomUUID())
  const outcomes = tx.code === 0 ? messageOutcomes(tx, ids) : []
  return messages.flatMap(({ typeUrl, value: message }, index) => {
    const own = identified[index]
    if (!own || own.identities.length === 0) return []
    return { ...own, typeUrl, message, execution: outcomes[index], transactionHash: tx.hash, height }
  })
}

const messagesIn = (tx: BlockTransaction): Any[] => readOr([], () => messagesOf(tx))

function readOr<T>(unreadable: T, read: () => T): T {
  try {
    return read()
  } catch {
    return unreadable
  }
}
