import { UNTIL_WOKEN } from '../../async/loop.ts'
import { type BroadcastResult, NodeUnavailableError, newestHeight } from '../../chain-client/index.ts'
import { shorten } from '../../errors/shown.ts'
import type { SignedTx } from '../contract.ts'
import { requiredFee } from '../decide/fees.ts'
import { expectedSequence, refusalOf, SDK_CODE } from '../decide/sdk-errors.ts'
import { firstTx, hasLeft, newestTx, type OpenSlot } from '../slots.ts'
import { controlMessage, unsignedTransaction } from '../transaction.ts'
import type { EngineContext } from './engine-context.ts'
import { FeeLimitError, SignerUnavailableError } from './signing.ts'
import { createSlotRepair } from './slot-repair.ts'

const RETRY_MS = 250

/** A transaction is resent after this many blocks without it. */
const RESEND_AFTER_BLOCKS = 2

/** After this many sends, a slot is signed again if its bytes are in a node's cache but in no block. */
const MAX_TIMES_SENT = 3

/** A node may be wrong once: this many refusals of its content shrink a transaction. */
const MIN_REFUSALS = 2

/** From this number of consecutive failures on, a smaller transaction is sent after each failure, for comparison. */
const FAILURES_TO_COMPARE = 2

/** A transaction counts as too large after this many consecutive failures while smaller transactions get a response. */
const MOST_FAILURES = 3

/** Like MOST_FAILURES, for a lone message. Higher, because the message might then be rejected for its size. */
const MOST_LONE_FAILURES = 5

const OF_SLOTS = ['insufficient-funds', 'fee-too-high', 'signature-refused', 'transactions-refused'] as const
const BLOCKERS = [...OF_SLOTS, 'requests-refused'] as const

type Refused = Extract<BroadcastResult, { status: 'refused' }>

/** Returns whether a node has checked the transaction. A node with a full mempool has not. */
function hasAnswer(answer: BroadcastResult): boolean {
  if (answer.status !== 'refused') return answer.status !== 'unavailable'
  return answer.codespace !== 'sdk' || answer.code !== SDK_CODE.mempoolFull
}

function higherFee(answer: BroadcastResult, { feeAmount }: SignedTx, denom: string): bigint | undefined {
  const fee = answer.status === 'refused' ? requiredFee(answer.log, denom) : undefined
  return fee !== undefined && fee > feeAmount ? fee : undefined
}

