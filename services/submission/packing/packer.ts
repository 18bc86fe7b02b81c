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

/** How long the packer rests when the chain cannot tell what a batch costs, and when a human must act first. */
const RETRY_MS = 250
const IMPEDED_MS = 2000

/**
 * A message that was suspected this often is refused: halved at each attempt, the largest batch has come down to one
 * message by then, several times over.
 */
const ATTEMPTS_IN_ALL = 16

/** The most gas that a block holds, and that the next transaction may ask for. */
interface GasLimits {
  block: number
  transaction: number
}

/** The refusal of a message that no block can hold, in the SDK's terms: an invalid gas limit. */
function tooMuchGas(gas: number, most: number): Refusal {
  return {
    code: 41,
    codespace: 'sdk',
    message: `needs ${gas} gas, and a transaction may ask for ${most}: invalid gas limit`
  }
}

/**
 * Turns queued submissions into signed transactions: as many messages as fit, one slot each, stored before they
 * are sent. While a transaction is on its way to a node the next batch fills by itself.
 * @returns a loop step
 */
export function createPacker(engine: EngineContext): () => Promise<number> {
  const { store, chain, wallet, slots, settings, fees, impediments, clock, log } = engine
  const blockGasLimit = createBlockGasLimit(chain, clock)
  let gasPerMessage: number | undefined
  let sealedAt = 0
  let probed = false

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

  /** The most gas that the next transaction may ask for; 0 while enough is on its way. */
  function mostGas(blockGas: number): number {
    const budget = gasBudget(blockGas)
    const { gasLimits } = slots
    const onTheirWay = gasLimits.reduce((total, gas) => total + gas, 0)
    if (onTheirWay >= MAX_FULL_TRANSACTIONS * budget) return 0
    const left = gasLeftInBlock(gasLimits, blockGas)
    return left >= (gasPerMessage ?? budget) ? Math.min(left, budget) : budget
  }

  /** The part of a batch that fits the gas budget, by what the whole of it would ask for. */
  function fitting(batch: QueuedMessage[], gas: number, most: number): QueuedMessage[] {
    if (gas <= most || batch.length === 1) return batch
    return batch.slice(0, Math.max(1, Math.floor((batch.length * most) / gas)))
  }

  async function seal(batch: QueuedMessage[], limit: number): Promise<void> {
    const sequence = engine.signer().nextSequence
    const variant = await signVariant(engine, {
      messages: batch.map(({ typeUrl, message }) => ({ typeUrl, value: message })),
      submissionIds: batch.map(({ submissionId }) => submissionId),
      attempts: batch[0]?.attempts ?? 0,
      sequence,
      gasLimit: limit,
      feeAmount: fees.feeFor(limit)
    })
    await engine.change(async () => {
      await store.openSlot(variant)
      engine.moveSigner({ ...engine.signer(), nextSequence: sequence + 1 })
      engine.variantStored(variant)
    })
    sealedAt = clock.now()
    log.info({ sequence, hash: variant.hash, messages: batch.length, gasLimit: limit }, 'slot signed')
  }

  async function reject({ submissionId }: QueuedMessage, error: Refusal): Promise<number> {
    engine.settle([await store.reject(submissionId, error)])
    return 0
  }

  /** Prices a batch, makes it smaller until it fits and passes, and seals it. */
  async function price(batch: QueuedMessage[], limits: GasLimits): Promise<number> {
    const sequence = engine.signer().nextSequence
    const pricing = await priceBatch(batch, { chain, wallet, sequence, denom: settings.feeDenom })
    switch (pricing.status) {
      case 'refused':
        return reject(pricing.message, pricing.error)
      case 'unclear':
        return price(batch.slice(0, Math.ceil(batch.length / 2)), limits)
      case 'unauthorized':
        impediments.raise('wallet-not-whitelisted', pricing.reason)
        probed = false
        return IMPEDED_MS
      case 'unavailable':
        log.debug({ reason: pricing.reason, sequence }, 'a batch could not be priced; trying again')
        return RETRY_MS
    }
    impediments.clear('wallet-not-whitelisted')
    const [first, ...others] = batch
    const asked = gasLimit(pricing.gasUsed, first?.attempts ?? 0)
    // A lone message may ask for a whole block, and not for more.
    const limit = others.length > 0 ? asked : Math.min(asked, limits.block)
    if (first && pricing.gasUsed > limit) return reject(first, tooMuchGas(pricing.gasUsed, limits.block))
    gasPerMessage = limit / batch.length
    const fit = fitting(batch, limit, limits.transaction)
    if (fit.length < batch.length) return price(fit, limits)
    await seal(batch, limit)
    return 0
  }

  /** Learns whether the chain takes requests of this wallet, while there is none that would tell. */
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
    if (first.attempts >= ATTEMPTS_IN_ALL && first.suspicion) return reject(first, first.suspicion)
    const block = await blockGasLimit()
    const transaction = mostGas(block)
    if (transaction === 0) return UNTIL_WOKEN
    const batch = nextBatch(queued, { gasBudget: transaction, gasPerMessage })
    const wait = gathering(batch, queued)
    return wait > 0 ? wait : price(batch, { block, transaction })
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
