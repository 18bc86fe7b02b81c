import { UNTIL_WOKEN } from '../../async/loop.ts'
import type { QueuedMessage, Refusal } from '../contract.ts'
import { feeFor, gasCap, gasLimitFor } from '../decide/fees.ts'
import { SDK_CODE } from '../decide/sdk-errors.ts'
import { StoreConflictError, type StoreCorruptError } from '../errors.ts'
import { BLOCKED_MS, type ControlResult, type EngineContext } from './engine-context.ts'
import { createGasEstimate } from './gas.ts'
import { FeeLimitError, SignerUnavailableError } from './signing.ts'

const MAX_MESSAGES = 500

/** The tags, lengths and type URL of a message's Any. */
const MESSAGE_OVERHEAD_BYTES = 100

/** A transaction may request a quarter of a block's gas, because other accounts use the block too. */
const BLOCK_SHARE = 4

/** In total, the open slots may request the gas of two blocks, or less if so configured. */
const MAX_FULL_TRANSACTIONS = 8

/** A node rechecks every pending transaction after each block. */
const MAX_OPEN_SLOTS = 64

/**
 * How long a batch waits for more messages: longer with each open slot, because every transaction costs the node, the
 * wallet and this process work. Without open slots, a submission is sent immediately.
 */
const GATHER_MS_PER_SLOT = 2
const MAX_GATHER_MS = 50

const RETRY_MS = 250

/** Small, because it is not yet known how long simulations take. */
const FIRST_BATCH = 128

/** Batches stop growing when a simulation takes longer than this. */
const SLOW_SIMULATION_MS = 1000

const REQUEST_BLOCKERS = ['wallet-not-whitelisted', 'requests-refused'] as const

/** The maximum gas of a block, as agreed by nodes, and of the next transaction. */
interface GasLimits {
  block: number
  transaction: number
  /** Of any transaction, as far as the chain's refusals show. */
  ceiling: number
}

const firstHalf = (batch: QueuedMessage[]) => batch.slice(0, Math.ceil(batch.length / 2))

/**
 * Creates the loop step that packs queued submissions into signed transactions, with as many messages as fit. Each gets
 * a slot, and is stored before it is sent. Packs nothing while a transaction waits to be sent; the next batch grows in
 * the meantime.
 */
