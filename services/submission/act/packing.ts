import { backoffMs } from '../../async/backoff.ts'
import { UNTIL_WOKEN } from '../../async/loop.ts'
import type { QueuedMessage, Refusal } from '../contract.ts'
import {
  dueOf,
  excessMove,
  type GasMove,
  gasMove,
  MAX_MESSAGES,
  MAX_OPEN_SLOTS,
  nextBatch,
  type TransactionLimits,
  unconfirmedMove
} from '../decide/batch.ts'
import { kindsEndedBy } from '../decide/blockers.ts'
import { feeFor, gasCap, gasLimitFor } from '../decide/fees.ts'
import type { Believed } from '../decide/gas.ts'
import { SDK_CODE } from '../decide/sdk-errors.ts'
import {
  type ControlResult,
  isShutOut,
  largerHalf,
  type RefusedControl,
  type SimulatedGas
} from '../decide/verdict.ts'
import { StoreConflictError } from '../errors.ts'
import { CONTROL_GAS } from '../transaction.ts'
import { BLOCKED_MS } from './blockers.ts'
import type { EngineContext } from './context.ts'
import { createGasEstimate } from './gas.ts'
import { FeeLimitError, pauseUnsigned } from './signing.ts'

const RETRY_MS = 250

/** The pause while no node responds to simulations, or each expects another sequence. */
const UNANSWERED = { firstMs: RETRY_MS, longestMs: BLOCKED_MS }

const REQUEST_BLOCKERS = kindsEndedBy('control')

type Batch = readonly QueuedMessage[]

/** `likelyGas`: like `block`, or the highest reported value before two nodes agree. */
type Limits = TransactionLimits & { likelyGas: number }

const idsOf = (batch: Batch) => batch.map(({ submissionId }) => submissionId)

/**
 * Creates the loop step that packs queued submissions into signed transactions. `decide/batch.ts` chooses them, and
 * `decide/verdict.ts` judges their simulation. Each transaction gets a slot, and is stored before it is sent. Packs
 * nothing while a transaction waits to be sent; the next batch grows in the meantime.
 * @param isHeld whether nothing new may be signed (interface 7.24), which can change during a simulation
 */
