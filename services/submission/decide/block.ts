import { randomUUID } from 'node:crypto'
import { AuthInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import { type BlockTransaction, type ChainBlock, safeInteger } from '../../chain-client/index.ts'
import type { SignedTx, SlotResolution, SubmissionOutcome, WalletRequest } from '../contract.ts'
import type { Identify } from '../identities.ts'
import { currentTx, hasLeft, type OpenSlot, type SlotTable } from '../slots.ts'
import { messagesOf } from '../transaction.ts'
import { messageOutcomes } from './message-results.ts'
import { failedMessageIndex, refusalOf } from './sdk-errors.ts'
import type { Failure } from './verdict.ts'

/** The wallet whose sequences a block can consume. */
interface Wallet {
  address: string
  /** Compressed secp256k1 key. */
  publicKey: Uint8Array
  /** The sequence of the next slot. */
  nextSequence: number
}

/** What the ante handler's `tx.acc_seq` events report of a transaction. */
interface Reported {
  /** The wallet's sequence that it consumed. */
  sequence: string | undefined
  /** Whether they name only other accounts. */
  isOthers: boolean
}

function reportedBy({ events }: BlockTransaction, address: string): Reported {
  let isOthers = false
  for (const { type, attributes } of events) {
    if (type !== 'tx') continue
    for (const { key, value } of attributes) {
      if (key !== 'acc_seq') continue
      if (value.startsWith(`${address}/`))
        return { sequence: value.slice(address.length + 1), isOthers: false }
      isOthers = true
    }
  }
  return { sequence: undefined, isOthers }
}

/** Returns whether the first field of a message is the address. In most messages, it is the signer. */
const hasSigner = ({ value }: Any, address: string): boolean =>
  value[0] === 0x0a && value[1] === address.length && Buffer.from(value.subarray(2)).indexOf(address) === 0

/**
 * Returns the wallet's sequence in the bytes of a transaction, which the block's hash covers. An unordered transaction
 * (since SDK 0.53) consumes none. A signer may omit a public key that the chain already has. The signer then follows
 * from the messages, unless an event names only another one, or from the event.
 */
function signedSequence(
  { bytes }: BlockTransaction,
  { sequence: reported, isOthers }: Reported,
  { address, publicKey }: Wallet
): { sequence: bigint; isSigned: boolean } | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  if (reported === undefined && !buffer.includes(Buffer.from(publicKey)) && !buffer.includes(address))
    return undefined
  const { bodyBytes, authInfoBytes } = TxRaw.decode(bytes)
  const { unordered, messages } = TxBody.decode(bodyBytes)
  if (unordered) return undefined
  const { signerInfos } = AuthInfo.decode(authInfoBytes)
  const encodedKey = Buffer.from([0x0a, publicKey.length, ...publicKey])
  const own = signerInfos.find(({ publicKey: key }) => key && encodedKey.equals(key.value))
  if (own) return { sequence: own.sequence, isSigned: true }
  const keyless = signerInfos.filter(({ publicKey: key }) => key === undefined)
  const [only] = signerInfos.length === 1 ? keyless : []
  if (only && !isOthers && messages.some(message => hasSigner(message, address)))
    return { sequence: only.sequence, isSigned: true }
  const found = keyless.find(({ sequence }) => String(sequence) === reported)
  return found && { sequence: found.sequence, isSigned: false }
}

/** A transaction that consumed a sequence of the wallet, or may have. */
interface Use {
  sequence: number
  /** Whether the bytes show that the wallet signed it. Otherwise only an event does. */
  isSigned: boolean
  /** Whether it certainly consumed the sequence. For most failed transactions, only an event reports it. */
  isCertain: boolean
}

/** Returns undefined if a transaction is not the wallet's, or failed before it consumed a sequence. */
function useOf(
  tx: BlockTransaction,
  reported: Reported,
  signedTx: SignedTx | undefined,
  wallet: Wallet,
  slots: SlotTable
): Use | undefined {
  const signed = signedTx
    ? { sequence: BigInt(signedTx.sequence), isSigned: true }
    : readOr(undefined, () => signedSequence(tx, reported, wallet))
  const sequence = safeInteger(signed?.sequence)
  if (!signed || sequence === undefined) return undefined
  const { isSigned } = signed
  const isCertain = isSigned && (tx.code === 0 || sequence < slots.consumed)
  return isCertain || reported.sequence !== undefined ? { sequence, isSigned, isCertain } : undefined
}

