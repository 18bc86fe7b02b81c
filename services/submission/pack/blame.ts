import type { Any } from 'cosmjs-types/google/protobuf/any'
import type { ChainClient, Simulation } from '../../chain-client/index.ts'
import type { Clock } from '../../clock.ts'
import { shorten } from '../../errors/shown.ts'
import type { Signer } from '../../wallet/signer.ts'
import type { SimulatedGas } from '../opinions/gas.ts'
import { expectedSequence, failedMessageIndex, isWalletRefused, refusalOf } from '../sdk-errors.ts'
import { controlMessage } from '../sign/transaction.ts'
import type { QueuedMessage, WalletState } from '../store/types.ts'
import type { BlockerKind, Refusal } from '../types.ts'

/** How long a lone message rests before it is tried again. Doubles with each rest. */
const FIRST_REST_MS = 250
const LONGEST_REST_MS = 600_000

/** A message is rejected after failing alone this many times, each time after its simulation passed. */
const MOST_STRIKES = 3

/** Size refusals of a lone message count only after this many rests: the node's mempool may be nearly full. */
const RESTS_BEFORE_SIZE_COUNTS = 4

/** A transaction that was refused or failed because of its content. */
export interface Failure {
  suspects: readonly string[]
  /** The number of all messages in the transaction. */
  messages: number
  refusal: Refusal
  /**
   * `block`: it failed in a block. `gas`: nodes agree that it needs more gas than a block allows. `size`: a node
   * responds only to smaller transactions. `node`: CheckTx refused it, or no node gave a usable response. That is no
   * strike, because the mempool or the state of a single node may be the cause.
   */
  by: 'block' | 'gas' | 'size' | 'node'
}

/** No usable response, or a response that is not about the messages. */
type Unavailable = { status: 'unavailable'; reason: string; late: boolean }

/** The chain refuses the control, so no user's message is the cause (interface 7.16, 17.4). */
type Blocked = { status: 'blocked'; kind: BlockerKind; reason: string }

/** One node's simulated gas, which may include the gas of a canary in front of the message. */
type Passed = { status: 'passed' } & SimulatedGas

/**
 * The chain refuses the canary, which has never passed, and also the transfer. It may still accept requests, for
 * example if gas is free and the wallet has no funds.
 */
type Unproven = { status: 'unproven'; reason: string }

export type ControlResult = Passed | Blocked | Unavailable | Unproven

export type Verdict =
  | Passed
  | Blocked
  | Unavailable
  /** The chain refuses this message, regardless of the rest of the transaction. */
  | { status: 'refused'; message: QueuedMessage; error: Refusal }
  /** A message fails, but it is unknown which one: try half of the batch next. */
  | { status: 'unclear' }

const innocent = () => ({
  /** The maximum number of messages in this message's next transaction; undefined unless it is a suspect. */
  together: undefined as number | undefined,
  failures: 0,
  /** Counted by kind, because each kind may be wrong for a different reason. */
  strikes: { block: 0, gas: 0, size: 0, node: 0 },
  conviction: undefined as Refusal | undefined
})

interface Suspect extends ReturnType<typeof innocent> {
  rests: number
  /** When the rest ends, on the monotonic clock. */
  until: number
}

const toAny = ({ typeUrl, message }: QueuedMessage): Any => ({ typeUrl, value: message })

const unavailable = (log: string): Unavailable => ({
  status: 'unavailable',
  reason: shorten(log),
  late: false
})

/**
 * Identifies the message at fault when a simulation, a broadcast or a block refuses a transaction for its content.
 * Halves the batch until one message is left, or picks the message that the chain names. Simulates that message and a
 * *control*: the wallet's canary, which belongs to no user, or a transfer from the wallet to itself until the canary
 * has passed once. If the control passes and the message fails, the message is rejected with the chain's reason. The
 * node pool checks each refusal with a second node. A failure that a simulation does not reproduce is a strike if the
 * message failed alone; after three strikes, it is rejected if the control passes. The end of the term discards all
 * evidence.
 * @param options.setCanaryPassed records that the canary has passed once. From then on, a failing canary means that the
 *   chain's state is the cause
 */
