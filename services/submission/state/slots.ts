import type { Variant } from '../store/types.ts'
import type { Refusal } from '../types.ts'

/** A sequence that no block has consumed, with all variants signed for it, the newest last. */
export interface OpenSlot {
  sequence: number
  variants: Variant[]
  /** Height of the chain when the newest variant was sent; undefined while it is still to be sent. */
  sentAt: number | undefined
  /** How often the newest variant was sent. */
  timesSent: number
  /** How often other bytes were signed because a node knew the present ones and no block contained them. */
  timesRenewed: number
  /** How often in a row the node refused the content of the newest variant. */
  refusals: number
  /** The node's refusal for which messages of the slot were left out. */
  refusal?: Refusal
}

/** The open slots in memory. Every change is written to the store first. */
export interface SlotTable {
  readonly size: number
  /** The submissions that would be executed if the newest variants of all slots were. */
  readonly submissions: number
  /** The gas limits of the open slots, in sequence order. */
  readonly gasLimits: number[]
  /** Adds a variant, to a new slot or as the newest of an open one, which is then to be sent. */
  add(variant: Variant): void
  get(sequence: number): OpenSlot | undefined
  findVariant(hash: string): Variant | undefined
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
    add(variant) {
      variants.set(variant.hash, variant)
      const slot = slots.get(variant.sequence)
      if (!slot) {
        slots.set(variant.sequence, {
          sequence: variant.sequence,
          variants: [variant],
          sentAt: undefined,
          timesSent: 0,
          timesRenewed: 0,
          refusals: 0
        })
        return
      }
      slot.variants.push(variant)
      slot.sentAt = undefined
      slot.timesSent = 0
      slot.refusals = 0
    },
    get: sequence => slots.get(sequence),
    findVariant: hash => variants.get(hash),
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
