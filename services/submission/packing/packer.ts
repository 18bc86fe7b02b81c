import { UNTIL_WOKEN } from '../../async/loop.ts'
import { createGasEstimate, gasCap } from '../opinions/gas.ts'
import type { EngineContext } from '../runtime/context.ts'
import { multiplyUp } from '../signing/fees.ts'
import { SignerUnavailableError } from '../signing/signing.ts'
import { FeeLimitError, signVariant } from '../signing/variants.ts'
import { StoreConflictError, type StoreCorruptError } from '../store/errors.ts'
import type { QueuedMessage } from '../store/types.ts'
import type { ImpedimentKind, Refusal } from '../types.ts'
import { gasBudget, gasLeftInBlock, MAX_MESSAGES, nextBatch } from './batch.ts'
import { type Pricing, priceBatch } from './pricing.ts'

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

/** A message that fails alone this often, each time after its simulation passed, is refused. */
const MAX_LONE_FAILURES = 3

/** A message that needs more gas than a block has at this many times is refused. */
const MAX_TOO_EXPENSIVE = 3

/** The messages of the first batch: few, because it is not known yet how long a simulation takes. */
const FIRST_BATCH = 128

/** A batch grows no further when its simulation takes longer than this. */
const SLOW_SIMULATION_MS = 1000

/** The chain refuses all requests for now. */
const REQUEST_IMPEDIMENTS: readonly ImpedimentKind[] = ['wallet-not-whitelisted', 'requests-refused']

type Priced = Extract<Pricing, { status: 'priced' }>

