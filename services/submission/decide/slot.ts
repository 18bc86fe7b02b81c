import type { Any } from 'cosmjs-types/google/protobuf/any'
import type { BroadcastResult } from '../../chain-client/contract.ts'
import type { BlockerKind, SignedTx } from '../contract.ts'
import { currentTx, fullTx, hasLeft, hasSameMessages, type OpenSlot } from '../slots.ts'
import { CONTROL_GAS, controlTransfer, feeDenomOf, isLock, messagesOf } from '../transaction.ts'
import { feeFor, gasCap, gasLimitFor, type Prices, raisedFee, requiredFee } from './fees.ts'
import { expectedSequence, gasCeiling, refusalKindOf, refusalOf } from './sdk-errors.ts'
import { type ControlResult, type Failure, isShutOut } from './verdict.ts'

/** A transaction is sent again after this many blocks without it. */
const RESEND_AFTER_BLOCKS = 2

/** After this many sends, a slot is signed again if its bytes are in a node's cache but in no block. */
const MAX_TIMES_SENT = 3

/**
 * The maximum gas limit, as a multiple of the first gas limit of the same messages, which is based on a simulation. A
 * node that lies about gas must not make the wallet pay an arbitrary fee.
 */
const MAX_GAS_FACTOR = 4

/** The factor for the gas limit if the chain refuses it without stating the accepted maximum. */
const LESS_GAS = 0.75

type Refused = Extract<BroadcastResult, { status: 'refused' }>

/** Part of a slot's messages, with their submissions; no submissions for the wallet's transfer to itself. */
type SlotContent = { messages: Any[]; submissionIds: string[] }

type SlotPlan = SlotContent & { gasLimit: number; feeAmount: bigint }

export interface SignAgain {
  do: 'signAgain'
  plan: SlotPlan
  reason: string
  /** Whether other transactions should offer this price, too. */
  isNewPrice?: boolean
  /** The chain refuses transactions with more gas than this. */
  ceiling?: number
  /** The messages that are left out, if they may be the cause. */
  failure?: Failure
}

/** The evidence that a decision still needs. `gas`: how much these messages use, in a simulation for this slot. */
export type Question = { about: 'control' | 'otherNodes' } | { about: 'gas'; messages: Any[] }

/** The next move of a slot. */
export type SlotMove =
  /** A node has the transaction, or a block has used the sequence: blocks decide. */
  | { do: 'wait'; acceptedElsewhereAt?: number }
  /** Send all open slots again, in order. */
  | { do: 'resend' }
  /** Send the same bytes once more, because the node may be wrong about their content. */
  | { do: 'repeat'; refusal: Refused }
  | SignAgain
  /**
   * Only a change outside the engine can help. `restored`: signs the slot's messages again, because their replacement
   * was refused too.
   */
  | { do: 'raise'; kind: BlockerKind; reason: string; restored?: SignAgain }
  | ({ do: 'ask' } & Question)

/**
 * The evidence for a decision, in addition to the slot and the response. Optional fields are undefined until they are
 * asked for.
 */
export interface SlotKnowledge extends Prices {
  address: string
  feeDenom: string
  cursorHeight: number
  /** The newest block of any node. */
  newestHeight: number
  /** Whether the chain accepts other requests of this wallet. */
  control?: ControlResult
  /** Responses of other nodes to the same transaction. */
  otherNodes?: readonly BroadcastResult[]
  /** `two`: two nodes refuse it for the same reason. `same`: the only configured node does so twice. */
  agreement?: 'two' | 'same' | 'none'
  /** `unknown` if the simulation failed. */
  gas?: number | 'unknown'
}

type Known = SlotKnowledge

const raise = (kind: BlockerKind, reason: string): SlotMove => ({ do: 'raise', kind, reason })

export const isOverdue = ({ sentAt }: OpenSlot, cursorHeight: number) =>
  sentAt !== undefined && cursorHeight - sentAt >= RESEND_AFTER_BLOCKS

