import { randomUUID } from 'node:crypto'
import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import type { BlockTransaction, ChainBlock, NodeBlock } from '../../chain-client/index.ts'
import type { Refusal, SignedTx, SlotResolution, SubmissionOutcome, WalletRequest } from '../contract.ts'
import type { Identify } from '../identities.ts'
import { hasLeft, type SlotTable } from '../slots.ts'
import { messagesOf } from '../transaction.ts'
import { messageOutcomes } from './message-results.ts'
import { failedMessageIndex, refusalOf } from './sdk-errors.ts'

/** A transaction that was refused or failed because of its content. */
export interface Failure {
  suspects: readonly string[]
  /** The number of all messages in the transaction. */
  messages: number
  refusal: Refusal
  /**
   * `block`: it failed in a block. `limit`: nodes agree that it is larger, or needs more gas, than a transaction may.
   * `node`: CheckTx refused it.
   */
  by: 'block' | 'limit' | 'node'
}

/** The sequence of `address` that a transaction consumed, from the ante handler's `tx.acc_seq` event. */
function reportedSequence({ events }: BlockTransaction, address: string): string | undefined {
  for (const { type, attributes } of events) {
    if (type !== 'tx') continue
    for (const { key, value } of attributes) {
      if (key === 'acc_seq' && value.startsWith(`${address}/`)) return value.slice(address.length + 1)
    }
  }
  return undefined
}

/** An unordered transaction (since SDK 0.53) consumes no sequence, regardless of its events. */
function isOrdered({ bytes }: BlockTransaction): boolean {
  try {
    return !TxBody.decode(TxRaw.decode(bytes).bodyBytes).unordered
  } catch {
    return false
  }
}

/**
 * Returns the wallet's sequence that a transaction reports as consumed; undefined if it is not the wallet's, or failed
 * before it consumed a sequence. The sequence of our own transaction is known without the event.
 */
function claimedSequence(
  tx: BlockTransaction,
  signedTx: SignedTx | undefined,
  address: string
): string | undefined {
  const reported = reportedSequence(tx, address)
  if (signedTx) return tx.code === 0 || reported !== undefined ? String(signedTx.sequence) : undefined
  return reported
}

function failureOf({ submissionIds }: SignedTx, tx: BlockTransaction): Failure {
  const messages = submissionIds.length
  const named = failedMessageIndex(tx.log, messages)
  const suspects = submissionIds.filter(
    (id, index) => !hasLeft(id) && (named === undefined || named === index)
  )
  return { suspects, messages, refusal: refusalOf(tx), by: 'block' }
}

/** A consumed slot, with the failure of our own transaction, if it failed. */
export interface ReadResolution extends SlotResolution {
  failure: Failure | undefined
  /** Whether the events of a message contradict its response. */
  isContradicted: boolean
}

/**
 * Returns the outcomes of a consumed slot. The submissions that the transaction executed are settled. All others in any
 * of the slot's signed transactions return to the queue.
 */
function resolution(sequence: number, tx: BlockTransaction, slots: SlotTable): ReadResolution {
  const signedTx = slots.findSignedTx(tx.hash)
  const { executions, isContradicted } = executed(tx, signedTx?.submissionIds ?? [])
  const outcomes: SubmissionOutcome[] = executions.filter(({ submissionId }) => !hasLeft(submissionId))
  const others = new Set(slots.get(sequence)?.signedTxs.flatMap(({ submissionIds }) => submissionIds))
  for (const { submissionId } of executions) others.delete(submissionId)
  for (const submissionId of others)
    if (!hasLeft(submissionId)) outcomes.push({ submissionId, status: 'queued' })
  return {
    sequence,
    transactionHash: tx.hash,
    origin: signedTx ? 'own' : 'foreign',
    outcomes,
    failure: signedTx && tx.code !== 0 ? failureOf(signedTx, tx) : undefined,
    isContradicted
  }
}

const executed = (tx: BlockTransaction, submissionIds: readonly string[]) =>
  tx.code === 0 && submissionIds.length > 0
    ? messageOutcomes(tx, submissionIds)
    : { executions: [], isContradicted: false }

