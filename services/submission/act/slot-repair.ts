import type { Refusal } from '../contract.ts'
import { firstTx, hasLeft, newestTx, type OpenSlot } from '../slots.ts'
import { CONTROL_GAS, controlMessage, messagesOf } from '../transaction.ts'
import type { EngineContext, SigningPlan } from './engine-context.ts'
import { gasCap } from './gas.ts'

/**
 * A multiple of the slot's first gas limit, which is based on a simulation. A node that lies about gas must not make
 * the wallet pay an arbitrary fee.
 */
const MAX_GAS_FACTOR = 4

/**
 * Creates the functions that sign an open slot again. That is always safe: two transactions with the same sequence can
 * never both be executed. Every method throws FeeLimitError if the fee could exceed the daily limit.
 */
export function createSlotRepair(engine: EngineContext) {
  const { store, slots, blame, fees, wallet, settings, log } = engine

  /** @returns false, with no effect, if the slot has changed in the meantime */
  async function replace(slot: OpenSlot, change: Partial<SigningPlan>, reason: string): Promise<boolean> {
    const before = newestTx(slot)
    const { hash: _hash, bytes: _bytes, ...present } = before
    return engine.withSlotLock(async () => {
      // In the meantime, a block may have consumed the slot or settled one of its submissions.
      if (slots.get(slot.sequence) !== slot || newestTx(slot) !== before) return false
      const signedTx = await engine.signing.sign({ ...present, messages: messagesOf(before), ...change })
      await store.addSignedTx(signedTx)
      engine.signedTxStored(signedTx)
      const { sequence, hash, gasLimit, feeAmount, submissionIds } = signedTx
      const messages = submissionIds.length
      log.warn({ sequence, hash, gasLimit, feeAmount: String(feeAmount), messages, submissionIds }, reason)
      return true
    })
  }

  const priced = (gasLimit: number) => ({ gasLimit, feeAmount: fees.feeFor(gasLimit) })

  /** A transfer from the wallet to itself, without submissions. */
  const transfer = () => ({
    messages: [controlMessage(wallet.address, settings.feeDenom)],
    submissionIds: [],
    ...priced(CONTROL_GAS)
  })

  return {
    /** @returns false, with no effect, if the fee exceeds the highest allowed one */
    async reprice(slot: OpenSlot, fee: bigint): Promise<boolean> {
      const { gasLimit } = newestTx(slot)
      if (!fees.raise(fee, gasLimit)) return false
      await replace(slot, priced(gasLimit), 'slot signed again: the node requires a higher fee')
      return true
    },
    /** Requests more gas after CheckTx ran out of it. @returns false if more would not help, or would cost too much */
    async addGas(slot: OpenSlot): Promise<boolean> {
      const { gasLimit: present, submissionIds } = newestTx(slot)
      const first = firstTx(slot)
      const gasLimit = Math.min(Math.ceil(present * 1.5), gasCap(settings, submissionIds.length))
      // Without the dropped messages, the transaction needs less gas than its first limit.
      const hasAll = submissionIds.length === first.submissionIds.length
      if (!hasAll || gasLimit <= present || gasLimit > MAX_GAS_FACTOR * first.gasLimit) return false
      await replace(slot, priced(gasLimit), 'slot signed again: it needs more gas')
      return true
    },
    /** Leaves out submissions that another transaction has settled. Signs a transfer if no message is left. */
    async leaveOut(slot: OpenSlot): Promise<void> {
      const { submissionIds } = newestTx(slot)
      const kept = submissionIds.map(id => !hasLeft(id))
      const stays = (_: unknown, index: number) => kept[index]
      const messages = messagesOf(newestTx(slot)).filter(stays)
      const change =
        messages.length > 0 ? { messages, submissionIds: submissionIds.filter(stays) } : transfer()
      await replace(
        slot,
        change,
        'slot signed again without submissions that another transaction has settled'
      )
    },
    /**
     * Signs the same messages with a slightly higher fee, so that the bytes change: a node has the current bytes in its
     * cache but not in its mempool.
     */
    async renew(slot: OpenSlot): Promise<void> {
      const feeAmount = newestTx(slot).feeAmount + 1n
      await replace(
        slot,
        { feeAmount },
        'slot signed again: the node reports the transaction as known, but no block contains it'
      )
    },
    /**
     * Signs a transfer instead, because blocks allow less gas than the messages request. The messages return to the
     * queue once a block has consumed the slot, and do not become suspects.
     * @returns false if the slot already contains only that transfer
     */
    async withdraw(slot: OpenSlot): Promise<boolean> {
      if (newestTx(slot).submissionIds.length === 0) return false
      await replace(slot, transfer(), 'slot signed again without its messages: blocks allow less gas')
      return true
    },
    /**
     * Signs half of the messages, or a transfer instead of a lone message, because the node refuses the content and the
     * later slots wait. Dropped messages return to the queue once a block has consumed the slot.
     * @param by `size` if the node responds only to smaller transactions
     */
    async shrink(slot: OpenSlot, refusal: Refusal, by: 'node' | 'size'): Promise<void> {
      const { submissionIds } = newestTx(slot)
      const half = Math.floor(submissionIds.length / 2)
      const messages = messagesOf(newestTx(slot)).slice(0, half)
      const gasLimit = Math.min(firstTx(slot).gasLimit, gasCap(settings, half))
      const smaller = { messages, submissionIds: submissionIds.slice(0, half), ...priced(gasLimit) }
      const change = half > 0 ? smaller : transfer()
      const reason = 'slot signed again with fewer messages: the node refused its content'
      if (!(await replace(slot, change, reason))) return
      // Each attempt with a lone message costs the fee of a transfer, so the message rests first.
      const suspects = submissionIds.slice(half).filter(id => !hasLeft(id))
      blame.failed({ suspects, messages: submissionIds.length, refusal, by })
    }
  }
}