export function createBlame(options: {
  chain: Pick<ChainClient, 'simulate'>
  wallet: Signer
  feeDenom: string
  canary: Any
  walletState: () => Pick<WalletState, 'nextSequence' | 'canaryPassed'>
  setCanaryPassed: () => Promise<void>
  clock: Clock
}) {
  const { chain, wallet, feeDenom, canary, walletState, setCanaryPassed, clock } = options
  const suspects = new Map<string, Suspect>()
  /** Whether the chain has refused the control since the control last passed. */
  let isPaused = false

  function suspect(submissionId: string): Suspect {
    const one = suspects.get(submissionId) ?? { ...innocent(), rests: 0, until: Number.NEGATIVE_INFINITY }
    suspects.set(submissionId, one)
    return one
  }

  /** Postpones a message, because each attempt costs money or delays other messages. */
  function rest(submissionId: string): void {
    const one = suspect(submissionId)
    one.until = clock.elapsed() + Math.min(FIRST_REST_MS * 2 ** one.rests, LONGEST_REST_MS)
    one.rests += 1
  }

  const waits = () => [...suspects.values()].map(({ until }) => until - clock.elapsed()).filter(ms => ms > 0)

  /** Treats an unexpected sequence as a missing response: another transaction came first, or the node is behind. */
  async function simulate(messages: Any[]) {
    const simulation: Simulation = {
      messages,
      publicKey: wallet.publicKey,
      sequence: walletState().nextSequence
    }
    const { node, ...answer } = await chain.simulate(simulation)
    const isOutOfOrder = answer.status === 'failed' && expectedSequence(answer.log) !== undefined
    return { ...(isOutOfOrder ? unavailable(answer.log) : answer), node, simulation }
  }

  async function simulateControl() {
    let answer = await simulate([canary])
    if (walletState().canaryPassed) return answer
    // A node may be wrong once, so confirm the first pass.
    if (answer.status === 'passed') answer = await simulate([canary])
    if (answer.status === 'passed') await setCanaryPassed()
    // The canary's content may be at fault. Any healthy account can send a transfer.
    const isInvalid = answer.status === 'failed' && !isWalletRefused(answer.log, wallet.address)
    return isInvalid ? simulate([controlMessage(wallet.address, feeDenom)]) : answer
  }

  async function control(): Promise<ControlResult> {
    const answer = await simulateControl()
    if (answer.status === 'passed' && isPaused) {
      // The pause itself may have caused the failures recorded since it began.
      suspects.clear()
      isPaused = false
    }
    if (answer.status !== 'failed') return answer
    isPaused = true
    const reason = answer.log
    const isRefused = isWalletRefused(reason, wallet.address)
    if (!isRefused && !walletState().canaryPassed) return { status: 'unproven', reason }
    return { status: 'blocked', kind: isRefused ? 'wallet-not-whitelisted' : 'requests-refused', reason }
  }

  async function provenControl(): Promise<Passed | Blocked | Unavailable> {
    const result = await control()
    return result.status === 'unproven' ? unavailable(result.reason) : result
  }

  /** A refusal counts only if the same node accepts the control before and after it. */
  async function judgeAlone(message: QueuedMessage, isBatch: boolean): Promise<Verdict> {
    const before = await provenControl()
    if (before.status !== 'passed') return before
    const again = await simulate([toAny(message)])
    if (again.status === 'passed' && isBatch) return { status: 'unclear' }
    if (again.status !== 'failed') return again
    const after = await provenControl()
    if (after.status !== 'passed') return after
    if (before.node !== again.node || after.node !== again.node)
      return unavailable('the responses came from several nodes')
    return { status: 'refused', message, error: refusalOf(again) }
  }

  return {
    control,

    /** Simulates a batch. If that fails, judges the message that the chain names or that is alone in the batch. */
    async examine(batch: readonly QueuedMessage[]): Promise<Verdict> {
      const isBatch = batch.length > 1
      const answer = await simulate(batch.map(toAny))
      if (answer.status !== 'failed') return answer
      const named = batch[failedMessageIndex(answer.log, batch.length) ?? batch.length]
      if (named) {
        // In one transaction, the canary and the message run against the same state.
        const pair = await simulate([canary, toAny(named)])
        // The cause is gone or lies in the other messages. A lone message is signed: the block decides.
        if (pair.status === 'passed' && isBatch) return { status: 'unclear' }
        if (pair.status !== 'failed') return pair
        if (failedMessageIndex(pair.log, 2) === 1)
          return { status: 'refused', message: named, error: refusalOf(pair) }
      }
      const suspected = named ?? (isBatch ? undefined : batch[0])
      if (suspected) return judgeAlone(suspected, isBatch)
      // Without this check, a paused chain would halve batches down to single messages.
      const controlled = await control()
      const isNotPaused = controlled.status === 'passed' || controlled.status === 'unproven'
      return isNotPaused ? { status: 'unclear' } : controlled
    },

    failed({ suspects: ids, messages, refusal, by }: Failure): void {
      for (const submissionId of ids) {
        const one = suspect(submissionId)
        one.together = ids.length === 1 ? 1 : Math.floor(messages / 2)
        if (by !== 'gas') one.failures += 1
        if (messages > 1) continue
        const counts = by === 'size' ? one.rests >= RESTS_BEFORE_SIZE_COUNTS : by !== 'node'
        one.strikes[by] += Number(counts)
        if (one.strikes[by] < MOST_STRIKES) rest(submissionId)
        else one.conviction = refusal
      }
    },

    rest,
    isResting: (submissionId: string) => (suspects.get(submissionId)?.until ?? 0) > clock.elapsed(),
    /** How many additional messages the packer reads from the queue. */
    get resting(): number {
      return waits().length
    },
    /** Milliseconds until the next rest ends. */
    nextDueMs: () => (waits().length > 0 ? Math.min(...waits()) : undefined),
    together: (submissionId: string) => suspects.get(submissionId)?.together,
    /** How many of the message's transactions have failed. Each failure raises the gas limit. */
    failures: (submissionId: string) => suspects.get(submissionId)?.failures ?? 0,
    /** The reason to reject the message if the control passes; undefined before the last strike. */
    convicted: (submissionId: string) => suspects.get(submissionId)?.conviction,
    /** Clears the evidence after another cause was found. Rests in progress continue. */
    absolve(submissionIds: readonly string[]): void {
      for (const submissionId of submissionIds) Object.assign(suspects.get(submissionId) ?? {}, innocent())
    },
    forget(submissionIds: readonly string[]): void {
      for (const submissionId of submissionIds) suspects.delete(submissionId)
    }
  }
}