export function createPacker(engine: EngineContext, isHeld: () => boolean): () => Promise<number> {
  const { store, chain, slots, evidence, examiner, settings, blockers, clock, log } = engine
  const gasEstimate = createGasEstimate(chain)
  let lastSignedAt = Number.NEGATIVE_INFINITY
  /** One more after each transaction with as many messages, and half after a simulation without a response. */
  let maxMessages = MAX_MESSAGES
  /** The number of consecutive control checks without a response. */
  let unanswered = 0
  /** The packer waits until this time, or until a block after this height. */
  let backoff = { until: Number.NEGATIVE_INFINITY, height: 0 }
  /** Whether the control has passed in this term. */
  let isChecked = false

  async function signSlot(batch: Batch, gasLimit: number): Promise<number> {
    const signed = await engine.withSlotLock(async () => {
      if (isHeld()) return undefined
      const signedTx = await engine.signing.sign({
        messages: batch.map(({ typeUrl, message }) => ({ typeUrl, value: message })),
        submissionIds: idsOf(batch),
        sequence: engine.walletState().nextSequence,
        gasLimit,
        feeAmount: feeFor(gasLimit, engine.prices())
      })
      await store.openSlot(signedTx)
      engine.setWalletState({ ...engine.walletState(), nextSequence: signedTx.sequence + 1 })
      engine.signedTxStored(signedTx)
      return signedTx
    })
    if (!signed) return RETRY_MS
    const { hash, sequence, submissionIds } = signed
    lastSignedAt = clock.elapsed()
    if (batch.length >= maxMessages) maxMessages = Math.min(maxMessages + 1, MAX_MESSAGES)
    log.info({ sequence, hash, gasLimit, messages: batch.length, submissionIds }, 'slot signed')
    trustGasAgain()
    return 0
  }

  /** Clears the evidence against messages that were postponed for their gas while all gas figures were wrong. */
  function trustGasAgain(): void {
    if (blockers.has('gas-too-high')) evidence.forgetAll()
    blockers.clear('gas-too-high')
  }

  async function reject(submissionId: string, error: Refusal): Promise<number> {
    engine.publishSettled(await store.reject(submissionId, error))
    return 0
  }

  /**
   * Returns the pause after a check of the control: no message is at fault if the chain refuses all requests, or if no
   * node responds.
   */
  function pauseAfter(control: ControlResult): number {
    if (control.status === 'unavailable') {
      unanswered += 1
      const pause = backoffMs(unanswered, UNANSWERED)
      backoff = { until: clock.elapsed() + pause, height: engine.walletState().cursorHeight }
      return pause
    }
    unanswered = 0
    return control.status === 'refused' ? pauseRefused(control) : 0
  }

  /** @returns the pause; 0 if submissions are tried nevertheless */
  function pauseRefused(control: RefusedControl): number {
    const pause = blockers.raise(control.kind, control.reason)
    return isShutOut(control) ? pause : 0
  }

  /** Postpones a lone message, so that it does not hold up the others. */
  function postpone(submissionId: string, reason: string): number {
    log.warn({ submissionId, reason }, 'postponed a submission; continuing with the others')
    evidence.backOff(submissionId)
    return 0
  }

  /**
   * Handles a lone message that is refused only by one node, or along with the control: postpones it, or signs it so
   * that a block decides.
   */
  async function refused(
    [message]: Batch,
    { reason, control }: { reason: string; control?: RefusedControl },
    { likelyGas }: Limits
  ): Promise<number> {
    if (!message) return 0
    const { submissionId } = message
    const usualGas = gasEstimate.ofOne ?? CONTROL_GAS
    const move = unconfirmedMove(evidence.of(submissionId), usualGas)
    if (move.do === 'sign' && !control) return signSlot([message], Math.min(move.gasLimit, likelyGas))
    return postpone(submissionId, reason)
  }

  /** Rejects a message that failed alone three times, unless the chain refuses the control as well. */
  async function rejectAlone(submissionId: string): Promise<number> {
    const control = await examiner.control()
    const pause = pauseAfter(control)
    if (pause > 0) return pause
    if (control.status === 'refused') return postpone(submissionId, control.reason)
    // The check of the control may have shown another cause, and cleared the evidence.
    const { refusal } = evidence.of(submissionId)
    return refusal ? reject(submissionId, refusal) : 0
  }

  /** Handles a lone message that needs more gas than a transaction may request, according to nodes. */
  async function tooMuchGas(
    message: QueuedMessage,
    gas: Believed,
    { most, limit, exceedsLimit }: Extract<GasMove, { do: 'exceeds' }>
  ): Promise<number> {
    const { submissionId } = message
    const excess = `needs ${gas.gas} gas, but a transaction may request at most ${most}`
    const control = await examiner.control()
    const pause = pauseAfter(control)
    if (pause > 0) return pause
    const { backoffs } = evidence.of(submissionId)
    const controlGas = control.status === 'passed' ? control.gasUsed : undefined
    const move = excessMove({
      most,
      limit,
      isConfirmed: exceedsLimit && gas.isConfirmed,
      backoffs,
      controlGas
    })
    switch (move.do) {
      case 'sign':
        return signSlot([message], move.gasLimit)
      case 'fail': {
        const text = `${excess}: invalid gas limit`
        const refusal = { code: SDK_CODE.invalidGasLimit, codespace: 'sdk', message: text }
        evidence.failed({ suspects: [submissionId], messages: 1, refusal, by: 'nodes' })
        return 0
      }
      case 'raise':
        blockers.raise('gas-too-high', `the control message needs ${controlGas} gas, above ${most}`)
    }
    return postpone(submissionId, `it ${excess}`)
  }

  /** Tries smaller batches after a simulation without a response. A lone message is postponed. */
  async function withoutResponse(
    batch: Batch,
    { timedOut, reason }: { timedOut: boolean; reason: string }
  ): Promise<number> {
    const { nextSequence: sequence } = engine.walletState()
    log.debug({ reason, sequence, messages: batch.length, timedOut }, 'could not simulate a batch')
    const [first = '', ...others] = idsOf(batch)
    if (!timedOut || others.length === 0) {
      const pause = pauseAfter(await examiner.control())
      if (pause > 0) return pause
    }
    if (others.length === 0) return postpone(first, reason)
    maxMessages = largerHalf(batch.length)
    return 0
  }

  /** Signs a batch that has passed a simulation. If its gas or fee is above a limit, packs fewer of its messages. */
  async function sign(batch: Batch, simulated: SimulatedGas, limits: Limits): Promise<number> {
    const [first] = batch
    if (!first) return 0
    const messages = batch.length
    const { failures } = evidence.of(first.submissionId)
    const believed = await gasEstimate.trustedGas(simulated, {
      messages,
      bytes: batch.reduce((total, { message }) => total + message.length, 0),
      hasFailed: idsOf(batch)
        .map(evidence.of)
        .some(({ failures, ranOutOfGas }) => failures > 0 || ranOutOfGas)
    })
    const move = gasMove({ messages, gasUsed: believed.gas, failures }, limits)
    switch (move.do) {
      case 'shrink':
        return pack(batch.slice(0, move.messages), limits)
      case 'exceeds':
        return tooMuchGas(first, believed, move)
      case 'sign':
        if (believed.isRise) {
          const [{ node }, { gas }] = [simulated, believed]
          blockers.raise(
            'fees-risen',
            `${node} reports ${gas} gas for a transaction with ${messages} message(s)`
          )
        }
        try {
          return await signSlot(batch, move.gasLimit)
        } catch (error) {
          if (!(error instanceof FeeLimitError) || messages === 1) throw error
          return pack(batch.slice(0, largerHalf(messages)), limits)
        }
    }
  }

  async function pack(batch: Batch, limits: Limits): Promise<number> {
    const verdict = await examiner.examine(batch)
    if ('control' in verdict && verdict.control) pauseRefused(verdict.control)
    switch (verdict.do) {
      case 'reject':
        return reject(batch[verdict.index]?.submissionId ?? '', verdict.refusal)
      case 'postpone':
        return refused(batch.slice(verdict.index, verdict.index + 1), verdict, limits)
      case 'split':
        evidence.split(idsOf(batch))
        return 0
      case 'pause':
        return BLOCKED_MS
      case 'retry':
        return withoutResponse(batch, verdict)
      case 'sign':
        blockers.clear(...REQUEST_BLOCKERS)
        return sign(batch, verdict.simulated, limits)
    }
  }

  /**
   * Returns whether submissions may be tried. While the chain refuses all requests, checks the control, which is
   * cheaper than simulating a batch for every new submission. Otherwise checks it once per term, or not at all if the
   * control request has passed before and a batch is waiting.
   */
  async function isAccepted(isWaiting: boolean): Promise<boolean> {
    const isBlocked = REQUEST_BLOCKERS.some(blockers.has)
    if (!isBlocked && (isChecked || (isWaiting && engine.walletState().controlPassed))) return true
    const control = await examiner.control()
    const refused = control.status === 'refused' ? control.kind : undefined
    // Where gas is free, the wallet needs no funds, so it might be unable to make the control's transfer.
    const isProof = refused !== 'simulations-refused' || isWaiting || Number(settings.gasPrice) > 0
    if (isProof && (pauseAfter(control) > 0 || (refused && !isWaiting))) return false
    blockers.clear(...REQUEST_BLOCKERS.filter(kind => kind !== refused))
    isChecked = true
    return true
  }

  async function isGasNormal(most: number): Promise<boolean> {
    const control = await examiner.control()
    return control.status === 'passed' && control.gasUsed <= Math.min(gasCap(1), most)
  }

  async function step(): Promise<number> {
    if (slots.size >= MAX_OPEN_SLOTS || slots.nextToSend()) return UNTIL_WOKEN
    // New submissions do not end the pause. A new block does.
    const left = backoff.until - clock.elapsed()
    if (left > 0 && backoff.height === engine.walletState().cursorHeight) return left
    const postponed = evidence.postponed
    const queued = await store.queued(MAX_MESSAGES, postponed.ids)
    const [first] = dueOf(queued)
    if (!(await isAccepted(first !== undefined))) return BLOCKED_MS
    if (first) {
      if (evidence.of(first.submissionId).refusal) return rejectAlone(first.submissionId)
      engine.signing.requireSigner()
    } else if (slots.size === 0) {
      // Only an open slot can still need the signer or the daily fee limit, if it is signed again.
      blockers.clear('daily-fee-limit', 'signer-unavailable')
    }
    const { gas: block, likelyGas, bytes, ceiling, loneCeiling } = await engine.blockLimits.read()
    if (!first && blockers.has('gas-too-high')) {
      if (postponed.ids.length > 0 && !(await isGasNormal(Math.min(block, loneCeiling)))) return BLOCKED_MS
      trustGasAgain()
      return 0
    }
    const { perMessage } = gasEstimate
    const move = nextBatch(queued, {
      evidenceOf: evidence.of,
      open: slots.sizes,
      maxMessages,
      block: { gas: likelyGas, bytes },
      ceiling,
      gasPerMessage: perMessage && gasLimitFor(Math.ceil(perMessage)),
      lastSignedAt,
      nextDue: postponed.until,
      now: clock.elapsed()
    })
    if (move.do === 'wait') return move.ms
    return pack(move.batch, { budget: move.gas, block, likelyGas, loneCeiling })
  }

  return async () => {
    try {
      return await step()
    } catch (error) {
      // The store has changed since it was read, for example because an adoption settled a submission. Nothing was stored.
      if (error instanceof StoreConflictError) return RETRY_MS
      return pauseUnsigned(error, blockers)
    }
  }
}
