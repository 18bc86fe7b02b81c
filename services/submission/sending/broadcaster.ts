import type { BroadcastAnswer } from '../../chain-client/index.ts'
import type { EngineContext } from '../runtime/context.ts'
import { UNTIL_WOKEN } from '../runtime/loop.ts'
import { expectedSequence, refusalOf, SDK_CODE } from '../sdk-errors.ts'
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

/** A content must be refused this often in a row before the slot is signed with less of it: a node may be wrong. */
const MIN_REFUSALS = 2

/** What an accepted transaction proves to be over. */
const IMPEDIMENTS = [
  'insufficient-funds',
  'fee-too-high',
  'signature-refused',
  'transactions-refused',
  'requests-refused'
] as const

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

  async function known(slot: OpenSlot): Promise<number> {
    // Each renewal waits for twice as many sends: a node that always says so must not make the wallet sign without end.
    if (slot.timesSent < MAX_TIMES_SENT * 2 ** slot.timesRenewed) return markSent(slot)
    slot.timesRenewed += 1
    await repair.renew(slot)
    return 0
  }

  function unanswered({ sequence }: OpenSlot, reason: string): number {
    log.warn({ sequence, reason }, 'broadcast without a usable answer; sending again')
    return replay()
  }

  /** The node refuses the content, or the chain all requests for now. */
  async function refusedContent(slot: OpenSlot, answer: Refused): Promise<number> {
    const { sequence } = slot
    const { code, codespace, log: reason } = answer
    slot.refusals += 1
    if (slot.refusals < MIN_REFUSALS) return RETRY_MS
    if (newestVariant(slot).submissionIds.length === 0) {
      // Even a transfer of the wallet to itself is refused: no content is at fault, and no other bytes would help.
      delete slot.refusal
      return impede('transactions-refused', answer)
    }
    const control = await engine.probe.ask(sequence)
    if (control.status === 'impeded') {
      impediments.raise(control.kind, control.reason)
      return IMPEDED_MS
    }
    log.warn({ sequence, code, codespace, reason }, 'the node refused a transaction')
    await repair.shrink(slot, refusalOf(answer))
    return 0
  }

  /** Whether a block may hold less gas than the transaction asks for, as the chain itself says. */
  async function exceedsBlocks(slot: OpenSlot): Promise<boolean> {
    return (await engine.blockGas.refresh()) < newestVariant(slot).gasLimit
  }

  async function refused(slot: OpenSlot, answer: Refused): Promise<number> {
    const { code, codespace, log: reason } = answer
    switch (codespace === 'sdk' ? code : undefined) {
      case SDK_CODE.wrongSequence:
        return outOfOrder(slot, reason)
      case SDK_CODE.inMempoolCache:
        return known(slot)
      case SDK_CODE.mempoolFull:
        return unanswered(slot, reason)
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
      case SDK_CODE.invalidGasLimit:
        if (!(await exceedsBlocks(slot)) || !(await repair.withdraw(slot))) break
        return 0
      case SDK_CODE.outOfGas:
        if (await repair.addGas(slot)) return 0
    }
    return refusedContent(slot, answer)
  }

  return {
    async step() {
      const slot = slots.nextToSend()
      if (!slot) return UNTIL_WOKEN
      sending = true
      const answer = await chain.broadcast(newestVariant(slot).bytes, { everywhere: slot.timesSent > 0 })
      sending = false
      // A block may have resolved the slot during the broadcast.
      if (slots.get(slot.sequence) !== slot) return 0
      switch (answer.status) {
        case 'accepted':
          impediments.clear(...IMPEDIMENTS)
          if (slot.timesSent === 0)
            log.info({ sequence: slot.sequence, hash: newestVariant(slot).hash }, 'slot sent')
          return markSent(slot)
        case 'known':
          return known(slot)
        case 'unavailable':
          return unanswered(slot, answer.reason)
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