/** Returns the highest sequence in a block with which the wallet has signed a successful transaction. */
export function lastSequenceIn({ transactions }: ChainBlock, wallet: Wallet): number | undefined {
  const sequences = transactions.flatMap(tx => {
    if (tx.code !== 0) return []
    const signed = readOr(undefined, () => signedSequence(tx, reportedBy(tx, wallet.address), wallet))
    return (signed?.isSigned ? safeInteger(signed.sequence) : undefined) ?? []
  })
  return sequences.length > 0 ? Math.max(...sequences) : undefined
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
  /** Whether only events report the resolution, or events contradict a message's response. */
  isDoubtful: boolean
}

/**
 * Returns the outcomes of a consumed slot. The submissions that the transaction executed are settled. All others in any
 * of the slot's signed transactions return to the queue.
 */
function resolution(
  { sequence, isSigned }: Pick<Use, 'sequence' | 'isSigned'>,
  tx: BlockTransaction,
  slots: SlotTable
): ReadResolution {
  const signedTx = slots.findSignedTx(tx.hash)
  const { executions, isContradicted } = executed(tx, signedTx?.submissionIds ?? [])
  const outcomes: SubmissionOutcome[] = executions.filter(({ submissionId }) => !hasLeft(submissionId))
  const executedIds = executions.map(({ submissionId }) => submissionId)
  return {
    sequence,
    transactionHash: tx.hash,
    origin: signedTx ? 'own' : 'foreign',
    outcomes: [...outcomes, ...requeued(slots.get(sequence), executedIds)],
    failure: signedTx && tx.code !== 0 ? failureOf(signedTx, tx) : undefined,
    isDoubtful: isContradicted || !isSigned
  }
}

function requeued(slot: OpenSlot | undefined, executed: readonly string[] = []): SubmissionOutcome[] {
  const ids = new Set(slot?.signedTxs.flatMap(({ submissionIds }) => submissionIds))
  return [...ids]
    .filter(id => !hasLeft(id) && !executed.includes(id))
    .map(submissionId => ({ submissionId, status: 'queued' }))
}

/**
 * Returns the outcomes of a slot that must have been consumed, because a later sequence was. None of its submissions
 * was executed.
 * @param tx the transaction that may have consumed the slot, if a block has one
 */
function passedOver(slot: OpenSlot, tx: BlockTransaction | undefined, slots: SlotTable): ReadResolution {
  const { sequence } = slot
  if (tx) return resolution({ sequence, isSigned: true }, tx, slots)
  const { hash } = currentTx(slot)
  const outcomes = requeued(slot)
  return { sequence, transactionHash: hash, origin: 'own', outcomes, failure: undefined, isDoubtful: false }
}

const executed = (tx: BlockTransaction, submissionIds: readonly string[]) =>
  tx.code === 0 && submissionIds.length > 0
    ? messageOutcomes(tx, submissionIds)
    : { executions: [], isContradicted: false }

/**
 * Determines which slots a block consumed, and the outcomes of their submissions. Only blocks decide:
 * - a sequence is consumed by a transaction whose bytes are signed with it, no matter who signed them; an event without
 *   such bytes changes nothing, and an unordered transaction consumes none;
 * - a transaction that failed in the ante handler consumed nothing, and its bytes may succeed later. Whether a failed
 *   transaction consumed its sequence is in its event. If the event is missing, the next transaction of the wallet that
 *   succeeds shows that all lower sequences were consumed;
 * - no message of a failed transaction was executed, so all of them are requeued. Messages that may have caused the
 *   failure become suspects: only a simulation together with the wallet's control request distinguishes a bad message from a
 *   temporary state of the chain.
 * @throws BlockResultError
 */