/** Returns whether the nodes that accepted a transaction do not forward it, after it was missing from some blocks. */
export const isIgnored = (blocks: number, ms: number) => blocks >= 3 && ms >= 7000

/**
 * Decides a slot's next move after a node's response to its current transaction. Only blocks resolve slots. If a
 * submission was settled in the meantime, the slot is signed without it, because its message must not be signed again.
 */
export function nextMove(slot: OpenSlot, response: BroadcastResult, known: Known): SlotMove {
  const leaving = withoutSettled(slot, known)
  if (leaving) return leaving
  switch (response.status) {
    case 'accepted':
      return { do: 'wait' }
    case 'known':
      return inCache(slot, known)
    case 'unavailable':
      return { do: 'resend' }
    case 'refused':
      return refused(slot, response, known)
  }
}

/**
 * Signs a slot without the submissions that another transaction has settled. Also called before a slot is sent.
 * @returns undefined if there are none
 */
export function withoutSettled(slot: OpenSlot, known: Known): SlotMove | undefined {
  const tx = currentTx(slot)
  if (!tx.submissionIds.some(hasLeft)) return undefined
  const reason = 'slot signed again without submissions that another transaction has settled'
  return signPart(slot, unsettledOf(tx), known, { reason })
}

function refused(slot: OpenSlot, refusal: Refused, known: Known): SlotMove {
  const { feeAmount } = currentTx(slot)
  const { log } = refusal
  switch (refusalKindOf(refusal, known.address)) {
    case 'mempool-full':
      return { do: 'resend' }
    case 'cached':
      return inCache(slot, known)
    case 'sequence':
      // A higher expected sequence: a block, or another program's transaction in the mempool, has used this one. A
      // lower one: the node lacks earlier transactions.
      return (expectedSequence(log) ?? slot.sequence) > slot.sequence ? { do: 'wait' } : { do: 'resend' }
    case 'funds':
      return asToday(slot, known, fee => fee < feeAmount) ?? raise('insufficient-funds', log)
    case 'signature':
      return raise('signature-refused', log)
    case 'fee':
      return (
        asToday(slot, known, fee => fee > feeAmount) ??
        elsewhere(slot, known) ??
        feeTooLow(slot, refusal, known)
      )
    case 'too-much-gas':
      return elsewhere(slot, known) ?? withLessGas(slot, refusal, known)
    case 'out-of-gas':
      return elsewhere(slot, known) ?? withMoreGas(slot, known) ?? contentRefused(slot, refusal, known)
    case 'size':
      return elsewhere(slot, known) ?? contentRefused(slot, refusal, known)
    case 'content':
      return contentRefused(slot, refusal, known)
  }
}

/** Waits for the next blocks if another node accepts the transaction: one node may be wrong about its limits. */
function elsewhere(slot: OpenSlot, { otherNodes, newestHeight, cursorHeight }: Known): SlotMove | undefined {
  if (!otherNodes) return { do: 'ask', about: 'otherNodes' }
  if (!otherNodes.some(({ status }) => status === 'accepted' || status === 'known')) return undefined
  // Count from the nodes' newest height, because no block up to it can contain the transaction, even if the cursor is
  // behind. The minimum corrects a height that a node overstated before.
  const acceptedElsewhereAt = Math.min(slot.acceptedElsewhereAt ?? newestHeight, newestHeight)
  if (cursorHeight - acceptedElsewhereAt >= RESEND_AFTER_BLOCKS) return undefined
  return { do: 'wait', acceptedElsewhereAt }
}

/**
 * Returns whether two nodes refuse a transaction for the same reason. Refusals of content are the same if their codes
 * are.
 */
export function isSameRefusal(one: BroadcastResult, other: BroadcastResult, address: string): boolean {
  if (one.status !== 'refused' || other.status !== 'refused') return false
  const kind = refusalKindOf(one, address)
  if (kind !== refusalKindOf(other, address)) return false
  return kind !== 'content' || (one.code === other.code && one.codespace === other.codespace)
}

