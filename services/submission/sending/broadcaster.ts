import type { BroadcastAnswer } from '../../chain-client/index.ts'
import type { EngineContext } from '../runtime/context.ts'
import { UNTIL_WOKEN } from '../runtime/loop.ts'
import { expectedSequence, SDK_CODE } from '../sdk-errors.ts'
import { requiredFee } from '../signing/fees.ts'
import { newestVariant, type OpenSlot } from '../state/slots.ts'
import type { ImpedimentKind } from '../types.ts'
import { createSlotRepair } from './slot-repair.ts'

/** The pause after an unusable answer, and while an operator must act first. */
const RETRY_MS = 250
const IMPEDED_MS = 2000

/** A transaction that is in none of this many blocks after it was sent is sent again. */
const RESEND_AFTER_BLOCKS = 2

/** A node that knows bytes which no block contains after so many sends is sent other bytes. */
const MAX_TIMES_SENT = 3

type Refused = Extract<BroadcastAnswer, { status: 'refused' }>

export interface Broadcaster {
  /** A loop step: sends the next slot's bytes, strictly in sequence order. */
  step(): Promise<number>
  /** Sends again the transactions that a node accepted but no block contains. */
  blockApplied(): void
  /**
   * Sends all open slots again, because requests now go to another node.
   * @returns false during a broadcast: its failure may be the cause of the change, and it replays by itself
   */
  nodeChanged(): boolean
}

/** Sends signed transactions to a node. The node's answers are hints: only the follower resolves slots. */
export function createBroadcaster(engine: EngineContext, onSent: () => void): Broadcaster {
  const { chain, blocks, slots, settings, impediments, log } = engine
  const repair = createSlotRepair(engine)
  let sending = false

  function markSent(slot: OpenSlot): number {
    slot.sentAt = Math.max(engine.signer().cursorHeight, blocks.newest)
    slot.timesSent += 1
    onSent()
    return 0
  }

  function replay(): number {
    slots.replay()
    return RETRY_MS
  }

  function impede(kind: ImpedimentKind, { log: reason }: Refused): number {
    impediments.raise(kind, reason)
    return IMPEDED_MS
  }

  function outOfOrder(slot: OpenSlot, reason: string): number {
    const { sequence } = slot
    const expected = expectedSequence(reason) ?? sequence
    // The sequence was used, in a block or by a foreign transaction in the mempool. The next blocks decide.
    if (expected > sequence) return markSent(slot)
    log.warn({ sequence, expected }, 'the node lacks earlier transactions; sending all again')
    return replay()
  }

  async function refused(slot: OpenSlot, answer: Refused): Promise<number> {
    const { code, codespace, log: reason } = answer
    switch (codespace === 'sdk' ? code : undefined) {
      case SDK_CODE.wrongSequence:
        return outOfOrder(slot, reason)
      case SDK_CODE.insufficientFunds:
      case SDK_CODE.unknownAddress:
        return impede('insufficient-funds', answer)
      case SDK_CODE.unauthorized:
        return impede('signature-refused', answer)
      case SDK_CODE.insufficientFee: {
        const fee = requiredFee(reason, settings.feeDenom)
        if (fee === undefined || fee <= newestVariant(slot).feeAmount) break
        return (await repair.reprice(slot, fee)) ? 0 : impede('fee-too-high', answer)
      }
      case SDK_CODE.outOfGas:
        if (await repair.addGas(slot)) return 0
    }
    // Even a transfer of the wallet to itself is refused, so no other bytes would help.
    if (newestVariant(slot).submissionIds.length === 0) return impede('transactions-refused', answer)
    log.warn({ sequence: slot.sequence, code, codespace, reason }, 'the node refused a transaction')
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
      // A block may have resolved the slot during the broadcast.
      if (slots.get(slot.sequence) !== slot) return 0
      switch (answer.status) {
        case 'accepted':
          impediments.clear('insufficient-funds', 'fee-too-high', 'signature-refused', 'transactions-refused')
          return markSent(slot)
        case 'known':
          if (slot.timesSent < MAX_TIMES_SENT) return markSent(slot)
          await repair.renew(slot)
          return 0
        case 'unavailable':
          log.warn(
            { sequence: slot.sequence, reason: answer.reason },
            'broadcast without a usable answer; sending again'
          )
          return replay()
        case 'refused':
          return refused(slot, answer)
      }
    },
    blockApplied() {
      const { cursorHeight } = engine.signer()
      const sentAt = slots.first()?.sentAt
      if (sentAt !== undefined && cursorHeight - sentAt >= RESEND_AFTER_BLOCKS) replay()
    },
    nodeChanged() {
      replay()
      return !sending
    }
  }
}