/** The most gas that a block may hold, as nodes agree, and that the next transaction may ask for. */
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
  const { store, chain, slots, setAside, settings, fees, impediments, clock, log } = engine
  const gasEstimate = createGasEstimate(chain)
  /**
   * The most messages in the next batch. A refusal halves it, because each one costs another simulation of the whole
   * batch, and so does a simulation without an answer; a batch that passes quickly doubles it.
   */
  let batchSize = FIRST_BATCH
  let lastSignedAt = Number.NEGATIVE_INFINITY
  let probed = false
  /** What the store says of damaged queued submissions; the queue is read that much further. */
  const damages = new Set<string>()

  function onDamage(err: StoreCorruptError): void {
    if (damages.has(err.message)) return
    damages.add(err.message)
    log.error({ err }, 'a queued submission is damaged and is not executed; the others go on')
  }

  /** How many more milliseconds the next batch may gather. */
  function gatherMs(batch: QueuedMessage[], queued: QueuedMessage[]): number {
    const full = batch.length < queued.length || batch.length >= batchSize
    if (full) return 0
    return lastSignedAt + Math.min(slots.size * GATHER_MS_PER_SLOT, MAX_GATHER_MS) - clock.elapsed()
  }

  /** The gas limit for a batch; a batch that failed before asks for more (interface 17.6). */
  function gasLimit(gasUsed: number, attempts: number): number {
    const limit = multiplyUp(BigInt(gasUsed), settings.gasMultiplier)
    return Number(limit * 2n ** BigInt(Math.min(attempts, 2)))
  }

  /** The gas that one message asks for; undefined before the first batch. */
  function gasPerMessage(): number | undefined {
    const { perMessage } = gasEstimate
    return perMessage === undefined ? undefined : gasLimit(Math.ceil(perMessage), 0)
  }

  /** The most gas that the next transaction may ask for; 0 while the open slots ask for enough. */
  function nextGasLimit(blockGas: number): number {
    const budget = Math.min(gasBudget(blockGas), settings.maxTransactionGas)
    const { gasLimits } = slots
    const inOpenSlots = gasLimits.reduce((total, gas) => total + gas, 0)
    if (inOpenSlots >= MAX_FULL_TRANSACTIONS * budget) return 0
    const left = gasLeftInBlock(gasLimits, blockGas)
    return left >= (gasPerMessage() ?? budget) ? Math.min(left, budget) : budget
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
  async function signSlot(batch: QueuedMessage[], gasLimit: number): Promise<void> {
    const { hash, sequence, submissionIds } = await engine.withSlotLock(async () => {
      const signer = engine.signer()
      const variant = await signVariant(engine, {
        messages: batch.map(({ typeUrl, message }) => ({ typeUrl, value: message })),
        submissionIds: batch.map(({ submissionId }) => submissionId),
        sequence: signer.nextSequence,
        gasLimit,
        feeAmount: fees.feeFor(gasLimit)
      })
      await store.openSlot(variant)
      engine.setSigner({ ...signer, nextSequence: variant.sequence + 1 })
      engine.variantStored(variant)
      return variant
    })
    lastSignedAt = clock.elapsed()
    log.info({ sequence, hash, gasLimit, messages: batch.length, submissionIds }, 'slot signed')
  }

  async function reject({ submissionId }: QueuedMessage, error: Refusal): Promise<number> {
    engine.settle([await store.reject(submissionId, error)])
    return 0
  }

  /** Rejects a message that always fails alone, unless the chain refuses the wallet's own request as well. */
  async function rejectFailed(message: QueuedMessage, suspicion: Refusal): Promise<number> {
    const answer = await engine.probe.ask(engine.signer().nextSequence)
    if (answer.status === 'impeded') return impede(answer.kind, answer.reason)
    return answer.status === 'unavailable' ? RETRY_MS : reject(message, suspicion)
  }

  /**
   * Rejects a message that needs more gas than a block has, unless the node says the same of the wallet's own request. It
   * is asked again later first, because nodes may be wrong several times in a row.
   */
  async function rejectTooExpensive(message: QueuedMessage, gas: number, blockGas: number): Promise<number> {
    const answer = await engine.probe.ask(engine.signer().nextSequence)
    const isUnlikely =
      answer.status === 'unavailable' || (answer.status === 'passed' && answer.gasUsed > blockGas)
    if (isUnlikely) return RETRY_MS
    if (setAside.add(message.submissionId) < MAX_TOO_EXPENSIVE) return 0
    return reject(message, gasRefusal(gas, blockGas))
  }

  const isImpeded = () => REQUEST_IMPEDIMENTS.some(impediments.has)

  /** All requests are refused for now: nobody is at fault, and the next pack step asks again. */
  async function impede(kind: ImpedimentKind, reason: string): Promise<number> {
    // What failed in a block just now may have failed for the same cause.
    if (!isImpeded()) await store.excuseFailures()
    impediments.raise(kind, reason)
    return IMPEDED_MS
  }

  async function requestsPass(): Promise<void> {
    if (!isImpeded()) return
    await store.excuseFailures()
    impediments.clear(...REQUEST_IMPEDIMENTS)
  }

  /** No answer for this batch: smaller ones are tried, down to a message that is set aside for the others' sake. */
  async function withoutAnswer(
    batch: QueuedMessage[],
    limits: GasLimits,
    { late, reason }: { late: boolean; reason: string }
  ): Promise<number> {
    const { nextSequence: sequence } = engine.signer()
    log.debug({ reason, sequence, messages: batch.length, late }, 'a batch could not be priced')
    const [first, ...others] = batch
    const isTooLarge = late && others.length > 0
    if (!isTooLarge && (await engine.probe.ask(sequence)).status === 'unavailable') return RETRY_MS
    if (first && others.length === 0) {
      log.warn(
        { submissionId: first.submissionId, reason },
        'no node can price a submission; the others go on'
      )
      setAside.add(first.submissionId)
      return 0
    }
    batchSize = Math.ceil(batch.length / 2)
    return price(batch.slice(0, batchSize), limits)
  }

  /** Prices a batch, makes it smaller until it fits and passes, and signs it. */
  async function price(batch: QueuedMessage[], limits: GasLimits): Promise<number> {
    const startedAt = clock.elapsed()
    const pricing = await priceBatch(engine, batch)
    switch (pricing.status) {
      case 'refused':
        batchSize = Math.max(1, Math.floor(batch.length / 2))
        return reject(pricing.message, pricing.error)
      case 'unclear':
        return price(batch.slice(0, Math.ceil(batch.length / 2)), limits)
      case 'impeded':
        return impede(pricing.kind, pricing.reason)
      case 'unanswered':
        return withoutAnswer(batch, limits, pricing)
      case 'unavailable':
        log.debug({ reason: pricing.reason }, 'a batch could not be priced; retrying')
        return RETRY_MS
    }
    await requestsPass()
    const isFast = clock.elapsed() - startedAt < SLOW_SIMULATION_MS
    const [first, ...others] = batch
    const attempts = first?.attempts ?? 0
    const { gas: gasUsed, isCertain } = await believe(pricing, batch)
    const asked = Math.min(gasLimit(gasUsed, attempts), gasCap(settings, batch.length))
    // A lone message may ask for a whole block, but not for more.
    const limit = others.length > 0 ? asked : Math.min(asked, limits.block)
    // What one node alone says refuses nobody: a block decides about what it overstates.
    if (first && gasUsed > limit && isCertain) {
      if (others.length > 0) return price(batch.slice(0, Math.ceil(batch.length / 2)), limits)
      return rejectTooExpensive(first, gasUsed, limit)
    }
    const fit = fitToGas(batch, limit, limits.transaction)
    if (fit.length < batch.length) return price(fit, limits)
    if (isFast && batch.length >= batchSize) batchSize = Math.min(2 * batchSize, MAX_MESSAGES)
    try {
      await signSlot(batch, limit)
      return 0
    } catch (error) {
      if (!(error instanceof FeeLimitError)) throw error
      if (others.length > 0) {
        batchSize = Math.ceil(batch.length / 2)
        return price(batch.slice(0, batchSize), limits)
      }
      impediments.raise('daily-fee-limit', error.message)
      return IMPEDED_MS
    }
  }

  function believe(said: Priced, batch: QueuedMessage[]) {
    const failedBefore = batch.some(({ attempts }) => attempts > 0)
    const bytes = batch.reduce((total, { message }) => total + message.length, 0)
    return gasEstimate.believe(said, { messages: batch.length, bytes, failedBefore })
  }

  /**
   * Asks whether the wallet may submit, while nothing is queued or the chain is not known to pass the probe.
   * @returns the pause while it may not, or while no node says so; 0 when it may
   */
  async function probe(): Promise<number> {
    const answer = await engine.probe.ask(engine.signer().nextSequence)
    if (answer.status === 'impeded') return impede(answer.kind, answer.reason)
    if (answer.status === 'unavailable') return IMPEDED_MS
    await requestsPass()
    probed = answer.status === 'meaningless' || engine.probe.isKnownToPass
    return probed ? 0 : probe()
  }

  async function pack(): Promise<number> {
    if (slots.size >= MAX_OPEN_SLOTS || slots.nextToSend()) return UNTIL_WOKEN
    const present = await store.queued(MAX_MESSAGES + setAside.size + damages.size, onDamage)
    const queued = present.filter(({ submissionId }) => !setAside.has(submissionId)).slice(0, MAX_MESSAGES)
    const [first] = queued
    // While the chain refuses all requests, the probe is cheaper than a batch, which each new submission would try again.
    const isSure = !isImpeded() && (probed || (first !== undefined && engine.probe.isKnownToPass))
    const pause = isSure ? 0 : await probe()
    if (pause > 0) return pause
    if (!first) {
      // Nothing waits for the fees of the day, nor, without a slot that may have to be signed again, for the signer.
      impediments.clear('daily-fee-limit')
      if (slots.size === 0) impediments.clear('signer-unavailable')
      return setAside.nextDueMs() ?? UNTIL_WOKEN
    }
    if (first.loneFailures >= MAX_LONE_FAILURES && first.suspicion) {
      return rejectFailed(first, first.suspicion)
    }
    engine.signing.requireSigner()
    const { gas: block, likelyGas, batchBytes: maxBytes } = await engine.blockLimits.read()
    const transaction = nextGasLimit(likelyGas)
    if (transaction === 0) return UNTIL_WOKEN
    const batch = nextBatch(queued.slice(0, batchSize), {
      gasBudget: transaction,
      gasPerMessage: gasPerMessage(),
      maxBytes
    })
    const wait = gatherMs(batch, queued)
    return wait > 0 ? wait : price(batch, { block, transaction })
  }

  return async () => {
    try {
      return await pack()
    } catch (error) {
      // A foreign transaction used the sequence between signing and storing. Nothing was stored; the batch is packed again.
      if (error instanceof StoreConflictError) return RETRY_MS
      if (error instanceof SignerUnavailableError) return error.restMs
      throw error
    }
  }
}
