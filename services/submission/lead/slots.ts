import type { Variant } from '../store/types.ts'

/**
 * In the ids of a variant, the place of a submission that another transaction has settled while it was in the slot. Its message
 * is still in the signed bytes, so the place stays. The SQL of the store writes the same.
 */
const LEFT = ''

/** Whether the submission that had this place in a variant has left it. */
export const hasLeft = (submissionId: string): boolean => submissionId === LEFT

/** The ids of a variant after one of its submissions has left. */
const withPlaceLeft = (submissionIds: readonly string[], leaving: string): string[] =>
  submissionIds.map(id => (id === leaving ? LEFT : id))

/** A sequence that no block has consumed, with all variants signed for it, the newest last. */
export interface OpenSlot {
  sequence: number
  variants: Variant[]
  /** Height of the chain when the newest variant was sent; undefined while it is still to be sent. */
  sentAt: number | undefined
  /** How often the newest variant was sent. */
  timesSent: number
  /** Whether a node was given the newest variant already, whatever it answered. */
  isTried: boolean
  /** How often other bytes were signed because a node knew the present ones and no block contained them. */
  timesRenewed: number
  /** The height at which one node accepted the newest variant while another one required a higher fee. */
  acceptedElsewhereAt: number | undefined
  /** How often in a row the node refused the content of the newest variant. */
  refusals: number
  /** How often in a row the newest variant had no usable answer. */
  failures: number
  /** How many of these failures followed a smaller transaction that the node did answer. */
  failuresAfterControl: number
}

/** The open slots in memory. Every change is written to the store first. */
export interface SlotTable {
  readonly size: number
  /** The submissions that would be executed if the newest variants of all slots were. */
  readonly submissions: number
  /** The gas limits of the open slots, in sequence order. */
  readonly gasLimits: number[]
  /** The most that the open slots can cost. */
  readonly fees: bigint
  /** Adds a variant, to a new slot or as the newest of an open one, which is then to be sent. */
  add(variant: Variant): void
  get(sequence: number): OpenSlot | undefined
  findVariant(hash: string): Variant | undefined
  /**
   * Empties the place of a submission that was settled while it is in a slot, which is then to be signed and sent again.
   * @returns the slot's sequence
   */
  leave(submissionId: string): number | undefined
  remove(sequence: number): void
  /** The open slot with the lowest sequence. */
  first(): OpenSlot | undefined
  /** The slot with the lowest sequence of those whose newest variant is to be sent. */
  nextToSend(): OpenSlot | undefined
  /** Marks all slots as to be sent again. */
  replay(): void
}

/** The variant that is sent for a slot. */
export const newestVariant = (slot: OpenSlot) => variantAt(slot, -1)

/** The variant with which a slot was opened. */
export const firstVariant = (slot: OpenSlot) => variantAt(slot, 0)

/** The most that a slot can cost, in base units: the chain may take any of its variants. */
export function dearestFee(slot: OpenSlot | undefined): bigint {
  const fees = slot?.variants.map(({ feeAmount }) => feeAmount) ?? []
  return fees.reduce((dearest, fee) => (fee > dearest ? fee : dearest), 0n)
}

/** What is known of the newest variant before it is sent. */
function unsent() {
  return {
    sentAt: undefined,
    timesSent: 0,
    isTried: false,
    acceptedElsewhereAt: undefined,
    refusals: 0,
    failures: 0,
    failuresAfterControl: 0
  }
}

function variantAt({ variants, sequence }: OpenSlot, index: number): Variant {
  const variant = variants.at(index)
  if (!variant) throw new TypeError(`slot ${sequence} has no variant`)
  return variant
}

export function createSlotTable(): SlotTable {
  // A Map keeps the order of insertion, which is the sequence order: slots are opened one after the other.
  const slots = new Map<number, OpenSlot>()
  const variants = new Map<string, Variant>()

  return {
    get size() {
      return slots.size
    },
    get submissions() {
      let count = 0
      for (const slot of slots.values()) count += newestVariant(slot).submissionIds.length
      return count
    },
    get gasLimits() {
      return [...slots.values()].map(slot => newestVariant(slot).gasLimit)
    },
    get fees() {
      return [...slots.values()].reduce((total, slot) => total + dearestFee(slot), 0n)
    },
    add(variant) {
      variants.set(variant.hash, variant)
      const slot = slots.get(variant.sequence)
      if (!slot) {
        slots.set(variant.sequence, {
          sequence: variant.sequence,
          variants: [variant],
          timesRenewed: 0,
          ...unsent()
        })
        return
      }
      slot.variants.push(variant)
      Object.assign(slot, unsent())
    },
    get: sequence => slots.get(sequence),
    findVariant: hash => variants.get(hash),
    leave(submissionId) {
      for (const slot of slots.values()) {
        if (!slot.variants.some(({ submissionIds }) => submissionIds.includes(submissionId))) continue
        slot.variants = slot.variants.map(variant => ({
          ...variant,
          submissionIds: withPlaceLeft(variant.submissionIds, submissionId)
        }))
        for (const variant of slot.variants) variants.set(variant.hash, variant)
        slot.sentAt = undefined
        return slot.sequence
      }
      return undefined
    },
    remove(sequence) {
      for (const { hash } of slots.get(sequence)?.variants ?? []) variants.delete(hash)
      slots.delete(sequence)
    },
    first: () => slots.values().next().value,
    nextToSend() {
      for (const slot of slots.values()) if (slot.sentAt === undefined) return slot
      return undefined
    },
    replay() {
      for (const slot of slots.values()) slot.sentAt = undefined
    }
  }
}
