import type { SignedTx } from '../store/types.ts'

/**
 * Replaces the id of a submission that another transaction has settled while it was in the slot. Its message is still
 * in the signed bytes, so the place stays. The store's SQL writes the same value.
 */
const LEFT = ''

/** Whether the submission in this place of a signed transaction has left it. */
export const hasLeft = (submissionId: string): boolean => submissionId === LEFT

/** Initial state of the newest signed transaction of a slot, before it is sent. */
const unsent = () => ({
  /** Height of the chain when it was sent; undefined while it still has to be sent. */
  sentAt: undefined as number | undefined,
  timesSent: 0,
  /** Whether it was passed to a node before, whatever the response. */
  isTried: false,
  /** The height at which one node accepted it while another required a higher fee. */
  acceptedElsewhereAt: undefined as number | undefined,
  /** How often in a row the node has refused its content. */
  refusals: 0,
  /** How often in a row it got no usable response, except while smaller transactions got none either. */
  failures: 0
})

/** A sequence that no block has consumed, with all transactions signed for it, the newest last. */
export interface OpenSlot extends ReturnType<typeof unsent> {
  sequence: number
  signedTxs: SignedTx[]
  /** How often other bytes were signed because a node knew the present ones but no block contained them. */
  timesRenewed: number
}

/** The signed transaction that is sent for a slot. */
export const newestTx = (slot: OpenSlot) => signedTxAt(slot, -1)

/** The signed transaction with which a slot was opened. */
export const firstTx = (slot: OpenSlot) => signedTxAt(slot, 0)

function signedTxAt({ signedTxs, sequence }: OpenSlot, index: number): SignedTx {
  const signedTx = signedTxs.at(index)
  if (!signedTx) throw new TypeError(`slot ${sequence} has no signed transaction`)
  return signedTx
}

/** The most that a slot can cost, in base units: the chain may execute any of its signed transactions. */
export function dearestFee(slot: OpenSlot | undefined): bigint {
  const fees = slot?.signedTxs.map(({ feeAmount }) => feeAmount) ?? []
  return fees.reduce((dearest, fee) => (fee > dearest ? fee : dearest), 0n)
}

export type SlotTable = ReturnType<typeof createSlotTable>

/** The open slots in memory. Every change is written to the store first. */
export function createSlotTable() {
  // A Map keeps insertion order, which is sequence order: slots are opened one after the other.
  const slots = new Map<number, OpenSlot>()
  const all = () => [...slots.values()]

  return {
    get size(): number {
      return slots.size
    },
    /** The number of submissions that would be executed if the newest signed transactions of all slots were. */
    get submissions(): number {
      return all().reduce((count, slot) => count + newestTx(slot).submissionIds.length, 0)
    },
    /** The gas limits of the open slots, in sequence order. */
    get gasLimits(): number[] {
      return all().map(slot => newestTx(slot).gasLimit)
    },
    /** The most that the open slots can cost. */
    get fees(): bigint {
      return all().reduce((total, slot) => total + dearestFee(slot), 0n)
    },
    /** Adds a signed transaction, to a new slot or as the newest of an open one. It then has to be sent. */
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
     * Empties the place of a submission that was settled while in a slot. The slot then has to be signed and sent
     * again.
     * @returns the slot's sequence
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
    /** Marks all slots to be sent again. */
    replay(): void {
      for (const slot of slots.values()) slot.sentAt = undefined
    }
  }
}
