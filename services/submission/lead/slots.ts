import type { SignedTx } from '../store/types.ts'

/**
 * Replaces the id of a submission that another transaction has settled. The array keeps its length, because the signed
 * bytes still contain the message. The store's SQL writes the same value.
 */
const LEFT = ''

export const hasLeft = (submissionId: string): boolean => submissionId === LEFT

const unsent = () => ({
  /** The chain height at the last send; undefined while the transaction still has to be sent. */
  sentAt: undefined as number | undefined,
  timesSent: 0,
  /** Whether it was ever sent, regardless of the response. */
  isTried: false,
  /** The height at which one node accepted the transaction while another required a higher fee. */
  acceptedElsewhereAt: undefined as number | undefined,
  /** Refusals of the transaction's content since it was last signed. */
  refusals: 0,
  /** Consecutive sends without a usable response, while smaller transactions get one. */
  failures: 0
})

/** A sequence number that no block has consumed, with all transactions signed for it, newest last. */
export interface OpenSlot extends ReturnType<typeof unsent> {
  sequence: number
  signedTxs: SignedTx[]
  /** How often the slot was signed again because a node had its bytes in the cache but no block contained them. */
  timesRenewed: number
}

export const newestTx = (slot: OpenSlot) => signedTxAt(slot, -1)

export const firstTx = (slot: OpenSlot) => signedTxAt(slot, 0)

function signedTxAt({ signedTxs, sequence }: OpenSlot, index: number): SignedTx {
  const signedTx = signedTxs.at(index)
  if (!signedTx) throw new TypeError(`slot ${sequence} has no signed transaction`)
  return signedTx
}

/** Returns the highest fee that a slot can cost: the chain may execute any of its signed transactions. */
export function dearestFee(slot: OpenSlot | undefined): bigint {
  const fees = slot?.signedTxs.map(({ feeAmount }) => feeAmount) ?? []
  return fees.reduce((dearest, fee) => (fee > dearest ? fee : dearest), 0n)
}

export type SlotTable = ReturnType<typeof createSlotTable>

/** Creates the in-memory table of open slots. Every change is written to the store first. */
export function createSlotTable() {
  // A Map keeps insertion order, which is sequence order.
  const slots = new Map<number, OpenSlot>()
  const all = () => [...slots.values()]

  return {
    get size(): number {
      return slots.size
    },
    get submissions(): number {
      return all().reduce((count, slot) => count + newestTx(slot).submissionIds.length, 0)
    },
    get gasLimits(): number[] {
      return all().map(slot => newestTx(slot).gasLimit)
    },
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
     * Removes a settled submission from its open slot, which must then be signed again.
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
    first: (): OpenSlot | undefined => slots.values().next().value,
    nextToSend: () => all().find(({ sentAt }) => sentAt === undefined),
    replay(): void {
      for (const slot of slots.values()) slot.sentAt = undefined
    }
  }
}
