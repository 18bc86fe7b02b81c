import { UNTIL_WOKEN } from '../../async/loop.ts'
import { BLOCKED_MS } from '../lead/blockers.ts'
import type { EngineContext } from '../lead/context.ts'
import { createGasEstimate, gasCap } from '../opinions/gas.ts'
import { SDK_CODE } from '../sdk-errors.ts'
import { multiplyUp } from '../sign/fees.ts'
import { FeeLimitError, SignerUnavailableError } from '../sign/signing.ts'
import { StoreConflictError, type StoreCorruptError } from '../store/errors.ts'
import type { QueuedMessage } from '../store/types.ts'
import type { Refusal } from '../types.ts'
import type { ControlResult } from './blame.ts'

/** The most messages per transaction. */
const MAX_MESSAGES = 500

/** Overhead of a message's Any: tags, lengths and type URL. */
const MESSAGE_OVERHEAD_BYTES = 100

/** A transaction may request the block's gas divided by this, because blocks are shared. */
const BLOCK_SHARE = 4

/** The open slots request at most as much gas as this many full transactions: two blocks, unless the configuration allows less. */
const MAX_FULL_TRANSACTIONS = 8

/** The most open slots, however small their transactions: a node checks each one again after every block. */
const MAX_OPEN_SLOTS = 64

/**
 * The more slots are open, the longer the next batch gathers, because each transaction has a cost of its own for the
 * node, the wallet and this process. A lone submission is sent immediately; the cap bounds the wait.
 */
const GATHER_MS_PER_SLOT = 2
const MAX_GATHER_MS = 50

/** The pause after a batch that could not be priced. */
const RETRY_MS = 250

/** Size of the first batch. Small, because the duration of a simulation is still unknown. */
const FIRST_BATCH = 128

/** A batch grows no further when its simulation takes longer than this. */
const SLOW_SIMULATION_MS = 1000

/** The chain refuses all requests for now. */
const REQUEST_BLOCKERS = ['wallet-not-whitelisted', 'requests-refused'] as const

/** The most gas that a block may contain, as agreed by nodes, and that the next transaction may request. */
interface GasLimits {
  block: number
  transaction: number
}

const firstHalf = (batch: QueuedMessage[]) => batch.slice(0, Math.ceil(batch.length / 2))

/**
 * Packs queued submissions into signed transactions: as many messages as fit, one slot per transaction, stored before
 * sending. Nothing is packed while a transaction waits to be sent, and the next batch gathers meanwhile.
 * @returns a loop step
 */
