import type { BroadcastAnswer } from '../../chain-client/index.ts'
import type { EngineContext } from '../runtime/context.ts'
import { UNTIL_WOKEN } from '../runtime/loop.ts'
import { expectedSequence, SDK_CODE } from '../sdk-errors.ts'
import { requiredFee } from '../signing/fees.ts'
import { newestVariant, type OpenSlot } from '../state/slots.ts'
import type { ImpedimentKind } from '../types.ts'
import { createSlotRepair } from './slot-repair.ts'

/** How long the broadcaster rests after an answer that says nothing, and after one that needs a human. */
const RETRY_MS = 250
const IMPEDED_MS = 2000

/** A transaction that was handed to a node and is in none of this many blocks is handed over again. */
const PATIENCE_BLOCKS = 2

/** After this many times in vain a node that says it knows the bytes is given others. */
const PATIENCE_HANDOVERS = 3

type Refused = Extract<BroadcastAnswer, { status: 'refused' }>

export interface Broadcaster {
  /** A loop step: hands over the next slot's bytes, strictly in the order of the sequences. */
  step(): Promise<number>
  /** Sends again what nodes took but blocks do not hold. */
  blockApplied(): void
  /**
   * Sends everything again that no block holds: another node is asked now.
   * @returns false when a broadcast is under way, whose own failure may be the change; it replays by itself
   */
  nodeChanged(): boolean
}

/** Hands signed transactions to a node. What the node answers is a hint: only the follower resolves slots. */
export function createBroadcaster(engine: EngineContext, onHandedOver: () => void): Broadcaster {
  const { chain, blocks, slots, settings, impediments, log } = engine
  const repair = createSlotRepair(engine)
  let sending = false

  function handedOver(slot: OpenSlot): number {
    slot.sentAt = Math.max(engine.signer().cursorHeight, blocks.newest)
    slot.handovers += 1
    onHandedOver()
    return 0
  }

  function replay(): number {
    slots.replay()
    return RETRY_MS
  }

  function impeded(kind: ImpedimentKind, { log: reason }: Refused): number {
    impediments.raise(kind, reason)
    return IMPEDED_MS
  }

  function outOfOrder(slot: OpenSlot, reason: string): number {
    const { sequence } = slot
    const expected = expectedSequence(reason) ?? sequence
    // A block has consumed the sequence, or a foreign transaction that waits for one: blocks will tell.
    if (expected > sequence) return handedOver(slot)
    log.warn({ sequence, expected }, 'the node lacks transactions before this one; sending them again')
    return replay()
  }

  async function refused(slot: OpenSlot, answer: Refused): Promise<number> {
    const { code, codespace, log: reason } = answer
    switch (codespace === 'sdk' ? code : undefined) {
      case SDK_CODE.wrongSequence:
        return outOfOrder(slot, reason)
      case SDK_CODE.insufficientFunds:
      case SDK_CODE.unknownAddress:
        return impeded('insufficient-funds', answer)
      case SDK_CODE.unauthorized:
        return impeded('signature-refused', answer)
      case SDK_CODE.insufficientFee: {
        const fee = requiredFee(reason, settings.feeDenom)
        if (fee === undefined || fee <= newestVariant(slot).feeAmount) break
        return (await repair.reprice(slot, fee)) ? 0 : impeded('fee-too-high', answer)
      }
      case SDK_CODE.outOfGas:
        await repair.addGas(slot)
        return 0
    }
    // Where even a transfer of the wallet to itself is refused no other bytes would help.
    if (newestVariant(slot).submissionIds.length === 0) return impeded('transactions-refused', answer)
    log.warn({ sequence: slot.sequence, code, codespace, reason }, 'the node refuses a transaction')
    await repair.shrink(slot, { code, codespace, message: reason })
    return 0
  }

  return {
    async step() {
      const slot = slots.nextToSend()
      if (!slot) return UNTIL_WOKEN
      sending = true
      const answer = await chain.broadcast(newestVariant(slot).bytes)
      sending = false
      // A block may have resolved the slot in the meantime.
      if (slots.get(slot.sequence) !== slot) return 0
      switch (answer.status) {
        case 'accepted':
          impediments.clear('insufficient-funds', 'fee-too-high', 'signature-refused', 'transactions-refused')
          return handedOver(slot)
        case 'known':
          if (slot.handovers < PATIENCE_HANDOVERS) return handedOver(slot)
          await repair.renew(slot)
          return 0
        case 'unavailable':
          log.warn({ sequence: slot.sequence, reason: answer.reason }, 'broadcast without a usable answer')
          return replay()
        case 'refused':
          return refused(slot, answer)
      }
    },
    blockApplied() {
      const { cursorHeight } = engine.signer()
      const sentAt = slots.first()?.sentAt
      if (sentAt !== undefined && cursorHeight - sentAt >= PATIENCE_BLOCKS) replay()
    },
    nodeChanged() {
      replay()
      return !sending
    }
  }
}
