import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { BroadcastAnswer } from '../chain-client/index.ts'
import type { EngineContext } from './context.ts'
import { requiredFee } from './gas.ts'
import { UNTIL_WOKEN } from './loop.ts'
import { newestVariant, type OpenSlot } from './slots.ts'
import { signTransaction } from './transaction.ts'

/** How long the broadcaster rests after an answer that says nothing, and after one that needs a human. */
const RETRY_MS = 250
const ALERT_MS = 5000

/** A transaction that was handed to a node and is in none of this many blocks is handed over again. */
const PATIENCE_BLOCKS = 2

/** Codes of the `sdk` codespace that CheckTx answers with. */
const INSUFFICIENT_FEE = 13
const WRONG_SEQUENCE = 32

type Refused = Extract<BroadcastAnswer, { status: 'refused' }>

/** What a node expected, from the text of `incorrect account sequence`; the code alone does not tell. */
function expectedSequence(log: string): number | undefined {
  const expected = /expected (\d+), got \d+/.exec(log)?.[1]
  return expected === undefined ? undefined : Number(expected)
}

export interface Broadcaster {
  /** A loop step: hands over the next slot's bytes, strictly in the order of the sequences. */
  step(): Promise<number>
  /** Sends again what nodes took but blocks do not hold. */
  blockApplied(): void
}

/** Hands signed transactions to a node. What the node answers is a hint: only the follower resolves slots. */
export function createBroadcaster(engine: EngineContext, onHandedOver: () => void): Broadcaster {
  const { store, chain, wallet, slots, settings, fees, log } = engine

  function handedOver(slot: OpenSlot): number {
    slot.sentAt = engine.signer().cursorHeight
    onHandedOver()
    return 0
  }

  function replay(): number {
    const first = slots.first()
    if (first) slots.replayFrom(first.sequence)
    return RETRY_MS
  }

  /** Signs the same messages for the same slot with the fee that the node asks for. */
  async function reprice(slot: OpenSlot, fee: bigint): Promise<number> {
    const { bytes, gasLimit, sequence, submissionIds, attempts } = newestVariant(slot)
    fees.raise(fee, gasLimit)
    const feeAmount = fees.feeFor(gasLimit)
    const { messages } = TxBody.decode(TxRaw.decode(bytes).bodyBytes)
    const plan = { messages, sequence, gasLimit, feeAmount, denom: settings.feeDenom }
    const signed = await signTransaction(wallet, engine.signer(), plan)
    const variant = { ...signed, sequence, gasLimit, feeAmount, submissionIds, attempts }
    await engine.change(async () => {
      if (slots.get(sequence) !== slot) return
      await store.addVariant(variant)
      engine.variantStored(variant)
    })
    log.warn(
      { sequence, hash: signed.hash, feeAmount: String(feeAmount) },
      'fee raised to what the node asks for'
    )
    return 0
  }

  async function refused(slot: OpenSlot, answer: Refused): Promise<number> {
    const { sequence } = slot
    const { code, codespace, log: reason } = answer
    if (codespace === 'sdk' && code === WRONG_SEQUENCE) {
      const expected = expectedSequence(reason) ?? sequence
      // A block has consumed the sequence: the follower is about to read by whom.
      if (expected > sequence) return handedOver(slot)
      log.warn({ sequence, expected }, 'the node lacks transactions before this one; sending them again')
      return replay()
    }
    if (codespace === 'sdk' && code === INSUFFICIENT_FEE) {
      const fee = requiredFee(reason, settings.feeDenom)
      if (fee !== undefined && fee > newestVariant(slot).feeAmount) return reprice(slot, fee)
    }
    log.error({ sequence, code, codespace, reason }, 'the chain does not let the wallet transact')
    return ALERT_MS
  }

  return {
    async step() {
      const slot = slots.nextToSend()
      if (!slot) return UNTIL_WOKEN
      const answer = await chain.broadcast(newestVariant(slot).bytes)
      // A block may have resolved the slot in the meantime.
      if (slots.get(slot.sequence) !== slot) return 0
      switch (answer.status) {
        case 'accepted':
        case 'known':
          return handedOver(slot)
        case 'unavailable':
          log.warn({ sequence: slot.sequence, reason: answer.reason }, 'broadcast without a usable answer')
          return replay()
        case 'refused':
          return refused(slot, answer)
      }
    },
    blockApplied() {
      const first = slots.first()
      if (first?.sentAt !== undefined && engine.signer().cursorHeight - first.sentAt >= PATIENCE_BLOCKS)
        replay()
    }
  }
}
