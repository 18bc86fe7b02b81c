import type { EngineContext } from '../runtime/context.ts'
import { CONTROL_GAS, controlMessage } from '../signing/control-message.ts'
import { messagesOf, signVariant, type VariantPlan } from '../signing/variants.ts'
import { newestVariant, type OpenSlot } from '../state/slots.ts'
import type { Refusal } from '../types.ts'

/**
 * Signs an open slot anew. Two transactions with one sequence can never both be executed, so other bytes for the
 * same slot are always safe, whatever became of the bytes before.
 */
export interface SlotRepair {
  /** The same messages for the fee that a node asks for. @returns false when that is too much to pay unasked */
  reprice(slot: OpenSlot, fee: bigint): Promise<boolean>
  /** The same messages with more gas, for a node that says it does not suffice even to check them. */
  addGas(slot: OpenSlot): Promise<void>
  /** The same messages in other bytes, for a node that believes it has these and does not. */
  renew(slot: OpenSlot): Promise<void>
  /**
   * Half of the messages, or, in the place of a lone one, a transfer of the wallet to itself: a node refuses the
   * slot's transaction for what is in it, and the slots after it wait. What is left out goes back to the queue when
   * a block has consumed the slot, and not before.
   */
  shrink(slot: OpenSlot, refusal: Refusal): Promise<void>
}

export function createSlotRepair(engine: EngineContext): SlotRepair {
  const { store, slots, fees, wallet, settings, log } = engine

  async function replace(slot: OpenSlot, change: Partial<VariantPlan>, reason: string): Promise<void> {
    const { hash: _hash, bytes: _bytes, ...present } = newestVariant(slot)
    const variant = await signVariant(engine, {
      ...present,
      messages: messagesOf(newestVariant(slot)),
      ...change
    })
    await engine.change(async () => {
      // A block may have consumed the slot in the meantime.
      if (slots.get(slot.sequence) !== slot) return
      await store.addVariant(variant)
      engine.variantStored(variant)
    })
    const { sequence, hash, gasLimit, feeAmount, submissionIds } = variant
    const fields = { sequence, hash, gasLimit, feeAmount: String(feeAmount), messages: submissionIds.length }
    log.warn(fields, reason)
  }

  return {
    async reprice(slot, fee) {
      const { gasLimit } = newestVariant(slot)
      if (!fees.raise(fee, gasLimit)) return false
      await replace(
        slot,
        { feeAmount: fees.feeFor(gasLimit) },
        'slot signed anew: the node asks for a higher fee'
      )
      return true
    },
    async addGas(slot) {
      const gasLimit = Math.ceil(newestVariant(slot).gasLimit * 1.5)
      await replace(
        slot,
        { gasLimit, feeAmount: fees.feeFor(gasLimit) },
        'slot signed anew: it needs more gas'
      )
    },
    async renew(slot) {
      const feeAmount = newestVariant(slot).feeAmount + 1n
      await replace(slot, { feeAmount }, 'slot signed anew: the node has lost what it believes to have')
    },
    async shrink(slot, refusal) {
      slot.refusal = refusal
      const { submissionIds, gasLimit } = newestVariant(slot)
      const half = Math.floor(submissionIds.length / 2)
      const messages = messagesOf(newestVariant(slot)).slice(0, half)
      const change =
        half > 0
          ? { messages, submissionIds: submissionIds.slice(0, half), gasLimit }
          : {
              messages: [controlMessage(wallet.address, settings.feeDenom)],
              submissionIds: [],
              gasLimit: CONTROL_GAS
            }
      await replace(
        slot,
        { ...change, feeAmount: fees.feeFor(change.gasLimit) },
        'slot signed anew: a part was refused'
      )
    }
  }
}