export function createPacker(engine: EngineContext): () => Promise<number> {
  const { store, chain, slots, blame, settings, fees, blockers, clock, log } = engine
  const gasEstimate = createGasEstimate(chain)
  /**
   * The most messages in the next batch. Halved after a refusal, because each one costs another simulation of the whole
   * batch, after a simulation without a response, and if the fee would exceed the daily limit. Doubled after a full batch
   * that passes quickly.
   */
  let batchSize = FIRST_BATCH
  let lastSignedAt = Number.NEGATIVE_INFINITY
  /** The control has passed in this term. */
  let isChecked = false
  /** Error messages of damaged queued submissions. The queue is read that much further. */
  const damages = new Set<string>()

  function onDamage(err: StoreCorruptError): void {
    if (damages.has(err.message)) return
    damages.add(err.message)
    log.error({ err }, 'a queued submission is damaged and is skipped')
  }

  /** The gas limit for a batch. Earlier failures raise it (interface 17.6). */
  function gasLimit(gasUsed: number, failures: number): number {
    const limit = multiplyUp(BigInt(gasUsed), settings.gasMultiplier)
    return Number(limit * 2n ** BigInt(Math.min(failures, 2)))
  }

  /** Gas to request per message; undefined before the first batch. */
  function gasPerMessage(): number | undefined {
    const { perMessage } = gasEstimate
    return perMessage === undefined ? undefined : gasLimit(Math.ceil(perMessage), 0)
  }

  /** The most gas that the next transaction may request; 0 while the open slots request enough. */
  function nextGasLimit(blockGas: number): number {
    const budget = Math.min(Math.floor(blockGas / BLOCK_SHARE), settings.maxTransactionGas)
    let inOpenSlots = 0
    let left = blockGas
    for (const gas of slots.gasLimits) {
      inOpenSlots += gas
      // A block ends before the first transaction that does not fit.
      left = (gas <= left ? left : blockGas) - gas
    }
    if (inOpenSlots >= MAX_FULL_TRANSACTIONS * budget) return 0
    return left >= (gasPerMessage() ?? budget) ? Math.min(left, budget) : budget
  }

  /**
   * The longest run of queued messages, in order, that fits one transaction. Suspects share a transaction only with
   * others of the same limit: a smaller transaction needs less gas and narrows the culprit down.
   * @param maxBytes limit for all messages together; a lone message may exceed it
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

  /** How many more milliseconds the next batch may gather. */
  function gatherMs(batch: QueuedMessage[], queued: QueuedMessage[]): number {
    if (batch.length < queued.length || batch.length >= batchSize) return 0
    return lastSignedAt + Math.min(slots.size * GATHER_MS_PER_SLOT, MAX_GATHER_MS) - clock.elapsed()
  }

  /** Signs a batch for the next sequence and stores it. The broadcaster sends it. */
  async function signSlot(batch: QueuedMessage[], gasLimit: number): Promise<void> {
    const { hash, sequence, submissionIds } = await engine.withSlotLock(async () => {
      const state = engine.walletState()
      const signedTx = await engine.signing.sign({
        messages: batch.map(({ typeUrl, message }) => ({ typeUrl, value: message })),
        submissionIds: batch.map(({ submissionId }) => submissionId),
        sequence: state.nextSequence,
        gasLimit,
        feeAmount: fees.feeFor(gasLimit)
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
    engine.publishSettled([await store.reject(submissionId, error)])
    return 0
  }

  /**
   * @returns the pause if the chain refuses all requests, so that no message is at fault, or if no node responds; 0
   *   otherwise
   */
  function pauseAfter(result: ControlResult): number {
    if (result.status === 'unavailable') return RETRY_MS
    return result.status === 'blocked' ? blockers.raise(result.kind, result.reason) : 0
  }

  /**
   * Rejects a message with three strikes, unless the chain refuses the control as well.
   * @param excess set if nodes agree that the message needs more gas than a block has. Counts as a strike, unless the
   *   control needs more than that too
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
      const message = `needs ${gas} gas, and a transaction may ask for ${blockGas}: invalid gas limit`
      const refusal = { code: SDK_CODE.invalidGasLimit, codespace: 'sdk', message }
      blame.failed({ suspects: [submissionId], messages: 1, refusal, by: 'gas' })
    }
    const refusal = blame.convicted(submissionId)
    return refusal ? reject(submissionId, refusal) : 0
  }

  /**
   * Handles a batch without a response: tries smaller ones, down to a lone message, which rests so that the others can
   * go on.
   */
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
    log.warn({ submissionId, reason }, 'no node can price a submission; the others go on')
    blame.rest(submissionId)
    return 0
  }

  /** Prices a batch, makes it smaller until it fits and passes, and signs it. */
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
    blockers.clear(...REQUEST_BLOCKERS)
    const isFast = clock.elapsed() - startedAt < SLOW_SIMULATION_MS
    const [first, ...others] = batch
    const { gas: gasUsed, isCertain } = await gasEstimate.believe(verdict, {
      messages: batch.length,
      bytes: batch.reduce((total, { message }) => total + message.length, 0),
      failedBefore: batch.some(({ submissionId }) => blame.failures(submissionId) > 0)
    })
    const failures = first ? blame.failures(first.submissionId) : 0
    const asked = Math.min(gasLimit(gasUsed, failures), gasCap(settings, batch.length))
    // A lone message may request the gas of a whole block, but no more.
    const limit = others.length > 0 ? asked : Math.min(asked, limits.block)
    // The report of a single node rejects no message. If it overstates the gas, a block decides.
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

  /**
   * Checks whether the wallet may submit.
   * @returns the pause if it may not, or if no node responds; 0 if it may
   */
  async function checkControl(): Promise<number> {
    if (pauseAfter(await blame.control()) > 0) return BLOCKED_MS
    blockers.clear(...REQUEST_BLOCKERS)
    isChecked = true
    return 0
  }

  async function pack(): Promise<number> {
    if (slots.size >= MAX_OPEN_SLOTS || slots.nextToSend()) return UNTIL_WOKEN
    const present = await store.queued(MAX_MESSAGES + blame.resting + damages.size, onDamage)
    const queued = present.filter(({ submissionId }) => !blame.isResting(submissionId)).slice(0, MAX_MESSAGES)
    const [first] = queued
    // While the chain refuses all requests, the control is cheaper than a batch, which every new submission would try
    // again. Otherwise it is checked once in a term, unless a batch shows the same.
    const isBlocked = REQUEST_BLOCKERS.some(blockers.has)
    const isSure = !isBlocked && (isChecked || (first !== undefined && engine.walletState().canaryPassed))
    const pause = isSure ? 0 : await checkControl()
    if (pause > 0) return pause
    if (!first) {
      // Nothing waits for the daily fee limit or for the signer, unless an open slot may have to be signed again.
      if (slots.size === 0) blockers.clear('daily-fee-limit', 'signer-unavailable')
      return blame.nextDueMs() ?? UNTIL_WOKEN
    }
    if (blame.convicted(first.submissionId)) return convict(first)
    engine.signing.requireSigner()
    const { gas: block, likelyGas, batchBytes } = await engine.blockLimits.read()
    const transaction = nextGasLimit(likelyGas)
    if (transaction === 0) return UNTIL_WOKEN
    const batch = nextBatch(queued, transaction, batchBytes)
    const wait = gatherMs(batch, queued)
    return wait > 0 ? wait : price(batch, { block, transaction })
  }

  return async () => {
    try {
      return await pack()
    } catch (error) {
      // An adoption settled one of the submissions between reading and storing. Nothing was stored; the batch is packed again.
      if (error instanceof StoreConflictError) return RETRY_MS
      if (error instanceof SignerUnavailableError) return error.restMs
      throw error
    }
  }
}
