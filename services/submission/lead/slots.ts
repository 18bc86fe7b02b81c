import type { SignedTx } from '../store/types.ts'

/**
 * Replaces a submission id in a slot once another transaction has settled the submission. The list keeps the place of
 * the id, because the message is still in the signed bytes. The store's SQL writes the same value.
 */
const LEFT = ''

/** Whether this place in a signed transaction is empty because its submission has left the slot. */
export const hasLeft = (submissionId: string): boolean => submissionId === LEFT

/** Returns the initial send state of a slot's newest signed transaction. */
const unsent = () => ({
  /** The chain height at which the transaction was sent; undefined while it still has to be sent. */
  sentAt: undefined as number | undefined,
  timesSent: 0,
  /** Whether the transaction was sent to a node before, regardless of the response. */
  isTried: false,
  /** The height at which one node accepted the transaction while another required a higher fee. */
  acceptedElsewhereAt: undefined as number | undefined,
  /** The number of consecutive refusals of the transaction's content. */
  refusals: 0,
  /**
   * The number of consecutive sends without a usable response. Reset when a smaller transaction gets no response
   * either.
   */
  failures: 0
})

/** A sequence number that no block has consumed, with all transactions signed for it, newest last. */
export interface OpenSlot extends ReturnType<typeof unsent> {
  sequence: number
  signedTxs: SignedTx[]
  /**
   * The number of times the slot was signed again because a node had the bytes in its cache but no block contained
   * them.
   */
  timesRenewed: number
}

/** Returns the signed transaction that is sent for a slot. */
export const newestTx = (slot: OpenSlot) => signedTxAt(slot, -1)

/** Returns the signed transaction with which a slot was opened. */
export const firstTx = (slot: OpenSlot) => signedTxAt(slot, 0)

function signedTxAt({ signedTxs, sequence }: OpenSlot, index: number): SignedTx {
  const signedTx = signedTxs.at(index)
  if (!signedTx) throw new TypeError(`slot ${sequence} has no signed transaction`)
  return signedTx
}

/**
 * Returns the highest fee that a slot can cost, in base units: the chain may execute any of its signed transactions.
 */
export function dearestFee(slot: OpenSlot | undefined): bigint {
  const fees = slot?.signedTxs.map(({ feeAmount }) => feeAmount) ?? []
  return fees.reduce((dearest, fee) => (fee > dearest ? fee : dearest), 0n)
}

export type SlotTable = ReturnType<typeof createSlotTable>

/** Creates the in-memory table of open slots. Every change is written to the store first. */
export function createSlotTable() {
  // A Map keeps insertion order, which is sequence order: slots are opened one after the other.
  const slots = new Map<number, OpenSlot>()
  const all = () => [...slots.values()]

  return {
    get size(): number {
      return slots.size
    },
    /** The number of submissions in the newest signed transactions of all slots. */
    get submissions(): number {
      return all().reduce((count, slot) => count + newestTx(slot).submissionIds.length, 0)
    },
    /** The gas limits of the open slots, in sequence order. */
    get gasLimits(): number[] {
      return all().map(slot => newestTx(slot).gasLimit)
    },
    /** The highest total fee that the open slots can cost. */
    get fees(): bigint {
      return all().reduce((total, slot) => total + dearestFee(slot), 0n)
    },
    /** Adds a signed transaction to a new or an open slot, and marks the slot to be sent. */
    add(signedTx: SignedTx): void {
      const { sequence } = signedTx
      const slot = slots.get(sequence) ?? { sequence, signedTxs: [], timesRenewed: 0, ...unsent() }
      slot.signedTxs.push(signedTx)
      slots.set(sequence, Object.assign(slot, unsent()))
    },
    get: (sequence: number) => slots.get(sequence),
    findSignedTx(hash: string): SignedTx | undefined {
      for (const { signedTxs } of slots.values()) {
        for (const signedTx of signedTxs) if (signedTx.hash === hash) return signedTx
      }
      return undefined
    },
    /**
     * Removes the id of a settled submission from its open slot, but keeps the place of its message. The slot must then
     * be signed and sent again.
     * @returns the slot's sequence; undefined if no open slot contains the submission
     */
    leave(submissionId: string): number | undefined {
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
    remove: (sequence: number) => void slots.delete(sequence),
    /** The open slot with the lowest sequence. */
    first: (): OpenSlot | undefined => slots.values().next().value,
    /** The slot with the lowest sequence whose newest signed transaction has to be sent. */
    nextToSend: () => all().find(({ sentAt }) => sentAt === undefined),
    /** Marks all slots to be resent. */
    replay(): void {
      for (const slot of slots.values()) slot.sentAt = undefined
    }
  }
}
