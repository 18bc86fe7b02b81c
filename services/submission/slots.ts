import type { BlockTransaction, BroadcastResult } from '../chain-client/index.ts'
import type { SignedTx, Slot } from './contract.ts'

/**
 * The id in place of a submission that another transaction has settled. The array keeps its length, because the signed
 * bytes still contain the message. The store's SQL writes the same value.
 */
const LEFT = ''

export const hasLeft = (submissionId: string): boolean => submissionId === LEFT

/** A slot, with this process's knowledge of its current transaction, which is the last one of `signedTxs`. */
export interface OpenSlot extends Slot {
  /** The chain height at the last send; undefined while the transaction still has to be sent. */
  sentAt: number | undefined
  timesSent: number
  /** Whether it was ever sent, regardless of the response. */
  isTried: boolean
  /** The height at which one node accepted the transaction while another required a higher fee. */
  acceptedElsewhereAt: number | undefined
  /** The last refusal of the current transaction's content, unless a node has accepted it since. */
  refusal: Extract<BroadcastResult, { status: 'refused' }> | undefined
  /** How often the slot returned to its messages because a transfer in their place was refused as well. */
  timesRestored: number
  /** The last transaction of the slot that failed in a block, without an event that it consumed the sequence. */
  failedTx: BlockTransaction | undefined
}

/** The open slots, in memory. Every change is written to the store first. */
export interface SlotTable {
  /** All lower sequences are consumed, as nodes report: the event of a failed transaction may be missing. */
  consumed: number
  readonly size: number
  /** The gas and bytes of the current transactions, in order. */
  readonly sizes: { gas: number; bytes: number }[]
  /** The most that the open slots can cost, in base units. */
  readonly fees: bigint
  /** Makes a signed transaction the current one of a new or an open slot, and marks the slot to be sent. */
  add(signedTx: SignedTx): void
  get(sequence: number): OpenSlot | undefined
  findSignedTx(hash: string): SignedTx | undefined
  /**
   * Removes a settled submission from its open slot, which must then be signed again.
   * @returns the slot's sequence; undefined if no open slot contains the submission
   */
  leave(submissionId: string): number | undefined
  remove(sequence: number): void
  clear(): void
  /** The slot with the lowest sequence. */
  first(): OpenSlot | undefined
  nextToSend(): OpenSlot | undefined
  /** Marks all slots to be sent. */
  replay(): void
}

const unsent = () => ({
  sentAt: undefined,
  timesSent: 0,
  isTried: false,
  acceptedElsewhereAt: undefined,
  refusal: undefined
})

/** Returns the transaction to send, which is the newest. */
export function currentTx({ signedTxs, sequence }: OpenSlot): SignedTx {
  const signedTx = signedTxs.at(-1)
  if (!signedTx) throw new TypeError(`slot ${sequence} has no signed transaction`)
  return signedTx
}

/** Returns the transaction with all messages of the slot. The others contain only some of them, or none. */
export const fullTx = (slot: OpenSlot): SignedTx =>
  slot.signedTxs.reduce(
    (full, tx) => (tx.submissionIds.length > full.submissionIds.length ? tx : full),
    currentTx(slot)
  )

type Submissions = Pick<SignedTx, 'submissionIds'>

export const hasSameMessages = (one: Submissions, other: Submissions): boolean =>
  one.submissionIds.length === other.submissionIds.length &&
  one.submissionIds.every((id, index) => id === other.submissionIds[index])

/** Returns the highest fee that a slot can cost: the chain may execute any of its signed transactions. */
export function dearestFee(slot: OpenSlot | undefined): bigint {
  const fees = slot?.signedTxs.map(({ feeAmount }) => feeAmount) ?? []
  return fees.reduce((dearest, fee) => (fee > dearest ? fee : dearest), 0n)
}

export function createSlotTable(): SlotTable {
  // A Map keeps insertion order, which is sequence order.
  const slots = new Map<number, OpenSlot>()
  const all = () => [...slots.values()]

  return {
    consumed: 0,
    get size() {
      return slots.size
    },
    get sizes() {
      return all()
        .map(currentTx)
        .map(({ gasLimit: gas, bytes }) => ({ gas, bytes: bytes.length }))
    },
    get fees() {
      return all().reduce((total, slot) => total + dearestFee(slot), 0n)
    },
    add(signedTx) {
      const { sequence } = signedTx
      const slot = slots.get(sequence) ?? {
        sequence,
        signedTxs: [],
        timesRestored: 0,
        failedTx: undefined,
        ...unsent()
      }
      slot.signedTxs = [...slot.signedTxs.filter(other => other !== signedTx), signedTx]
      slots.set(sequence, Object.assign(slot, unsent()))
    },
    get: sequence => slots.get(sequence),
    findSignedTx(hash) {
      for (const { signedTxs } of slots.values()) {
        for (const signedTx of signedTxs) if (signedTx.hash === hash) return signedTx
      }
      return undefined
    },
    leave(submissionId) {
      const slot = all().find(({ signedTxs }) =>
        signedTxs.some(one => one.submissionIds.includes(submissionId))
      )
      if (!slot) return undefined
      slot.signedTxs = slot.signedTxs.map(({ submissionIds, ...signedTx }) => ({
        ...signedTx,
        submissionIds: submissionIds.map(id => (id === submissionId ? LEFT : id))
      }))
      slot.sentAt = undefined
      return slot.sequence
    },
    remove: sequence => void slots.delete(sequence),
    clear: () => slots.clear(),
    first: () => slots.values().next().value,
    nextToSend: () => all().find(({ sentAt }) => sentAt === undefined),
    replay() {
      for (const slot of slots.values()) slot.sentAt = undefined
    }
  }
}
