import type { EngineContext } from '../runtime/context.ts'
import { UNTIL_WOKEN } from '../runtime/loop.ts'
import { isWalletRefused } from '../sdk-errors.ts'
import { multiplyUp } from '../signing/fees.ts'
import { unsignedTransaction } from '../signing/transaction.ts'
import { signVariant } from '../signing/variants.ts'
import { type QueuedMessage, StoreConflictError } from '../store/types.ts'
import type { Refusal } from '../types.ts'
import { gasBudget, gasLeftInBlock, MAX_MESSAGES, nextBatch } from './batch.ts'
import { createBlockGasLimit } from './block-gas.ts'
import { priceBatch } from './pricing.ts'

/** Full transactions that may be in open slots at once: each is a quarter of a block, so two blocks. */
const MAX_FULL_TRANSACTIONS = 8

/** Open slots at once, however small their transactions: a node checks each again after every block. */
const MAX_OPEN_SLOTS = 64

/**
 * The more slots are open, the longer the next batch gathers, because each transaction has a cost of its own for the
 * node, the wallet and this process. A lone submission is sent at once; the cap bounds the wait.
 */
const GATHER_MS_PER_SLOT = 2
const MAX_GATHER_MS = 50

/** The pause after a batch that could not be priced, and while an operator must act first. */
const RETRY_MS = 250
const IMPEDED_MS = 2000

/**
 * A message that was suspected this often is refused. The batch is halved at each attempt, so by then the message has
 * been alone several times.
 */
const MAX_ATTEMPTS = 16

/** The most gas that a block may hold, and that the next transaction may ask for. */
interface GasLimits {
  block: number
  transaction: number
}

/** The refusal of a message that needs more gas than a block may hold, with the SDK's code for it. */
function gasRefusal(gas: number, blockGas: number): Refusal {
  return {
    code: 41,
    codespace: 'sdk',
    message: `needs ${gas} gas, and a transaction may ask for ${blockGas}: invalid gas limit`
  }
}

/**
 * Turns queued submissions into signed transactions: as many messages as fit, one slot each, stored before they are
 * sent. The next batch gathers while a transaction is being sent.
 * @returns a loop step
 */
