import type { Any } from 'cosmjs-types/google/protobuf/any'
import { backoffMs } from '../../async/backoff.ts'
import type { Simulation } from '../../chain-client/index.ts'
import type { Clock } from '../../clock.ts'
import { shorten } from '../../errors/shown.ts'
import type { Chain, QueuedMessage, Refusal, Signer, WalletState } from '../contract.ts'
import { expectedSequence, failedMessageIndex, isWalletRefused, refusalOf } from '../decide/sdk-errors.ts'
import { controlMessage } from '../transaction.ts'
import type { Blame, Blocked, ControlResult, Passed, Unavailable, Verdict } from './engine-context.ts'

/** How long a lone message rests before it is tried again. Doubles with each rest. */
const BACKOFF = { firstMs: 250, longestMs: 600_000 }

/** A message is rejected after failing alone this many times, each time after its simulation passed. */
const MOST_STRIKES = 3

/** Size refusals of a lone message count only after this many rests: the node's mempool may be nearly full. */
const RESTS_BEFORE_SIZE_COUNTS = 4

const innocent = () => ({
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
  chain: Pick<Chain, 'simulate'>
  wallet: Signer
  feeDenom: string
  canary: Any
  walletState: () => Pick<WalletState, 'nextSequence' | 'canaryPassed'>
  setCanaryPassed: () => Promise<void>
  clock: Clock
}): Blame {
  const { chain, wallet, feeDenom, canary, walletState, setCanaryPassed, clock } = options
  const suspects = new Map<string, Suspect>()
  /** Whether the chain has refused the control since the control last passed. */
  let isPaused = false

  function suspect(submissionId: string): Suspect {
    const one = suspects.get(submissionId) ?? { ...innocent(), rests: 0, until: Number.NEGATIVE_INFINITY }
    suspects.set(submissionId, one)
    return one
  }

  function rest(submissionId: string): void {
    const one = suspect(submissionId)
    one.rests += 1
    one.until = clock.elapsed() + backoffMs(one.rests, BACKOFF)
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

    async examine(batch) {
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

    failed({ suspects: ids, messages, refusal, by }) {
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
    isResting: submissionId => (suspects.get(submissionId)?.until ?? 0) > clock.elapsed(),
    get resting() {
      return waits().length
    },
    nextDueMs: () => (waits().length > 0 ? Math.min(...waits()) : undefined),
    together: submissionId => suspects.get(submissionId)?.together,
    failures: submissionId => suspects.get(submissionId)?.failures ?? 0,
    convicted: submissionId => suspects.get(submissionId)?.conviction,
    absolve(submissionIds) {
      for (const submissionId of submissionIds) Object.assign(suspects.get(submissionId) ?? {}, innocent())
    },
    forget(submissionIds) {
      for (const submissionId of submissionIds) suspects.delete(submissionId)
    }
  }
}
