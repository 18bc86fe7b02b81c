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

/** How long a lone message rests after a refusal. Doubles each time, up to the longest. */
const FIRST_REST_MS = 250
const LONGEST_REST_MS = 600_000

/** A lone message is rejected after this many refusals, each after its simulation passed. */
const MOST_STRIKES = 3

/** Size refusals of a lone message count only after this many rests: the node's mempool may be nearly full. */
const RESTS_BEFORE_SIZE_COUNTS = 4

/** A transaction that was refused or failed because of its content. */
export interface Failure {
  /** The submissions that may be the cause: all in the transaction, or the one the chain identifies. */
  suspects: readonly string[]
  /** The number of messages in the transaction. */
  messages: number
  refusal: Refusal
  /**
   * What refused it. `block`: it failed in a block. `gas`: nodes agree that it needs more gas than a block has. `size`:
   * a node gives no usable response to these bytes, but responds to smaller ones. `node`: CheckTx. This alone rejects
   * no message, because the mempool or the state of a single node may be the cause.
   */
  by: 'block' | 'gas' | 'size' | 'node'
}

/** No usable response, or none about the messages. */
type Unavailable = { status: 'unavailable'; reason: string; late: boolean }

/**
 * The chain refuses the wallet's own request: the state of the chain is the cause, not a message (interface 7.16,
 * 17.4).
 */
type Blocked = { status: 'blocked'; kind: BlockerKind; reason: string }

/** The simulated gas reported by one node. May include the canary before the message. */
type Passed = { status: 'passed' } & SimulatedGas

/**
 * The chain refuses both the canary, which has never passed, and the transfer. It may still accept requests, for example
 * from a wallet without funds where gas is free.
 */
type Unproven = { status: 'unproven'; reason: string }

/** Whether the chain accepts what no user has written. */
export type ControlResult = Passed | Blocked | Unavailable | Unproven

export type Verdict =
  | Passed
  | Blocked
  | Unavailable
  /** The chain refuses this message, regardless of the rest of the transaction. */
  | { status: 'refused'; message: QueuedMessage; error: Refusal }
  /** An unidentified message fails: try half of the batch next. */
  | { status: 'unclear' }

/** The evidence against a message, initially none. */
const innocent = () => ({
  /** The most messages of the next transaction with it; undefined while it is no suspect. */
  together: undefined as number | undefined,
  failures: 0,
  /** Counted by what refused it: kinds that may be wrong for different reasons do not add up. */
  strikes: { block: 0, gas: 0, size: 0, node: 0 },
  conviction: undefined as Refusal | undefined
})

interface Suspect extends ReturnType<typeof innocent> {
  rests: number
  /** When the message is due again, in elapsed time of the clock. */
  until: number
}

const toAny = ({ typeUrl, message }: QueuedMessage): Any => ({ typeUrl, value: message })

const unavailable = (log: string): Unavailable => ({
  status: 'unavailable',
  reason: shorten(log),
  late: false
})

