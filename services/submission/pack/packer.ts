import { UNTIL_WOKEN } from '../../async/loop.ts'
import type { EngineContext } from '../lead/context.ts'
import { createGasEstimate, gasCap } from '../opinions/gas.ts'
import { multiplyUp } from '../sign/fees.ts'
import { SignerUnavailableError } from '../sign/signing.ts'
import { FeeLimitError, signVariant } from '../sign/variants.ts'
import { StoreConflictError, type StoreCorruptError } from '../store/errors.ts'
import type { QueuedMessage } from '../store/types.ts'
import type { BlockerKind, Refusal } from '../types.ts'
import { gasBudget, gasLeftInBlock, MAX_MESSAGES, nextBatch } from './batch.ts'
import type { Verdict } from './blame.ts'

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
const BLOCKED_MS = 2000

/** The messages of the first batch: few, because it is not known yet how long a simulation takes. */
const FIRST_BATCH = 128

/** A batch grows no further when its simulation takes longer than this. */
const SLOW_SIMULATION_MS = 1000

/** The chain refuses all requests for now. */
const REQUEST_BLOCKERS: readonly BlockerKind[] = ['wallet-not-whitelisted', 'requests-refused']

type Passed = Extract<Verdict, { status: 'passed' }>

/** The most gas that a block may hold, as nodes agree, and that the next transaction may ask for. */
interface GasLimits {
  block: number
  transaction: number
}

