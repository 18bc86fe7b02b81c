import type { Variant } from '../store/types.ts'
import type { Refusal } from '../types.ts'

/** A sequence number that no block has consumed yet, with everything that was signed for it, newest last. */
export interface OpenSlot {
  sequence: number
  variants: Variant[]
  /** Height of the chain when the newest variant was handed to a node; undefined while it is to be sent. */
  sentAt: number | undefined
  /** How often the newest variant was handed over. */
  handovers: number
  /** Why a node refused the slot's transaction, when a part of it was left out for that. */
  refusal?: Refusal
}

/** The open slots, in memory as they are in the store: the store is written first, always. */
export interface SlotTable {
  readonly size: number
  /** What each open slot asks for, in the order of their sequences. */
  readonly gasLimits: number[]
  /** Adds signed bytes, to a new slot or as the newest variant of an open one; they are to be sent. */
  add(variant: Variant): void
  get(sequence: number): OpenSlot | undefined
  findVariant(hash: string): Variant | undefined
  remove(sequence: number): void
  /** The open slot with the lowest sequence. */
  first(): OpenSlot | undefined
  /** The slot with the lowest sequence whose newest variant is to be sent. */
  nextToSend(): OpenSlot | undefined
  /** Everything is to be sent again, in order. */
  replay(): void
}

/** The bytes that stand for a slot now. */
export function newestVariant(slot: OpenSlot): Variant {
  const variant = slot.variants.at(-1)
  if (!variant) throw new TypeError(`slot ${slot.sequence} has no variant`)
  return variant
}

export function createSlotTable(): SlotTable {
  // A Map keeps the order of insertion, which is that of the sequences: slots are opened one after the other.
  const slots = new Map<number, OpenSlot>()
  const variants = new Map<string, Variant>()

  return {
    get size() {
      return slots.size
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
          handovers: 0
        })
        return
      }
      slot.variants.push(variant)
      slot.sentAt = undefined
      slot.handovers = 0
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