/**
 * Finds the message at fault when a simulation, a broadcast or a block refuses a transaction for its content. The batch
 * is halved until one message is left, or narrowed to it immediately if the chain identifies it. That message is
 * simulated, and so is a *control*: the wallet's canary, which is a request without a user, or a transfer of the wallet
 * to itself while the chain has never passed the canary. If the control passes and the message fails, the message is
 * rejected with the chain's reason. The pool checks each refusal with a second node. A failure that does not show in a
 * simulation is a strike if the message failed alone. Three strikes reject the message, provided that the control
 * passes. Strikes and suspects are lost when the term ends.
 * @param options.canary encoded
 * @param options.setCanaryPassed records that the chain has passed the canary. From then on, a failing canary shows the
 *   state of the chain
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
  /** The chain has refused the control since it last passed. */
  let isPaused = false

  function suspect(submissionId: string): Suspect {
    const one = suspects.get(submissionId) ?? { ...innocent(), rests: 0, until: Number.NEGATIVE_INFINITY }
    suspects.set(submissionId, one)
    return one
  }

  /** Lets a message rest: each attempt costs money or delays the others. */
  function rest(submissionId: string): void {
    const one = suspect(submissionId)
    one.until = clock.elapsed() + Math.min(FIRST_REST_MS * 2 ** one.rests, LONGEST_REST_MS)
    one.rests += 1
  }

  const waits = () => [...suspects.values()].map(({ until }) => until - clock.elapsed()).filter(ms => ms > 0)

  /** An unexpected sequence is no message's fault: another transaction came first, or the node is behind. */
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

  /** Simulates the canary or, if it fails and is not known to have passed before, the transfer. */
  async function simulateControl() {
    let answer = await simulate([canary])
    if (walletState().canaryPassed) return answer
    // A node may be wrong once.
    if (answer.status === 'passed') answer = await simulate([canary])
    if (answer.status === 'passed') await setCanaryPassed()
    // Its content may be at fault. Any healthy account can send a transfer.
    const isInvalid = answer.status === 'failed' && !isWalletRefused(answer.log, wallet.address)
    return isInvalid ? simulate([controlMessage(wallet.address, feeDenom)]) : answer
  }

  async function control(): Promise<ControlResult> {
    const answer = await simulateControl()
    if (answer.status === 'passed' && isPaused) {
      // Failures during the pause may have been caused by it.
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

  /** Judges a message alone. A refusal counts only if the same node passes the control before and after. */
  async function judgeAlone(message: QueuedMessage, isBatch: boolean): Promise<Verdict> {
    const before = await provenControl()
    if (before.status !== 'passed') return before
    const again = await simulate([toAny(message)])
    if (again.status === 'passed' && isBatch) return { status: 'unclear' }
    if (again.status !== 'failed') return again
    const after = await provenControl()
    if (after.status !== 'passed') return after
    // Nodes may be in different states.
    if (before.node !== again.node || after.node !== again.node)
      return unavailable('the responses came from several nodes')
    return { status: 'refused', message, error: refusalOf(again) }
  }

  return {
    /** Checks whether the chain accepts what no user has written. */
    control,

    /** Simulates a batch. Judges a message if it is alone or the chain identifies it. */
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
      // Without this check, a pause of the chain would halve batches down to single messages.
      const controlled = await control()
      const isNotPaused = controlled.status === 'passed' || controlled.status === 'unproven'
      return isNotPaused ? { status: 'unclear' } : controlled
    },

    failed({ suspects: ids, messages, refusal, by }: Failure): void {
      for (const submissionId of ids) {
        const one = suspect(submissionId)
        one.together = ids.length === 1 ? 1 : Math.max(1, Math.floor(messages / 2))
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
    /** The number of resting messages. The queue is read that much further. */
    get resting(): number {
      return waits().length
    },
    /** Milliseconds until the next message is due again; undefined if none is resting. */
    nextDueMs: () => (waits().length > 0 ? Math.min(...waits()) : undefined),
    /** The most messages of the next transaction with it; undefined while it is no suspect. */
    together: (submissionId: string) => suspects.get(submissionId)?.together,
    /** How many of the message's transactions have failed. Each failure raises the gas requested. */
    failures: (submissionId: string) => suspects.get(submissionId)?.failures ?? 0,
    /** The reason to reject the message, unless the control fails too. */
    convicted: (submissionId: string) => suspects.get(submissionId)?.conviction,
    /** Clears messages after another cause was found. Their current rests continue. */
    absolve(submissionIds: readonly string[]): void {
      for (const submissionId of submissionIds) Object.assign(suspects.get(submissionId) ?? {}, innocent())
    },
    /** Forgets settled submissions. */
    forget(submissionIds: readonly string[]): void {
      for (const submissionId of submissionIds) suspects.delete(submissionId)
    }
  }
}
