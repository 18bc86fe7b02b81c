import type { Variant } from '../store/types.ts'

/**
 * In the ids of a variant, the place of a submission that another transaction has settled while it was in the slot. Its message
 * is still in the signed bytes, so the place stays. The SQL of the store writes the same.
 */
const LEFT = ''

/** Whether the submission that had this place in a variant has left it. */
export const hasLeft = (submissionId: string): boolean => submissionId === LEFT

/** What is known of the newest variant of a slot before it is sent. */
const unsent = () => ({
  /** Height of the chain when it was sent; undefined while it is still to be sent. */
  sentAt: undefined as number | undefined,
  timesSent: 0,
  /** Whether a node was given it already, whatever the response was. */
  isTried: false,
  /** The height at which one node accepted it while another one required a higher fee. */
  acceptedElsewhereAt: undefined as number | undefined,
  /** How often in a row the node refused its content. */
  refusals: 0,
  /** How often in a row it had no usable answer, and how many of these followed a smaller transaction that had one. */
  failures: 0,
  failuresAfterControl: 0
})

/** A sequence that no block has consumed, with all variants signed for it, the newest last. */
export interface OpenSlot extends ReturnType<typeof unsent> {
  sequence: number
  variants: Variant[]
  /** How often other bytes were signed because a node knew the present ones and no block contained them. */
  timesRenewed: number
}

/** The variant that is sent for a slot. */
export const newestVariant = (slot: OpenSlot) => variantAt(slot, -1)

/** The variant with which a slot was opened. */
export const firstVariant = (slot: OpenSlot) => variantAt(slot, 0)

function variantAt({ variants, sequence }: OpenSlot, index: number): Variant {
  const variant = variants.at(index)
  if (!variant) throw new TypeError(`slot ${sequence} has no variant`)
  return variant
}

/** The most that a slot can cost, in base units: the chain may take any of its variants. */
export function dearestFee(slot: OpenSlot | undefined): bigint {
  const fees = slot?.variants.map(({ feeAmount }) => feeAmount) ?? []
  return fees.reduce((dearest, fee) => (fee > dearest ? fee : dearest), 0n)
}

export type SlotTable = ReturnType<typeof createSlotTable>

/** The open slots in memory. Every change is written to the store first. */
export function createSlotTable() {
  // A Map keeps the order of insertion, which is the sequence order: slots are opened one after the other.
  const slots = new Map<number, OpenSlot>()
  const all = () => [...slots.values()]

  return {
    get size(): number {
      return slots.size
    },
    /** How many submissions would be executed if the newest variants of all slots were. */
    get submissions(): number {
      return all().reduce((count, slot) => count + newestVariant(slot).submissionIds.length, 0)
    },
    /** The gas limits of the open slots, in sequence order. */
    get gasLimits(): number[] {
      return all().map(slot => newestVariant(slot).gasLimit)
    },
    /** The most that the open slots can cost. */
    get fees(): bigint {
      return all().reduce((total, slot) => total + dearestFee(slot), 0n)
    },
    /** Adds a variant, to a new slot or as the newest of an open one, which is then to be sent. */
    add(variant: Variant): void {
      const { sequence } = variant
      const slot = slots.get(sequence) ?? { sequence, variants: [], timesRenewed: 0, ...unsent() }
      slot.variants.push(variant)
      slots.set(sequence, Object.assign(slot, unsent()))
    },
    get: (sequence: number) => slots.get(sequence),
    findVariant(hash: string): Variant | undefined {
      for (const { variants } of slots.values()) {
        for (const variant of variants) if (variant.hash === hash) return variant
      }
      return undefined
    },
    /**
     * Empties the place of a submission that was settled while it is in a slot, which is then to be signed and sent again.
     * @returns the slot's sequence
     */
    leave(submissionId: string): number | undefined {
      const slot = all().find(({ variants }) =>
        variants.some(one => one.submissionIds.includes(submissionId))
      )
      if (!slot) return undefined
      slot.variants = slot.variants.map(({ submissionIds, ...variant }) => ({
        ...variant,
        submissionIds: submissionIds.map(id => (id === submissionId ? LEFT : id))
      }))
      slot.sentAt = undefined
      return slot.sequence
    },
    remove: (sequence: number) => void slots.delete(sequence),
    /** The open slot with the lowest sequence. */
    first: (): OpenSlot | undefined => slots.values().next().value,
    /** The slot with the lowest sequence of those whose newest variant is to be sent. */
    nextToSend: () => all().find(({ sentAt }) => sentAt === undefined),
    /** Marks all slots as to be sent again. */
    replay(): void {
      for (const slot of slots.values()) slot.sentAt = undefined
    }
  }
}