/** The refusal of a message that needs more gas than a block may hold, with the SDK's code for it. */
function gasRefusal({ gas, blockGas }: { gas: number; blockGas: number }): Refusal {
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
  const { store, chain, slots, blame, settings, fees, blockers, clock, log } = engine
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

  /** The gas limit for a batch; what failed before asks for more (interface 17.6). */
  function gasLimit(gasUsed: number, failures: number): number {
    const limit = multiplyUp(BigInt(gasUsed), settings.gasMultiplier)
    return Number(limit * 2n ** BigInt(Math.min(failures, 2)))
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

  async function reject(submissionId: string, error: Refusal): Promise<number> {
    engine.settle([await store.reject(submissionId, error)])
    return 0
  }

  /**
   * Rejects a message with three strikes, unless the chain refuses the probe as well.
   * @param excess the gas that it needs, as nodes agree, above that of a block: a strike where the probe needs less
   */
  async function convict({ submissionId }: QueuedMessage, excess?: { gas: number; blockGas: number }) {
    const probe = await blame.probe()
    if (probe.status === 'blocked') return raiseBlocker(probe)
    if (probe.status === 'unavailable') return RETRY_MS
    if (excess) {
      if (probe.status === 'passed' && probe.gasUsed > excess.blockGas) return RETRY_MS
      blame.failed({ suspects: [submissionId], messages: 1, refusal: gasRefusal(excess), by: 'gas' })
    }
    const refusal = blame.convicted(submissionId)
    return refusal ? reject(submissionId, refusal) : 0
  }

  const isBlocked = () => REQUEST_BLOCKERS.some(blockers.has)

  /** All requests are refused for now: nobody is at fault, and the next pack step asks again. */
  function raiseBlocker({ kind, reason }: { kind: BlockerKind; reason: string }): number {
    blockers.raise(kind, reason)
    return BLOCKED_MS
  }

  /** No answer for this batch: smaller ones are tried, down to a message that rests for the others' sake. */
  async function withoutAnswer(
    batch: QueuedMessage[],
    limits: GasLimits,
    { late, reason }: { late: boolean; reason: string }
  ): Promise<number> {
    const { nextSequence: sequence } = engine.signer()
    log.debug({ reason, sequence, messages: batch.length, late }, 'a batch could not be priced')
    const [first, ...others] = batch
    if (!late || others.length === 0) {
      const probe = await blame.probe()
      if (probe.status === 'blocked') return raiseBlocker(probe)
      if (probe.status === 'unavailable') return RETRY_MS
    }
    batchSize = Math.ceil(batch.length / 2)
    if (!first || others.length > 0) return priceHalf(batch, limits)
    const { submissionId } = first
    log.warn({ submissionId, reason }, 'no node can price a submission; the others go on')
    blame.rest(submissionId)
    return 0
  }

  const priceHalf = (batch: QueuedMessage[], limits: GasLimits) =>
    price(batch.slice(0, Math.ceil(batch.length / 2)), limits)

  /** Prices a batch, makes it smaller until it fits and passes, and signs it. */
  async function price(batch: QueuedMessage[], limits: GasLimits): Promise<number> {
    const startedAt = clock.elapsed()
    const verdict = await blame.examine(batch)
    switch (verdict.status) {
      case 'refused':
        batchSize = Math.max(1, Math.floor(batch.length / 2))
        return reject(verdict.message.submissionId, verdict.error)
      case 'unclear':
        return priceHalf(batch, limits)
      case 'blocked':
        return raiseBlocker(verdict)
      case 'unavailable':
        return withoutAnswer(batch, limits, verdict)
    }
    blockers.clear(...REQUEST_BLOCKERS)
    const isFast = clock.elapsed() - startedAt < SLOW_SIMULATION_MS
    const [first, ...others] = batch
    const failures = first ? blame.failures(first.submissionId) : 0
    const { gas: gasUsed, isCertain } = await believe(verdict, batch)
    const asked = Math.min(gasLimit(gasUsed, failures), gasCap(settings, batch.length))
    // A lone message may ask for a whole block, but not for more.
    const limit = others.length > 0 ? asked : Math.min(asked, limits.block)
    // What one node alone says refuses nobody: a block decides about what it overstates.
    if (first && gasUsed > limit && isCertain) {
      if (others.length > 0) return priceHalf(batch, limits)
      return convict(first, { gas: gasUsed, blockGas: limit })
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
        return priceHalf(batch, limits)
      }
      blockers.raise('daily-fee-limit', error.message)
      return BLOCKED_MS
    }
  }

  function believe(said: Passed, batch: QueuedMessage[]) {
    const failedBefore = batch.some(({ submissionId }) => blame.failures(submissionId) > 0)
    const bytes = batch.reduce((total, { message }) => total + message.length, 0)
    return gasEstimate.believe(said, { messages: batch.length, bytes, failedBefore })
  }

  /**
   * Asks whether the wallet may submit, while nothing is queued or the chain is not known to pass the probe.
   * @returns the pause while it may not, or while no node says so; 0 when it may
   */
  async function probe(): Promise<number> {
    const answer = await blame.probe()
    if (answer.status === 'blocked') return raiseBlocker(answer)
    if (answer.status === 'unavailable') return BLOCKED_MS
    blockers.clear(...REQUEST_BLOCKERS)
    probed = true
    return 0
  }

  async function pack(): Promise<number> {
    if (slots.size >= MAX_OPEN_SLOTS || slots.nextToSend()) return UNTIL_WOKEN
    const present = await store.queued(MAX_MESSAGES + blame.resting + damages.size, onDamage)
    const queued = present.filter(({ submissionId }) => !blame.isResting(submissionId)).slice(0, MAX_MESSAGES)
    const [first] = queued
    // While the chain refuses all requests, the probe is cheaper than a batch, which each new submission would try again.
    const isSure = !isBlocked() && (probed || (first !== undefined && engine.signer().probePassed))
    const pause = isSure ? 0 : await probe()
    if (pause > 0) return pause
    if (!first) {
      // Nothing waits for the fees of the day, nor, without a slot that may have to be signed again, for the signer.
      blockers.clear('daily-fee-limit')
      if (slots.size === 0) blockers.clear('signer-unavailable')
      return blame.nextDueMs() ?? UNTIL_WOKEN
    }
    if (blame.convicted(first.submissionId)) return convict(first)
    engine.signing.requireSigner()
    const { gas: block, likelyGas, batchBytes: maxBytes } = await engine.blockLimits.read()
    const transaction = nextGasLimit(likelyGas)
    if (transaction === 0) return UNTIL_WOKEN
    const batch = nextBatch(queued.slice(0, batchSize), {
      gasBudget: transaction,
      gasPerMessage: gasPerMessage(),
      maxBytes,
      together: ({ submissionId }) => blame.together(submissionId)
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