export function createPacker(engine: EngineContext): () => Promise<number> {
  const { store, chain, slots, blame, settings, blockers, clock, log } = engine
  const gasEstimate = createGasEstimate(chain)
  /**
   * The maximum number of messages in the next batch. Halved after a refusal, which costs another simulation; after a
   * simulation without a response; and if the fee would exceed the daily limit. Doubled after a full batch passes
   * quickly.
   */
  let batchSize = FIRST_BATCH
  let lastSignedAt = Number.NEGATIVE_INFINITY
  /** Whether the control has passed in this term. */
  let isChecked = false
  /** Error messages of damaged queued submissions. For each of them, one additional row is read. */
  const damages = new Set<string>()

  function onDamage(err: StoreCorruptError): void {
    if (damages.has(err.message)) return
    damages.add(err.message)
    log.error({ err }, 'skipped a damaged queued submission')
  }

  const gasLimit = (gasUsed: number, failures: number) =>
    gasLimitFor(gasUsed, settings.gasMultiplier, failures)

  function gasPerMessage(): number | undefined {
    const { perMessage } = gasEstimate
    return perMessage === undefined ? undefined : gasLimit(Math.ceil(perMessage), 0)
  }

  /** Returns 0 while the open slots already request enough gas. */
  function nextGasLimit(blockGas: number, ceiling: number): number {
    const share = Math.min(Math.floor(blockGas / BLOCK_SHARE), settings.maxTransactionGas)
    const budget = Math.min(share, ceiling)
    let inOpenSlots = 0
    let left = blockGas
    for (const gas of slots.gasLimits) {
      inOpenSlots += gas
      // A block is full as soon as the next transaction does not fit.
      left = (gas <= left ? left : blockGas) - gas
    }
    if (inOpenSlots >= MAX_FULL_TRANSACTIONS * share) return 0
    return left >= (gasPerMessage() ?? budget) ? Math.min(left, budget) : budget
  }

  /**
   * Returns the longest run of queued messages that fits into one transaction. Suspects share one only with suspects of
   * the same maximum number of messages, which narrows down the message at fault.
   * @param maxBytes for all messages together; a lone message may exceed it
   */
  function nextBatch(queued: readonly QueuedMessage[], maxGas: number, maxBytes: number): QueuedMessage[] {
    const [first, ...others] = queued.slice(0, batchSize)
    if (!first) return []
    const together = blame.together(first.submissionId)
    const byGas = Math.floor(maxGas / (gasPerMessage() ?? 1))
    const most = Math.min(byGas, together ?? MAX_MESSAGES)
    const batch = [first]
    let bytes = first.message.length + MESSAGE_OVERHEAD_BYTES
    for (const message of others) {
      bytes += message.message.length + MESSAGE_OVERHEAD_BYTES
      if (batch.length >= most || bytes > maxBytes || blame.together(message.submissionId) !== together) break
      batch.push(message)
    }
    return batch
  }

  function gatherMs(batch: QueuedMessage[], queued: QueuedMessage[]): number {
    if (batch.length < queued.length || batch.length >= batchSize) return 0
    return lastSignedAt + Math.min(slots.size * GATHER_MS_PER_SLOT, MAX_GATHER_MS) - clock.elapsed()
  }

  async function signSlot(batch: QueuedMessage[], gasLimit: number): Promise<void> {
    const { hash, sequence, submissionIds } = await engine.withSlotLock(async () => {
      const state = engine.walletState()
      const signedTx = await engine.signing.sign({
        messages: batch.map(({ typeUrl, message }) => ({ typeUrl, value: message })),
        submissionIds: batch.map(({ submissionId }) => submissionId),
        sequence: state.nextSequence,
        gasLimit,
        feeAmount: feeFor(gasLimit, engine.prices())
      })
      await store.openSlot(signedTx)
      engine.setWalletState({ ...state, nextSequence: signedTx.sequence + 1 })
      engine.signedTxStored(signedTx)
      return signedTx
    })
    lastSignedAt = clock.elapsed()
    log.info({ sequence, hash, gasLimit, messages: batch.length, submissionIds }, 'slot signed')
  }

  async function reject(submissionId: string, error: Refusal): Promise<number> {
    engine.publishSettled(await store.reject(submissionId, error))
    return 0
  }

  /**
   * Returns the pause after a check of the control: no message is at fault if the chain refuses all requests, or if no
   * node responds.
   */
  function pauseAfter(result: ControlResult): number {
    if (result.status === 'unavailable') return RETRY_MS
    return result.status === 'blocked' ? blockers.raise(result.kind, result.reason) : 0
  }

  /**
   * Rejects a message with three strikes, unless the chain refuses the control as well.
   * @param excess nodes agree that the message needs more gas than a block or the configuration allows. That is a strike, unless the control
   *   exceeds the limit too
   */
  async function convict({ submissionId }: QueuedMessage, excess?: { gas: number; blockGas: number }) {
    const control = await blame.control()
    const pause = pauseAfter(control)
    if (pause > 0) return pause
    if (control.status === 'unproven') {
      blame.rest(submissionId)
      return 0
    }
    if (excess) {
      const { gas, blockGas } = excess
      if (control.status === 'passed' && control.gasUsed > blockGas) return RETRY_MS
      const message = `needs ${gas} gas, but a transaction may request at most ${blockGas}: invalid gas limit`
      const refusal = { code: SDK_CODE.invalidGasLimit, codespace: 'sdk', message }
      blame.failed({ suspects: [submissionId], messages: 1, refusal, by: 'gas' })
    }
    const refusal = blame.convicted(submissionId)
    return refusal ? reject(submissionId, refusal) : 0
  }

  /** Tries smaller batches after a simulation without a response. If even a lone message gets none, it rests. */
  async function withoutAnswer(
    batch: QueuedMessage[],
    limits: GasLimits,
    { late, reason }: { late: boolean; reason: string }
  ): Promise<number> {
    const { nextSequence: sequence } = engine.walletState()
    log.debug({ reason, sequence, messages: batch.length, late }, 'could not price a batch')
    const [first, ...others] = batch
    const pause = late && others.length > 0 ? 0 : pauseAfter(await blame.control())
    if (pause > 0) return pause
    batchSize = Math.ceil(batch.length / 2)
    if (!first || others.length > 0) return price(firstHalf(batch), limits)
    const { submissionId } = first
    log.warn({ submissionId, reason }, 'no node can price a submission; continuing with the others')
    blame.rest(submissionId)
    return 0
  }

  /** Simulates a batch, shrinks it until it fits and passes, and signs it. */
  async function price(batch: QueuedMessage[], limits: GasLimits): Promise<number> {
    const startedAt = clock.elapsed()
    const verdict = await blame.examine(batch)
    switch (verdict.status) {
      case 'refused':
        batchSize = Math.max(1, Math.floor(batch.length / 2))
        return reject(verdict.message.submissionId, verdict.error)
      case 'unclear':
        return price(firstHalf(batch), limits)
      case 'blocked':
        return pauseAfter(verdict)
      case 'unavailable':
        return withoutAnswer(batch, limits, verdict)
    }
    const isFast = clock.elapsed() - startedAt < SLOW_SIMULATION_MS
    const [first, ...others] = batch
    const { gas: gasUsed, isCertain } = await gasEstimate.believe(verdict, {
      messages: batch.length,
      bytes: batch.reduce((total, { message }) => total + message.length, 0),
      failedBefore: batch.some(({ submissionId }) => blame.failures(submissionId) > 0)
    })
    const failures = first ? blame.failures(first.submissionId) : 0
    const asked = Math.min(gasLimit(gasUsed, failures), gasCap(batch.length, settings))
    // A lone message may request the gas of a whole block, but no more.
    // It is not rejected for the ceiling, which a single node may have invented.
    const ceiling = gasUsed <= limits.ceiling ? limits.ceiling : asked
    const limit = others.length > 0 ? asked : Math.min(asked, limits.block, ceiling)
    // A message is never rejected because of a single node's report. If that node overstates the gas, a block decides.
    if (first && gasUsed > limit && isCertain) {
      if (others.length > 0) return price(firstHalf(batch), limits)
      return convict(first, { gas: gasUsed, blockGas: limit })
    }
    if (limit > limits.transaction && others.length > 0) {
      const fitting = Math.max(1, Math.floor((batch.length * limits.transaction) / limit))
      return price(batch.slice(0, fitting), limits)
    }
    if (isFast && batch.length >= batchSize) batchSize = Math.min(2 * batchSize, MAX_MESSAGES)
    try {
      await signSlot(batch, limit)
      return 0
    } catch (error) {
      if (!(error instanceof FeeLimitError)) throw error
      if (others.length > 0) {
        batchSize = Math.ceil(batch.length / 2)
        return price(firstHalf(batch), limits)
      }
      return blockers.raise('daily-fee-limit', error.message)
    }
  }

  async function pack(): Promise<number> {
    if (slots.size >= MAX_OPEN_SLOTS || slots.nextToSend()) return UNTIL_WOKEN
    const present = await store.queued(MAX_MESSAGES + blame.resting + damages.size, onDamage)
    const queued = present.filter(({ submissionId }) => !blame.isResting(submissionId)).slice(0, MAX_MESSAGES)
    const [first] = queued
    // While the chain refuses all requests, checking the control is cheaper than simulating a batch for every new
    // submission. Otherwise it is checked once per term, or not at all if the canary has passed before and a batch is
    // waiting.
    const isBlocked = REQUEST_BLOCKERS.some(blockers.has)
    const isSure = !isBlocked && (isChecked || (first !== undefined && engine.walletState().canaryPassed))
    if (!isSure) {
      if (pauseAfter(await blame.control()) > 0) return BLOCKED_MS
      blockers.clear(...REQUEST_BLOCKERS)
      isChecked = true
    }
    if (!first) {
      // Only an open slot can still need the signer or the daily fee limit, if it is signed again.
      if (slots.size === 0) blockers.clear('daily-fee-limit', 'signer-unavailable')
      return blame.nextDueMs() ?? UNTIL_WOKEN
    }
    if (blame.convicted(first.submissionId)) return convict(first)
    engine.signing.requireSigner()
    const { gas: block, likelyGas, batchBytes, ceiling } = await engine.blockLimits.read()
    const transaction = nextGasLimit(likelyGas, ceiling)
    if (transaction === 0) return UNTIL_WOKEN
    const batch = nextBatch(queued, transaction, batchBytes)
    const wait = gatherMs(batch, queued)
    return wait > 0 ? wait : price(batch, { block, transaction, ceiling })
  }

  return async () => {
    try {
      return await pack()
    } catch (error) {
      // The store has changed since it was read, for example because an adoption settled a submission. Nothing was stored.
      if (error instanceof StoreConflictError) return RETRY_MS
      if (error instanceof SignerUnavailableError) return error.restMs
      throw error
    }
  }
}
