import { backoffMs } from '../../async/backoff.ts'
import { UNTIL_WOKEN } from '../../async/loop.ts'
import { type BroadcastResult, NodeUnavailableError, newestHeight } from '../../chain-client/index.ts'
import { shorten } from '../../errors/shown.ts'
import { kindsEndedBy } from '../decide/blockers.ts'
import {
  isInDenom,
  isOverdue,
  isSameRefusal,
  nextMove,
  type Question,
  type SignAgain,
  type SlotKnowledge,
  type SlotMove,
  withoutSettled
} from '../decide/slot.ts'
import { currentTx, hasSameMessages, type OpenSlot } from '../slots.ts'
import { BLOCKED_MS } from './blockers.ts'
import type { EngineContext } from './context.ts'
import { pauseUnsigned } from './signing.ts'

/** The pause before bytes are sent again. A new block ends it early. */
const RETRY = { firstMs: 250, longestMs: BLOCKED_MS }

const OF_SLOTS = kindsEndedBy('accepted')

/** Sends signed transactions to a node, and signs open slots again, as `decide/slot.ts` decides. */
export function createBroadcaster(engine: EngineContext, onSent: () => void) {
  const { store, chain, blocks, slots, settings, wallet, examiner, blockers, log } = engine
  let isSending = false
  /** The number of resends since a node last accepted a transaction. */
  let resends = 0

  function known(): SlotKnowledge {
    const { cursorHeight } = engine.walletState()
    return {
      ...engine.prices(),
      ...settings,
      address: wallet.address,
      cursorHeight,
      newestHeight: newestHeight(chain.health()) ?? cursorHeight
    }
  }

  /** Sends the same bytes to other nodes, until two refuse them for the same reason. */
  async function askOtherNodes(bytes: Uint8Array): Promise<Partial<SlotKnowledge>> {
    const { agreed, isByTwo, responses } = await chain.crossCheck<BroadcastResult>({
      question: 'broadcast',
      agree: (one, other) => isSameRefusal(one, other, wallet.address),
      async ask(node) {
        const answer = await node.broadcast(bytes)
        if (answer.status === 'unavailable') throw new NodeUnavailableError(node.host, answer.reason)
        return answer
      }
    })
    const otherNodes = agreed ?? responses.map(({ answer }) => answer)
    return { otherNodes, agreement: isByTwo ? 'two' : agreed ? 'same' : 'none' }
  }

  async function find(slot: OpenSlot, question: Question): Promise<Partial<SlotKnowledge>> {
    switch (question.about) {
      case 'control':
        return { control: await examiner.control(slot.sequence) }
      case 'otherNodes':
        return askOtherNodes(currentTx(slot).bytes)
      case 'gas': {
        const answer = await examiner.simulate(question.messages, slot.sequence)
        return { gas: answer.status === 'passed' ? answer.gasUsed : 'unknown' }
      }
    }
  }

  /**
   * Carries out a decision, after asking nodes for the evidence that it needs.
   * @returns the pause until the next step
   */
  async function follow(slot: OpenSlot, decide: (known: SlotKnowledge) => SlotMove): Promise<number> {
    const current = currentTx(slot)
    let evidence = known()
    let move = decide(evidence)
    while (move.do === 'ask') {
      evidence = { ...evidence, ...(await find(slot, move)) }
      // A block may have resolved the slot in the meantime, or settled one of its submissions.
      if (slots.get(slot.sequence) !== slot || currentTx(slot) !== current) return 0
      move = decide(evidence)
    }
    switch (move.do) {
      case 'wait':
        slot.acceptedElsewhereAt = move.acceptedElsewhereAt
        slot.sentAt = Math.max(evidence.cursorHeight, blocks.newest)
        slot.timesSent += 1
        resends = 0
        onSent()
        return 0
      case 'resend':
        slots.replay()
        resends += 1
        return backoffMs(resends, RETRY)
      case 'repeat':
        slot.refusal = move.refusal
        return RETRY.firstMs
      case 'signAgain':
        await signAgain(slot, move)
        return 0
      case 'raise':
        if (move.restored) {
          engine.evidence.clear(move.restored.plan.submissionIds)
          if (await signAgain(slot, move.restored)) slot.timesRestored += 1
        }
        return blockers.raise(move.kind, move.reason)
    }
  }

  /**
   * Signs an open slot again, which is always safe: two transactions with the same sequence can never both be executed.
   * @returns false, with no effect, if the slot has changed in the meantime
   * @throws FeeLimitError, SignerUnavailableError
   */
  async function signAgain(slot: OpenSlot, { plan, reason, ...effects }: SignAgain): Promise<boolean> {
    const { sequence } = slot
    const before = currentTx(slot)
    const { submissionIds, gasLimit, feeAmount } = plan
    const isDone = await engine.withSlotLock(async () => {
      // In the meantime, a block may have consumed the slot or settled one of its submissions.
      if (slots.get(sequence) !== slot || currentTx(slot) !== before) return false
      const signed = slot.signedTxs.find(
        tx =>
          hasSameMessages(tx, plan) &&
          tx.gasLimit === gasLimit &&
          tx.feeAmount === feeAmount &&
          isInDenom(tx, settings)
      )
      if (signed) {
        slots.add(signed)
      } else {
        const signedTx = await engine.signing.sign({ ...plan, sequence })
        await store.addSignedTx(signedTx)
        engine.signedTxStored(signedTx)
      }
      return true
    })
    if (!isDone) return false
    const { hash } = currentTx(slot)
    const messages = submissionIds.length
    log.warn({ sequence, hash, gasLimit, feeAmount: String(feeAmount), messages, submissionIds }, reason)
    if (effects.isNewPrice) engine.feeRequired(feeAmount, gasLimit)
    if (effects.ceiling !== undefined) engine.blockLimits.setCeiling(effects.ceiling)
    if (effects.failure) engine.evidence.failed(effects.failure)
    return true
  }

  async function send(slot: OpenSlot): Promise<number> {
    const leaving = withoutSettled(slot, known())
    if (leaving) return follow(slot, evidence => withoutSettled(slot, evidence) ?? leaving)
    const { sequence } = slot
    const { bytes, hash, gasLimit, submissionIds } = currentTx(slot)
    const everywhere = slot.isTried
    slot.isTried = true
    isSending = true
    const response = await chain.broadcast(bytes, { everywhere }).finally(() => {
      isSending = false
    })
    // A block may have resolved the slot during the broadcast.
    if (slots.get(sequence) !== slot) return 0
    if (response.status === 'accepted') {
      slot.refusal = undefined
      blockers.clear(...OF_SLOTS)
      engine.blockLimits.accepted(gasLimit)
      if (slot.timesSent === 0) log.info({ sequence, hash }, 'slot sent')
    } else if (response.status !== 'known') {
      const { log: text = '', reason = text, ...rest } = { log: undefined, reason: undefined, ...response }
      const fields = { ...rest, sequence, hash, messages: submissionIds.length, reason: shorten(reason) }
      // A present blocker already reports the cause.
      log[OF_SLOTS.some(blockers.has) ? 'debug' : 'warn'](fields, 'a node did not accept a transaction')
    }
    return follow(slot, evidence => nextMove(slot, response, evidence))
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
        return pauseUnsigned(error, blockers)
      }
    },
    /** Resends transactions that a node accepted but no block contains. */
    blockApplied(): void {
      const first = slots.first()
      if (first && isOverdue(first, engine.walletState().cursorHeight)) slots.replay()
    },
    /**
     * Marks all open slots to be resent, because requests now go to another node.
     * @returns whether to wake the broadcaster: not during a broadcast, whose failure might have caused the change and
     *   resends the slots itself
     */
    nodeChanged(): boolean {
      slots.replay()
      return !isSending
    }
  }
}