export function resolveSlots(block: ChainBlock, slots: SlotTable, wallet: Wallet) {
  const resolutions: ReadResolution[] = []
  /** Transactions that report a sequence of the wallet that they cannot have consumed. They change nothing. */
  const ignored: { hash: string; sequence: string; expected: number }[] = []
  /** Own transactions that failed, and perhaps consumed their sequence. */
  const unclear = new Map<number, BlockTransaction>()
  let expected = slots.first()?.sequence ?? wallet.nextSequence
  for (const tx of block.transactions) {
    const signedTx = slots.findSignedTx(tx.hash)
    const reported = reportedBy(tx, wallet.address)
    const use = useOf(tx, reported, signedTx, wallet, slots)
    while (use?.isCertain && use.sequence > expected) {
      const slot = slots.get(expected)
      if (slot) resolutions.push(passedOver(slot, unclear.get(expected) ?? slot.failedTx, slots))
      expected = slot ? expected + 1 : use.sequence
    }
    if (use?.sequence === expected) {
      resolutions.push(resolution(use, tx, slots))
      expected += 1
    } else if (signedTx && tx.code !== 0) unclear.set(signedTx.sequence, tx)
    else if (reported.sequence !== undefined)
      ignored.push({ hash: tx.hash, sequence: reported.sequence, expected })
  }
  return { resolutions, ignored, unclear }
}

/** `isDoubtful`: whether events contradict a response of the transaction. */
export type ForeignRequest = WalletRequest & { isDoubtful: boolean }

/**
 * Returns the wallet's requests in a block's foreign transactions, including failed ones. Another program signed them,
 * or this program did before the store was lost or rolled back. Each has the wallet as its creator, so a transaction that
 * succeeded was signed by it, whatever its events report.
 */
export function foreignRequests(
  { transactions, height }: ChainBlock,
  wallet: { address: string; identify: Identify; isOwn: (hash: string) => boolean }
): ForeignRequest[] {
  return transactions
    .filter(tx => tx.code === 0 || reportedBy(tx, wallet.address).sequence !== undefined)
    .filter(tx => Buffer.from(tx.bytes).includes(wallet.address) && !wallet.isOwn(tx.hash))
    .flatMap(tx => requestsIn(tx, height, wallet.identify))
}

function requestsIn(tx: BlockTransaction, height: number, identify: Identify): ForeignRequest[] {
  const messages = messagesIn(tx)
  const identified = messages.map(message => readOr({ identities: [] }, () => identify(message)))
  if (identified.every(({ identities }) => identities.length === 0)) return []
  const ids = messages.map(() => randomUUID())
  const { executions, isContradicted: isDoubtful } = executed(tx, ids)
  return messages.flatMap(({ typeUrl, value: message }, index) => {
    const own = identified[index]
    if (!own || own.identities.length === 0) return []
    const execution = executions[index]
    return { ...own, typeUrl, message, execution, transactionHash: tx.hash, height, isDoubtful }
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

/**
 * The evidence that a block needs before it is applied: none, a second node or the next header, or only a second node.
 */
type Proof = 'none' | 'header' | 'secondNode'

export interface ReadBlock extends ReturnType<typeof resolveSlots> {
  /** Requests in transactions that are not in the store. */
  adoptions: ForeignRequest[]
  proof: Proof
}

/** Reads what a block decided. Only successes of our own need no proof: they can be corrected later. */
export function readBlock(
  block: ChainBlock,
  slots: SlotTable,
  wallet: Wallet & { identify: Identify }
): ReadBlock {
  const read = resolveSlots(block, slots, wallet)
  const isOwn = (hash: string) => slots.findSignedTx(hash) !== undefined
  const adoptions = foreignRequests(block, { ...wallet, isOwn })
  const { resolutions } = read
  const isFinal =
    adoptions.length > 0 ||
    block.transactions.some(({ code, hash }) => code !== 0 && isOwn(hash)) ||
    resolutions.some(
      ({ origin, outcomes }) => origin === 'foreign' || outcomes.some(({ status }) => status !== 'committed')
    )
  const isDoubtful = [...resolutions, ...adoptions].some(each => each.isDoubtful)
  const proof = isDoubtful ? 'secondNode' : isFinal ? 'header' : 'none'
  return { ...read, adoptions, proof }
}