/**
 * Determines which slots a block consumed, and the outcomes of their submissions. Only blocks decide:
 * - a sequence is consumed if it is the wallet's next one and the ante handler's event reports it, no matter who signed
 *   the transaction; an unordered transaction consumes none;
 * - a transaction that failed in the ante handler consumed nothing, and its bytes may succeed later;
 * - no message of a failed transaction was executed, so all of them are requeued. Messages that may have caused the
 *   failure become suspects: only a simulation together with the wallet's control request distinguishes a bad message from a
 *   temporary state of the chain.
 * @param wallet.nextSequence the sequence of the next slot
 * @throws BlockResultError
 */
export function resolveSlots(
  block: ChainBlock,
  slots: SlotTable,
  wallet: { address: string; nextSequence: number }
) {
  const resolutions: ReadResolution[] = []
  /** Transactions that report a sequence of the wallet that they cannot have consumed. They change nothing. */
  const ignored: { hash: string; sequence: string; expected: number }[] = []
  let expected = slots.first()?.sequence ?? wallet.nextSequence
  for (const tx of block.transactions) {
    const signedTx = slots.findSignedTx(tx.hash)
    const sequence = claimedSequence(tx, signedTx, wallet.address)
    if (sequence === undefined) continue
    if (sequence === String(expected) && (signedTx || isOrdered(tx))) {
      resolutions.push(resolution(expected, tx, slots))
      expected += 1
    } else {
      ignored.push({ hash: tx.hash, sequence, expected })
    }
  }
  return { resolutions, ignored }
}

/** `isContradicted`: whether events contradict a response of the transaction. */
export type ForeignRequest = WalletRequest & { isContradicted: boolean }

/**
 * Returns the wallet's requests in a block's foreign transactions, including failed ones. Another program signed them,
 * or this program did before the store was lost or rolled back.
 */
export function foreignRequests(
  { transactions, height }: ChainBlock,
  wallet: { address: string; identify: Identify; isOwn: (hash: string) => boolean }
): ForeignRequest[] {
  return transactions
    .filter(tx => reportedSequence(tx, wallet.address) !== undefined && !wallet.isOwn(tx.hash))
    .flatMap(tx => requestsIn(tx, height, wallet.identify))
}

function requestsIn(tx: BlockTransaction, height: number, identify: Identify): ForeignRequest[] {
  const messages = messagesIn(tx)
  const identified = messages.map(message => readOr({ identities: [] }, () => identify(message)))
  if (identified.every(({ identities }) => identities.length === 0)) return []
  const ids = messages.map(() => randomUUID())
  const { executions, isContradicted } = executed(tx, ids)
  return messages.flatMap(({ typeUrl, value: message }, index) => {
    const own = identified[index]
    if (!own || own.identities.length === 0) return []
    const execution = executions[index]
    return { ...own, typeUrl, message, execution, transactionHash: tx.hash, height, isContradicted }
  })
}

const messagesIn = (tx: BlockTransaction): Any[] => readOr([], () => messagesOf(tx))

function readOr<T>(unreadable: T, read: () => T): T {
  try {
    return read()
  } catch {
    return unreadable
  }
}

/** What must confirm a block before it is applied: nothing, a second node or the next header, or only a second node. */
type Proof = 'none' | 'header' | 'secondNode'

export interface ReadBlock extends ReturnType<typeof resolveSlots> {
  /** Requests in transactions that are not in the store. */
  adoptions: ForeignRequest[]
  proof: Proof
}

/** Reads what a block decided. Only successes of our own need no proof: they can be corrected later. */
export function readBlock(
  block: ChainBlock,
  slots: SlotTable,
  wallet: { address: string; nextSequence: number; identify: Identify }
): ReadBlock {
  const { resolutions, ignored } = resolveSlots(block, slots, wallet)
  const isOwn = (hash: string) => slots.findSignedTx(hash) !== undefined
  const adoptions = foreignRequests(block, { ...wallet, isOwn })
  const isFinal =
    adoptions.length > 0 ||
    block.transactions.some(({ code, hash }) => code !== 0 && isOwn(hash)) ||
    resolutions.some(
      ({ origin, outcomes }) => origin === 'foreign' || outcomes.some(({ status }) => status !== 'committed')
    )
  const isContradicted = [...resolutions, ...adoptions].some(each => each.isContradicted)
  const proof = isContradicted ? 'secondNode' : isFinal ? 'header' : 'none'
  return { resolutions, ignored, adoptions, proof }
}