/** Returns the refusals with the same reason, of all nodes that were asked. */
const alike = (refusal: Refused, { otherNodes, address }: Known): Refused[] => [
  refusal,
  ...(otherNodes ?? []).flatMap(answer =>
    answer.status === 'refused' && isSameRefusal(answer, refusal, address) ? answer : []
  )
]

/**
 * Handles bytes that a node has in its cache, but perhaps not in its mempool. A node may keep what it has refused
 * (`keep-invalid-txs-in-cache`). Each new signature requires twice as many sends as the one before, so that a node that
 * always reports the bytes as known cannot cause endless signing.
 */
function inCache(slot: OpenSlot, known: Known): SlotMove {
  if (slot.refusal) return contentRefused(slot, slot.refusal, known)
  const tx = currentTx(slot)
  // Each signature for this reason requests less gas than the one before. A higher fee or more gas is another reason.
  const timesSigned = slot.signedTxs.filter(
    other => hasSameMessages(other, tx) && other.feeAmount === tx.feeAmount && other.gasLimit >= tx.gasLimit
  ).length
  if (slot.timesSent < MAX_TIMES_SENT * 2 ** (timesSigned - 1)) return { do: 'wait' }
  const reason = 'slot signed again: the node reports the transaction as known, but no block contains it'
  // Changes the bytes, and neither costs more nor exceeds a limit.
  return signAll(tx, { gasLimit: tx.gasLimit - 1 }, reason)
}

/** Signs the current messages with another gas limit or fee. */
function signAll(tx: SignedTx, change: Partial<SlotPlan>, reason: string): SignAgain {
  const { submissionIds, gasLimit, feeAmount } = tx
  const plan = { messages: messagesOf(tx), submissionIds, gasLimit, feeAmount, ...change }
  return { do: 'signAgain', plan, reason }
}

/**
 * Signs the current messages with today's price and denomination, if that can help. Values that an operator
 * has corrected since must not stay in signed bytes.
 */
function asToday(slot: OpenSlot, known: Known, helps: (fee: bigint) => boolean): SignAgain | undefined {
  const tx = currentTx(slot)
  const feeAmount = feeFor(tx.gasLimit, known)
  if (isInDenom(tx, known) && !helps(feeAmount)) return undefined
  const content = tx.submissionIds.length === 0 ? { messages: controlOf(known).messages } : {}
  return signAll(
    tx,
    { feeAmount, ...content },
    'slot signed again with the present gas price and denomination'
  )
}

/** Returns whether a transaction pays its fee, if any, in this denomination. */
export function isInDenom(tx: SignedTx, { feeDenom }: Pick<Known, 'feeDenom'>): boolean {
  return (feeDenomOf(tx) ?? feeDenom) === feeDenom
}

/** Pays the lowest fee that a node requires. If none reports an amount, raises the fee step by step. */
function feeTooLow(slot: OpenSlot, refusal: Refused, known: Known): SlotMove {
  const tx = currentTx(slot)
  const { gasLimit, feeAmount: present } = tx
  const required = alike(refusal, known)
    .flatMap(({ log }) => requiredFee(log, known.feeDenom, gasLimit) ?? [])
    .filter(fee => fee > present)
    .reduce<bigint | undefined>((least, fee) => (least === undefined || fee < least ? fee : least), undefined)
  const feeAmount = raisedFee({ required, present, gasLimit }, known)
  if (feeAmount === undefined) return raise('fee-too-high', refusal.log)
  const reason = 'slot signed again: the node requires a higher fee'
  return { ...signAll(tx, { feeAmount }, reason), isNewPrice: true }
}