export function createPacker(engine: EngineContext): () => Promise<number> {
  const { store, chain, wallet, slots, settings, fees, impediments, clock, log } = engine
  const blockGasLimit = createBlockGasLimit(chain, clock)
  let gasPerMessage: number | undefined
  /**
   * The most messages in the next batch. A refusal halves it, because each one costs another simulation of the whole
   * batch; a batch that passes doubles it.
   */
  let batchSize = MAX_MESSAGES
  let lastSignedAt = Number.NEGATIVE_INFINITY
  let probed = false

  /** How many more milliseconds the next batch may gather. */
  function gatherMs(batch: QueuedMessage[], queued: QueuedMessage[]): number {
    const full = batch.length < queued.length || batch.length === MAX_MESSAGES
    if (full) return 0
    return lastSignedAt + Math.min(slots.size * GATHER_MS_PER_SLOT, MAX_GATHER_MS) - clock.elapsed()
  }

  /** The gas limit for a batch; a batch that failed before asks for more (interface 17.6). */
  function gasLimit(gasUsed: number, attempts: number): number {
    const limit = multiplyUp(BigInt(gasUsed), settings.gasMultiplier)
    return Number(limit + (limit * BigInt(Math.min(attempts, 4))) / 2n)
  }

  /** The most gas that the next transaction may ask for; 0 while the open slots ask for enough. */
  function nextGasLimit(blockGas: number): number {
    const budget = gasBudget(blockGas)
    const { gasLimits } = slots
    const inOpenSlots = gasLimits.reduce((total, gas) => total + gas, 0)
    if (inOpenSlots >= MAX_FULL_TRANSACTIONS * budget) return 0
    const left = gasLeftInBlock(gasLimits, blockGas)
    return left >= (gasPerMessage ?? budget) ? Math.min(left, budget) : budget
  }

  /**
   * The part of a batch that fits the gas limit of a transaction.
   * @param gas the gas that the whole batch would ask for
   */
  function fitToGas(batch: QueuedMessage[], gas: number, limit: number): QueuedMessage[] {
    if (gas <= limit || batch.length === 1) return batch
    return batch.slice(0, Math.max(1, Math.floor((batch.length * limit) / gas)))
  }

  /** Signs a batch for the next sequence and stores it. The broadcaster sends it. */
  async function signSlot(batch: QueuedMessage[], limit: number): Promise<void> {
    const sequence = engine.signer().nextSequence
    const variant = await signVariant(engine, {
      messages: batch.map(({ typeUrl, message }) => ({ typeUrl, value: message })),
      submissionIds: batch.map(({ submissionId }) => submissionId),
      attempts: batch[0]?.attempts ?? 0,
      sequence,
      gasLimit: limit,
      feeAmount: fees.feeFor(limit)
    })
    await engine.withSlotLock(async () => {
      await store.openSlot(variant)
      engine.setSigner({ ...engine.signer(), nextSequence: sequence + 1 })
      engine.variantStored(variant)
    })
    lastSignedAt = clock.elapsed()
    log.info({ sequence, hash: variant.hash, messages: batch.length, gasLimit: limit }, 'slot signed')
  }

  async function reject({ submissionId }: QueuedMessage, error: Refusal): Promise<number> {
    engine.settle([await store.reject(submissionId, error)])
    return 0
  }

  /** Prices a batch, makes it smaller until it fits and passes, and signs it. */
  async function price(batch: QueuedMessage[], limits: GasLimits): Promise<number> {
    const sequence = engine.signer().nextSequence
    const pricing = await priceBatch(batch, {
      chain,
      wallet,
      probe: engine.probe,
      sequence,
      denom: settings.feeDenom
    })
    switch (pricing.status) {
      case 'refused':
        batchSize = Math.max(1, Math.floor(batch.length / 2))
        return reject(pricing.message, pricing.error)
      case 'unclear':
        return price(batch.slice(0, Math.ceil(batch.length / 2)), limits)
      case 'unauthorized':
        impediments.raise('wallet-not-whitelisted', pricing.reason)
        probed = false
        return IMPEDED_MS
      case 'unavailable':
        log.debug({ reason: pricing.reason, sequence }, 'a batch could not be priced; retrying')
        return RETRY_MS
    }
    impediments.clear('wallet-not-whitelisted')
    const [first, ...others] = batch
    const asked = gasLimit(pricing.gasUsed, first?.attempts ?? 0)
    // A lone message may ask for a whole block, but not for more.
    const limit = others.length > 0 ? asked : Math.min(asked, limits.block)
    if (first && pricing.gasUsed > limit) return reject(first, gasRefusal(pricing.gasUsed, limits.block))
    gasPerMessage = limit / batch.length
    const fit = fitToGas(batch, limit, limits.transaction)
    if (fit.length < batch.length) return price(fit, limits)
    batchSize = Math.min(2 * batchSize, MAX_MESSAGES)
    await signSlot(batch, limit)
    return 0
  }

  /** Simulates a request of the wallet while none is queued, to learn whether the wallet may submit. */
  async function probe(): Promise<number> {
    const { nextSequence } = engine.signer()
    const answer = await chain.simulate(unsignedTransaction(wallet, [engine.probe], nextSequence))
    if (answer.status === 'failed' && isWalletRefused(answer.log, wallet.address)) {
      impediments.raise('wallet-not-whitelisted', answer.log)
      return IMPEDED_MS
    }
    if (answer.status === 'unavailable') return IMPEDED_MS
    impediments.clear('wallet-not-whitelisted')
    probed = true
    return UNTIL_WOKEN
  }

  async function pack(): Promise<number> {
    if (slots.size >= MAX_OPEN_SLOTS || slots.nextToSend()) return UNTIL_WOKEN
    const queued = await store.queued(MAX_MESSAGES)
    const [first] = queued
    if (!first) return probed ? UNTIL_WOKEN : probe()
    if (first.attempts >= MAX_ATTEMPTS && first.suspicion) return reject(first, first.suspicion)
    const block = await blockGasLimit()
    const transaction = nextGasLimit(block)
    if (transaction === 0) return UNTIL_WOKEN
    const batch = nextBatch(queued.slice(0, batchSize), { gasBudget: transaction, gasPerMessage })
    const wait = gatherMs(batch, queued)
    return wait > 0 ? wait : price(batch, { block, transaction })
  }

  return async () => {
    try {
      return await pack()
    } catch (error) {
      // A foreign transaction used the sequence between signing and storing. Nothing was stored; the batch is packed again.
      if (error instanceof StoreConflictError) return RETRY_MS
      throw error
    }
  }
}