/** What nodes must agree on. Error messages and other events may differ. */
function decisive({ resolutions, adoptions }: ReadBlock): string {
  const result = (outcome: SubmissionOutcome) => [
    outcome.status,
    outcome.status === 'committed' && outcome.txId
  ]
  return JSON.stringify([
    resolutions.map(({ sequence, transactionHash, origin, outcomes }) => [
      ...[sequence, transactionHash, origin],
      outcomes.map(outcome => [outcome.submissionId, ...result(outcome)])
    ]),
    adoptions.map(({ transactionHash, execution }) => [transactionHash, execution && result(execution)])
  ])
}

/** What is known of a block. */
export interface BlockEvidence {
  /** At least one response, each from a different node. */
  responses: readonly NodeBlock[]
  /** The next block's header; `none` if there is none yet, or if nodes disagree on it; undefined until asked for. */
  next?: (Pick<ChainBlock, 'previousHash' | 'lastResultsHash'> & { isByTwo: boolean }) | 'none'
  /** Whether no node is known to have a later block. */
  isNewest: boolean
  /** Whether only one node is configured. */
  isOnlyNode: boolean
  /** Whether all nodes were asked. */
  isComplete: boolean
}

/** Returns the next header, which should follow one of the responses. Nodes on another chain or fork do not count. */
export function nextHeader(
  headers: readonly ChainBlock[],
  responses: readonly ChainBlock[]
): NonNullable<BlockEvidence['next']> {
  const ofChain = headers.filter(({ chainId }) => chainId === responses[0]?.chainId)
  const following = ofChain.filter(({ previousHash }) => responses.some(({ hash }) => hash === previousHash))
  const [header, ...others] = following.length > 0 ? following : ofChain
  if (!header || others.some(({ hash }) => hash !== header.hash)) return 'none'
  return { ...header, isByTwo: others.length > 0 }
}

export type BlockMove =
  /** `wrong`: the nodes with another outcome. */
  | { do: 'apply'; block: NodeBlock; wrong: readonly string[] }
  | { do: 'ask'; about: 'next' | 'otherNodes' }
  /** Read the block again after the next one. */
  | { do: 'wait' }
  | { do: 'raise'; wrong: readonly string[]; reason: string }

/**
 * Decides whether a block can be applied (interface 19.18). Two nodes must have the same outcome. While only one
 * responds, a success is applied, and the next header must confirm everything else. While nodes contradict each other,
 * nothing is applied unless a next header of two nodes settles it.
 */
export function blockMove(evidence: BlockEvidence, read: (block: NodeBlock) => ReadBlock): BlockMove {
  const { responses, next, isNewest, isOnlyNode, isComplete } = evidence
  const [first, ...others] = responses
  if (!first) return { do: 'wait' }
  const isSame = (one: NodeBlock, other: NodeBlock) =>
    one.hash === other.hash &&
    one.resultsHash === other.resultsHash &&
    decisive(read(one)) === decisive(read(other))
  const except = (right: NodeBlock) => responses.filter(one => one !== right && !isSame(one, right))
  const apply = (block: NodeBlock): BlockMove => ({ do: 'apply', block, wrong: except(block).map(nodeOf) })

  const agreed = responses.find(one => responses.some(other => other !== one && isSame(one, other)))
  if (agreed) return apply(agreed)
  const isAlone = others.length === 0
  const { proof } = read(first)
  if (isAlone && isNewest && proof === 'none') return apply(first)
  if (next === undefined) return { do: 'ask', about: 'next' }
  const fits = (block: NodeBlock) =>
    next !== 'none' && next.previousHash === block.hash && next.lastResultsHash === block.resultsHash
  if (isAlone && (next === 'none' || fits(first))) {
    if (proof === 'none') return apply(first)
    if (next === 'none') return { do: 'wait' }
    if (proof === 'header' || isOnlyNode) return apply(first)
    return raise(`only ${first.node} responds, and its events contradict the responses of messages`, first)
  }
  if (!isComplete) return { do: 'ask', about: 'otherNodes' }
  if (next === 'none') return { do: 'wait' }
  if (!next.isByTwo) return raise(`${responses.map(nodeOf).join(' and ')} and the next header differ`, first)
  const [right, ...more] = responses.filter(fits)
  if (right && more.length === 0 && read(right).proof !== 'secondNode') return apply(right)
  return raise('the nodes have different results', first, responses.filter(one => !fits(one)).map(nodeOf))
}

const nodeOf = ({ node }: NodeBlock) => node

function raise(reason: string, { height }: NodeBlock, wrong: readonly string[] = []): BlockMove {
  return { do: 'raise', reason: `block ${height}: ${reason}`, wrong }
}