/** Sends signed transactions to a node. The node's responses are only hints: only blocks resolve slots. */
export function createBroadcaster(engine: EngineContext, onSent: () => void) {
  const { chain, blocks, slots, settings, blockers, log } = engine
  const repair = createSlotRepair(engine)
  let isSending = false

  function markSent(slot: OpenSlot): number {
    slot.sentAt = Math.max(engine.walletState().cursorHeight, blocks.newest)
    slot.timesSent += 1
    onSent()
    return 0
  }

  function replay(): number {
    slots.replay()
    return RETRY_MS
  }

  function outOfOrder(slot: OpenSlot, reason: string): number {
    const { sequence } = slot
    const expected = expectedSequence(reason) ?? sequence
    // A block or a foreign transaction in the mempool has used the sequence. The next blocks decide.
    if (expected > sequence) return markSent(slot)
    log.warn({ sequence, expected }, 'the node lacks earlier transactions; resending all')
    return replay()
  }

  async function alreadyInMempool(slot: OpenSlot): Promise<number> {
    // Each renewal requires twice as many sends as the one before, so that a node that always reports the bytes as
    // known cannot cause endless signing.
    if (slot.timesSent < MAX_TIMES_SENT * 2 ** slot.timesRenewed) return markSent(slot)
    slot.timesRenewed += 1
    await repair.renew(slot)
    return 0
  }

  /**
   * Most causes are temporary. If the transaction itself is the cause, it keeps failing, with whatever error, while
   * smaller transactions get a response.
   */
  async function unanswered(slot: OpenSlot, reason: string, isAnswered = false): Promise<number> {
    const { sequence } = slot
    const messages = newestTx(slot).submissionIds.length
    log.warn({ sequence, reason: shorten(reason), messages }, 'no usable response to a broadcast; resending')
    slot.failures += 1
    if (messages === 0 || slot.failures < FAILURES_TO_COMPARE) return replay()
    if (slot.failures >= (messages === 1 ? MOST_LONE_FAILURES : MOST_FAILURES)) {
      // A missing response does not show that the size is the cause.
      const refusal = { code: SDK_CODE.tooLarge, codespace: 'sdk', message: `${reason}: tx too large` }
      await repair.shrink(slot, refusal, isAnswered ? 'size' : 'node')
      return 0
    }
    // If the node checks this smaller transaction, that is within every size limit. Without a signature and gas, it is
    // never executed.
    const message = controlMessage(engine.wallet.address, settings.feeDenom)
    const smaller = await chain.broadcast(unsignedTransaction(engine.wallet, [message], sequence))
    replay()
    if (hasAnswer(smaller)) return 0
    slot.failures = 0
    return RETRY_MS
  }

  /** Handles a refusal of a transaction's content, unless the chain currently refuses all requests. */
  async function refusedContent(slot: OpenSlot, answer: Refused): Promise<number> {
    const { sequence } = slot
    const { code, codespace } = answer
    slot.refusals += 1
    if (slot.refusals < MIN_REFUSALS) return RETRY_MS
    if (newestTx(slot).submissionIds.length === 0) {
      // Even a transfer from the wallet to itself is refused, so no message is at fault.
      engine.blame.absolve(firstTx(slot).submissionIds)
      return blockers.raise('transactions-refused', answer.log)
    }
    const control = await engine.blame.control()
    if (control.status === 'blocked') return blockers.raise(control.kind, control.reason)
    const refusal = refusalOf(answer)
    log.warn({ sequence, code, codespace, reason: refusal.message }, 'the node refused a transaction')
    await repair.shrink(slot, refusal, 'node')
    return 0
  }

  /**
   * Sends the same bytes to another node. If that node accepts them, the fee is raised only if the next few blocks do
   * not contain them. If both nodes require more, pays the lower of the two fees.
   */
  async function feeRefused(slot: OpenSlot, refusal: Refused): Promise<number> {
    const signedTx = newestTx(slot)
    const feeIn = (answer: BroadcastResult) => higherFee(answer, signedTx, settings.feeDenom)
    const { agreed, opinions } = await chain.agreement<BroadcastResult>({
      question: 'broadcast',
      agree: (one, other) => feeIn(one) !== undefined && feeIn(other) !== undefined,
      async ask(node) {
        const answer = await node.broadcast(signedTx.bytes)
        if (answer.status === 'unavailable') throw new NodeUnavailableError(node.host, answer.reason)
        return answer
      }
    })
    // A block may have resolved the slot in the meantime.
    if (slots.get(slot.sequence) !== slot) return 0
    const answers = agreed ?? opinions.map(({ answer }) => answer)
    if (answers.some(({ status }) => status === 'accepted' || status === 'known')) {
      const { cursorHeight } = engine.walletState()
      // No block up to the nodes' newest height can contain the transaction, even if the cursor is behind.
      slot.acceptedElsewhereAt ??= newestHeight(chain.health()) ?? cursorHeight
      if (cursorHeight - slot.acceptedElsewhereAt < RESEND_AFTER_BLOCKS) return markSent(slot)
    }
    const fees = [refusal, ...answers].flatMap(answer => feeIn(answer) ?? [])
    const lowest = fees.reduce((least, fee) => (fee < least ? fee : least))
    return (await repair.reprice(slot, lowest)) ? 0 : blockers.raise('fee-too-high', refusal.log)
  }

  async function refused(slot: OpenSlot, answer: Refused): Promise<number> {
    const { code, codespace, log: reason } = answer
    switch (codespace === 'sdk' ? code : undefined) {
      case SDK_CODE.wrongSequence:
        return outOfOrder(slot, reason)
      case SDK_CODE.inMempoolCache:
        return alreadyInMempool(slot)
      case SDK_CODE.mempoolFull:
        return unanswered(slot, reason)
      case SDK_CODE.insufficientFunds:
      case SDK_CODE.unknownAddress:
        return blockers.raise('insufficient-funds', reason)
      case SDK_CODE.unauthorized:
        return blockers.raise('signature-refused', reason)
      case SDK_CODE.insufficientFee:
        if (higherFee(answer, newestTx(slot), settings.feeDenom) === undefined) break
        return feeRefused(slot, answer)
      case SDK_CODE.invalidGasLimit:
        if (!(await engine.blockLimits.isBelow(newestTx(slot).gasLimit))) break
        if (!(await repair.withdraw(slot))) break
        return 0
      case SDK_CODE.outOfGas:
        if (await repair.addGas(slot)) return 0
    }
    return refusedContent(slot, answer)
  }

  async function send(slot: OpenSlot): Promise<number> {
    if (newestTx(slot).submissionIds.some(hasLeft)) {
      await repair.leaveOut(slot)
      return 0
    }
    const everywhere = slot.isTried
    slot.isTried = true
    isSending = true
    const answer = await chain.broadcast(newestTx(slot).bytes, { everywhere }).finally(() => {
      isSending = false
    })
    // A block may have resolved the slot during the broadcast.
    if (slots.get(slot.sequence) !== slot) return 0
    if (hasAnswer(answer)) slot.failures = 0
    switch (answer.status) {
      case 'accepted':
        blockers.clear(...BLOCKERS)
        if (slot.timesSent === 0)
          log.info({ sequence: slot.sequence, hash: newestTx(slot).hash }, 'slot sent')
        return markSent(slot)
      case 'known':
        return alreadyInMempool(slot)
      case 'unavailable':
        return unanswered(slot, answer.reason, answer.answered)
      case 'refused':
        return refused(slot, answer)
    }
  }

  return {
    /** Loop step. Sends the next unsent slot, strictly in sequence order. */
    async step(): Promise<number> {
      const slot = slots.nextToSend()
      if (!slot) {
        // A block may resolve the last slot before its broadcast gets a response, which would have cleared the
        // blockers.
        if (slots.size === 0) blockers.clear(...OF_SLOTS)
        return UNTIL_WOKEN
      }
      try {
        return await send(slot)
      } catch (error) {
        if (error instanceof FeeLimitError) return blockers.raise('daily-fee-limit', error.message)
        if (error instanceof SignerUnavailableError) return error.restMs
        throw error
      }
    },
    /** Resends transactions that a node accepted but no block contains. */
    blockApplied(): void {
      const { cursorHeight } = engine.walletState()
      const sentAt = slots.first()?.sentAt
      if (sentAt !== undefined && cursorHeight - sentAt >= RESEND_AFTER_BLOCKS) replay()
    },
    /**
     * Marks all open slots to be resent, because requests now go to another node.
     * @returns whether to wake the broadcaster: not during a broadcast, whose failure might have caused the change and
     *   resends the slots itself
     */
    nodeChanged(): boolean {
      replay()
      return !isSending
    }
  }
}