/** Requests more gas after CheckTx ran out of it. @returns undefined if more would cost too much */
function withMoreGas(slot: OpenSlot, known: Known): SignAgain | undefined {
  const tx = currentTx(slot)
  // If the slot has already been reduced to some of its messages, more gas was tried before or would not have helped.
  if (tx.submissionIds.length < fullTx(slot).submissionIds.length) return undefined
  const same = slot.signedTxs.filter(other => hasSameMessages(other, tx))
  const first = Math.min(...same.map(({ gasLimit }) => gasLimit))
  const gasLimit = Math.min(Math.ceil(tx.gasLimit * 1.5), gasCap(tx.submissionIds.length))
  if (gasLimit <= tx.gasLimit || gasLimit > MAX_GAS_FACTOR * first) return undefined
  const feeAmount = feeFor(gasLimit, known)
  return signAll(tx, { gasLimit, feeAmount }, 'slot signed again: it needs more gas')
}

/**
 * Signs as many messages as fit into the highest gas limit that a node states, or into a lower limit than now if none
 * states one. The others, or a lone message, return to the queue once a block has consumed the slot, without evidence
 * against them.
 */
function withLessGas(slot: OpenSlot, refusal: Refused, known: Known): SlotMove {
  const { submissionIds, gasLimit } = currentTx(slot)
  const count = submissionIds.length
  const ceilings = alike(refusal, known)
    .flatMap(({ log }) => gasCeiling(log) ?? [])
    .filter(gas => gas < gasLimit)
  if (ceilings.some(gas => gas < CONTROL_GAS) && !known.control) return { do: 'ask', about: 'control' }
  // A stated limit below the control's gas is wrong.
  const controlGas = known.control?.status === 'passed' ? known.control.gasUsed : CONTROL_GAS
  const named = ceilings.filter(gas => gas >= controlGas)
  const ceiling = named.length > 0 ? Math.max(...named) : Math.floor(gasLimit * LESS_GAS)
  const reason = 'slot signed again: the chain refused the gas limit'
  if (count > 1) {
    const kept = Math.max(1, Math.min(count - 1, Math.floor((count * ceiling) / gasLimit)))
    return signPart(slot, partOf(slot, kept), known, { reason, ceiling })
  }
  // Change a transfer only once: otherwise a node could cause endless signing.
  if (count === 0 && (named.length === 0 || gasLimit < CONTROL_GAS))
    return contentRefused(slot, refusal, known)
  const plan = controlOf(known, ceiling)
  return {
    do: 'signAgain',
    plan,
    reason,
    ceiling,
    ...(count === 1 && { failure: failureOf(submissionIds, 1, refusal, known) })
  }
}

/**
 * Signs fewer messages, because the node refuses the content and the later slots wait: half of them, or instead of a
 * lone message a transfer. If even that is refused, no message is at fault, and the slot returns to its messages.
 */
function contentRefused(slot: OpenSlot, refusal: Refused, known: Known): SlotMove {
  if (!slot.refusal) return { do: 'repeat', refusal }
  const tx = currentTx(slot)
  const { submissionIds } = tx
  const today = asToday(slot, known, fee => fee > tx.feeAmount)
  if (today) return today
  if (submissionIds.length === 0) {
    const full = fullTx(slot)
    const content = unsettledOf(full)
    if (content.submissionIds.length === 0) return raise('transactions-refused', refusal.log)
    const feeAmount = feeFor(full.gasLimit, known)
    const plan = { ...content, gasLimit: full.gasLimit, feeAmount }
    const restored: SignAgain = { do: 'signAgain', plan, reason: 'slot signed again with all its messages' }
    return { do: 'raise', kind: 'transactions-refused', reason: refusal.log, restored }
  }
  const { control } = known
  if (!control) return { do: 'ask', about: 'control' }
  if (isShutOut(control)) return raise(control.kind, control.reason)
  // One node may be wrong about a lone message, which cannot be split.
  const waits = submissionIds.length === 1 ? elsewhere(slot, known) : undefined
  if (waits) return waits
  const half = partOf(slot, Math.floor(submissionIds.length / 2))
  const suspects = submissionIds.filter(id => !half.submissionIds.includes(id))
  const failure = failureOf(suspects, submissionIds.length, refusal, known)
  const reason = 'slot signed again with fewer messages: the node refused its content'
  return signPart(slot, half, known, { reason, failure })
}

