import { gasBudget, MAX_MESSAGES, nextBatch } from './batch.ts'
import type { EngineContext } from './context.ts'
import { multiplyUp } from './gas.ts'
import { UNTIL_WOKEN } from './loop.ts'
import { priceBatch } from './pricing.ts'
import { type QueuedMessage, StoreConflictError } from './store/types.ts'
import { signTransaction } from './transaction.ts'

/** Full transactions that may be on their way at once: two blocks' worth, each a quarter of one. */
const MAX_FULL_TRANSACTIONS = 8

/** Transactions that may be on their way at once, however small: a node checks each again after every block. */
const MAX_OPEN_SLOTS = 64

/**
 * The more is on its way, the longer the next batch gathers, because each transaction costs the node, the wallet and
 * this process something of its own. Alone, a submission leaves at once; nobody waits longer than the cap.
 */
const GATHER_MS_PER_SLOT = 2
const MAX_GATHER_MS = 50

/** How long the packer rests when the chain cannot tell what a batch costs. */
const RETRY_MS = 250

/**
 * Turns queued submissions into signed transactions: as many messages as fit, one slot each, stored before they
 * are sent. While a transaction is on its way to a node the next batch fills by itself.
 * @returns a loop step
 */
export function createPacker(engine: EngineContext): () => Promise<number> {
  const { store, chain, wallet, slots, settings, fees, clock, log } = engine
  let gasPerMessage: number | undefined
  let budget: number | undefined
  let sealedAt = 0

  /** How much longer the batch that is next may gather. */
  function gathering(batch: QueuedMessage[], queued: QueuedMessage[]): number {
    const full = batch.length < queued.length || batch.length === MAX_MESSAGES
    if (full) return 0
    return sealedAt + Math.min(slots.size * GATHER_MS_PER_SLOT, MAX_GATHER_MS) - clock.now()
  }

  /** The gas limit for a batch; a batch that failed before asks for more. */
  function gasLimit(gasUsed: number, attempts: number): number {
    const limit = multiplyUp(BigInt(gasUsed), settings.gasMultiplier)
    return Number(limit + (limit * BigInt(Math.min(attempts, 4))) / 2n)
  }

  /** The part of a batch that fits the gas budget, by what the whole of it would ask for. */
  function fitting(batch: QueuedMessage[], gas: number, most: number): QueuedMessage[] {
    if (gas <= most || batch.length === 1) return batch
    return batch.slice(0, Math.max(1, Math.floor((batch.length * most) / gas)))
  }

  async function seal(batch: QueuedMessage[], limit: number): Promise<void> {
    const signer = engine.signer()
    const sequence = signer.nextSequence
    const attempts = batch[0]?.attempts ?? 0
    const plan = {
      messages: batch.map(({ typeUrl, message }) => ({ typeUrl, value: message })),
      sequence,
      gasLimit: limit,
      feeAmount: fees.feeFor(limit),
      denom: settings.feeDenom
    }
    const { bytes, hash } = await signTransaction(wallet, signer, plan)
    const submissionIds = batch.map(({ submissionId }) => submissionId)
    const variant = {
      hash,
      sequence,
      bytes,
      gasLimit: limit,
      feeAmount: plan.feeAmount,
      submissionIds,
      attempts
    }
    await engine.change(async () => {
      await store.openSlot(variant)
      engine.moveSigner({ ...engine.signer(), nextSequence: sequence + 1 })
      engine.variantStored(variant)
    })
    sealedAt = clock.now()
    log.info({ sequence, hash, messages: batch.length, gasLimit: limit }, 'slot signed')
  }

  async function pack(): Promise<number> {
    if (slots.size >= MAX_OPEN_SLOTS || slots.nextToSend()) return UNTIL_WOKEN
    const queued = await store.queued(MAX_MESSAGES)
    if (queued.length === 0) return UNTIL_WOKEN
    budget ??= gasBudget(await chain.blockGasLimit())
    if (slots.gasLimit >= MAX_FULL_TRANSACTIONS * budget) return UNTIL_WOKEN
    let batch = nextBatch(queued, { gasBudget: budget, gasPerMessage })
    const wait = gathering(batch, queued)
    if (wait > 0) return wait
    for (;;) {
      const sequence = engine.signer().nextSequence
      const pricing = await priceBatch(batch, { chain, wallet, sequence, denom: settings.feeDenom })
      if (pricing.status === 'unavailable') {
        log.warn({ reason: pricing.reason, sequence }, 'a batch could not be priced; trying again')
        return RETRY_MS
      }
      if (pricing.status === 'refused') {
        const { submissionId } = pricing.message
        engine.settle([await store.reject(submissionId, pricing.error)])
        return 0
      }
      if (pricing.status === 'unclear') {
        batch = batch.slice(0, Math.ceil(batch.length / 2))
        continue
      }
      const limit = gasLimit(pricing.gasUsed, batch[0]?.attempts ?? 0)
      gasPerMessage = limit / batch.length
      const fit = fitting(batch, limit, budget)
      if (fit.length < batch.length) {
        batch = fit
        continue
      }
      await seal(batch, limit)
      return 0
    }
  }

  return async () => {
    try {
      return await pack()
    } catch (error) {
      // A foreign transaction moved the sequence on between signing and storing: nothing was stored, pack again.
      if (error instanceof StoreConflictError) return RETRY_MS
      throw error
    }
  }
}