/**
 * Returns a failure with the nodes that decided it. The only configured node decides about content like two nodes, but
 * about gas only after repeated backoffs.
 */
function failureOf(suspects: string[], messages: number, refusal: Refused, known: Known): Failure {
  const { agreement, otherNodes = [], address } = known
  const isAboutGas = ['out-of-gas', 'too-much-gas'].includes(refusalKindOf(refusal, address))
  const isContradicted = !agreement || alike(refusal, known).length <= otherNodes.length
  const isDecided = agreement === 'two' || (agreement === 'same' && !isAboutGas)
  const by = isDecided ? 'nodes' : isContradicted ? 'node' : 'onlyNode'
  return { suspects, messages, refusal: refusalOf(refusal), by }
}

/**
 * Returns the first messages or, every second time that the slot has returned to its messages, the last ones. A
 * transfer from Bitcoin always stays with the registration of its lock.
 */
function partOf(slot: OpenSlot, count: number): SlotContent {
  const tx = currentTx(slot)
  const messages = messagesOf(tx)
  const isFirst = slot.timesRestored % 2 === 0 || isLock(messages[0]?.typeUrl)
  const from = isFirst ? 0 : tx.submissionIds.length - count
  return {
    messages: messages.slice(from, from + count),
    submissionIds: tx.submissionIds.slice(from, from + count)
  }
}

function unsettledOf(tx: SignedTx): SlotContent {
  const stays = tx.submissionIds.map(id => !hasLeft(id))
  return {
    messages: messagesOf(tx).filter((_, index) => stays[index]),
    submissionIds: tx.submissionIds.filter((_, index) => stays[index])
  }
}

/** Returns the plan for a transfer of the wallet to itself, without any submission. */
function controlOf(known: Known, ceiling = CONTROL_GAS): SlotPlan {
  const gasLimit = Math.min(CONTROL_GAS, ceiling)
  const messages = [controlTransfer(known.address, known.feeDenom)]
  return { messages, submissionIds: [], gasLimit, feeAmount: feeFor(gasLimit, known) }
}

/**
 * Signs part of the messages with the gas that they need, or a transfer if the part is empty. Prefers a transaction
 * that is already signed, so that a chain that refuses everything for hours does not cause endless signing.
 */
function signPart(
  slot: OpenSlot,
  part: SlotContent,
  known: Known,
  effects: Pick<SignAgain, 'reason' | 'failure' | 'ceiling'>
): SlotMove {
  if (part.submissionIds.length === 0) return { do: 'signAgain', plan: controlOf(known), ...effects }
  const { ceiling = Number.POSITIVE_INFINITY } = effects
  const signed = slot.signedTxs.findLast(
    tx =>
      hasSameMessages(tx, part) &&
      isInDenom(tx, known) &&
      tx.feeAmount >= feeFor(tx.gasLimit, known) &&
      tx.gasLimit <= ceiling
  )
  if (!signed && known.gas === undefined) return { do: 'ask', about: 'gas', messages: part.messages }
  const gasLimit = signed?.gasLimit ?? gasOf(slot, part, known, ceiling)
  const feeAmount = signed?.feeAmount ?? feeFor(gasLimit, known)
  return { do: 'signAgain', plan: { ...part, gasLimit, feeAmount }, ...effects }
}

/**
 * Returns the gas limit for part of a slot's messages: at least its share of the current limit, and at most all of it.
 */
function gasOf(slot: OpenSlot, part: SlotContent, known: Known, ceiling: number): number {
  const { gasLimit, submissionIds } = currentTx(slot)
  const count = part.submissionIds.length
  const share = Math.ceil((gasLimit * count) / submissionIds.length)
  const needed =
    typeof known.gas === 'number'
      ? gasLimitFor(known.gas)
      : // At least as much as the control, because a transaction's own gas does not shrink with its messages.
        CONTROL_GAS
  return Math.min(Math.max(share, needed), gasLimit, gasCap(count), ceiling)
}
