import type { Any } from 'cosmjs-types/google/protobuf/any'
import { type Loop, startLoop } from '../async/loop.ts'
import { type ChainClient, newestHeight } from '../chain-client/index.ts'
import { type Clock, systemClock } from '../clock.ts'
import { ServiceError } from '../errors/index.ts'
import type { Logger } from '../logger.ts'
import type { Signer } from '../wallet/signer.ts'
import { createIntake } from './intake/intake.ts'
import { createShares } from './intake/shares.ts'
import { createSubmissionLog } from './intake/submission-log.ts'
import { createResults, createWaiters } from './intake/waiters.ts'
import type { EngineSettings } from './lead/context.ts'
import { createDriver } from './lead/driver.ts'
import { createElection } from './lead/election.ts'
import type { Identify } from './settle/wallet-requests.ts'
import { StoreCorruptError, StoreUnavailableError } from './store/errors.ts'
import type { News, SubmissionStore } from './store/types.ts'
import { msLeftOfDay } from './store/utc-day.ts'
import type { Submission, SubmissionService } from './types.ts'

export type * from './types.ts'

/** How often results and the backlog are looked up, beside the store's news. */
const LOOK_MS = 1000

/** How long a shutdown waits for the results of submissions whose clients wait (interface 7.13). */
const DRAIN_MS = 10_000

/** The error for clients, where a damaged row is the cause (interface 7.22). */
const named = (cause: unknown) =>
  cause instanceof StoreCorruptError ? new ServiceError('SUBMISSION_DAMAGED', undefined, { cause }) : cause

/** @throws ServiceError STORE_UNAVAILABLE, SUBMISSION_DAMAGED */
async function reading<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (cause) {
    if (cause instanceof StoreUnavailableError)
      throw new ServiceError('STORE_UNAVAILABLE', undefined, { cause })
    throw named(cause)
  }
}

export interface SubmissionEngine extends SubmissionService {
  /**
   * Continues with the state in the store and starts the workers. Returns even when no node answers.
   * @throws StoreOwnerError when the store belongs to another wallet
   * @throws ForeignChainError when the store belongs to another chain
   * @throws StoreCorruptError
   */
  start(): Promise<void>
  /**
   * Resolves when no client waits for a result, after 10 seconds at the latest. Clients that come later are accepted
   * too; when the time is over, nobody waits any more.
   */
  drain(): Promise<void>
  /** Stops each worker after its present step. */
  stop(): Promise<void>
}

/**
 * The submission engine: puts each submission on the chain exactly once and follows it there (interface 7.1, 7.2).
 * One wallet, one store, one engine.
 */
export function createSubmissionEngine(options: {
  store: SubmissionStore
  chain: ChainClient
  wallet: Signer
  /** An encoded request of this wallet, which is only simulated: it shows whether the wallet may submit. */
  probe: Any
  /** What the wallet's requests are known by, in transactions that the store does not know. */
  identify: Identify
  settings: EngineSettings
  log: Logger
  clock?: Clock
}): SubmissionEngine {
  const { store, chain, wallet, probe, identify, settings, log, clock = systemClock } = options
  const waiters = createWaiters(clock)
  const results = createResults(store, waiters)
  const shares = createShares(store)
  const submissionLog = createSubmissionLog(log)
  const intake = createIntake({ store, log, submissionLog, clock, shares, closedReason, incompleteReason })
  const tools = { chain, wallet, probe, identify, settings, clock, traceOf: submissionLog.traceOf }
  const election = createElection({
    store,
    chain,
    address: wallet.address,
    createDriver: term =>
      createDriver({
        term,
        store,
        tools,
        log,
        onSettled,
        withoutTxId: () => withoutTxId
      }),
    clock,
    log
  })
  let withoutTxId = 0
  let cancelRelease = () => {}
  let looking: Loop | undefined
  /** The leader's report, for while this process does not lead. */
  let report: Awaited<ReturnType<SubmissionStore['report']>>

  /** What this process has settled it need not read again for its own clients. */
  function onSettled(submissions: readonly Submission[]): void {
    for (const submission of submissions) {
      submissionLog.settled(submission)
      waiters.settle(submission)
    }
    reportMissingTxIds(submissions)
  }

  /** These are executed and final. Only an operator can find their ids, by the hash (interface 7.14). */
  function reportMissingTxIds(submissions: readonly Submission[]): void {
    for (const submission of submissions) {
      if (submission.status !== 'committed' || submission.txId !== undefined) continue
      const { submissionId, transactionHash: hash, height } = submission
      withoutTxId += 1
      log.error(
        { submissionId, hash, height },
        'the chain executed a submission without a readable transaction id'
      )
    }
  }

  /** The blockers of whichever process leads. */
  const present = () => election.driver?.blockers.present ?? report?.blockers ?? []

  /** The reason to refuse submissions: they could not be executed until an operator acts (interface 6.28). */
  function closedReason(): ServiceError | undefined {
    if (settings.isIntakeClosed)
      return new ServiceError('INTAKE_CLOSED', 'The service hands over to another wallet')
    const blockers = new Set(present().map(({ kind }) => kind))
    if (blockers.has('foreign-chain'))
      return new ServiceError('INTAKE_CLOSED', 'The RPC node follows another chain')
    if (blockers.has('history-pruned')) {
      return new ServiceError('INTAKE_CLOSED', 'No RPC node has the blocks that the service must read')
    }
    if (blockers.has('nodes-disagree')) return new ServiceError('INTAKE_CLOSED', 'The RPC nodes disagree')
    if (blockers.has('wallet-not-whitelisted')) return new ServiceError('WALLET_NOT_WHITELISTED')
    if (blockers.has('looking-back'))
      return new ServiceError('INTAKE_CLOSED', 'The service reads what it has executed')
    if (blockers.has('daily-fee-limit')) {
      const seconds = Math.ceil(msLeftOfDay(store.now()) / 1000)
      return new ServiceError('DAILY_FEE_LIMIT', undefined, { headers: { 'retry-after': String(seconds) } })
    }
    return election.account ? undefined : new ServiceError('WALLET_UNKNOWN')
  }

  /** Until the store has what the wallet has executed, no check may refuse for good what may be a retry (interface 7.23). */
  function incompleteReason(): ServiceError | undefined {
    const blockers = present().map(({ kind }) => kind)
    const isStarting = !election.account && !blockers.includes('wallet-unknown')
    return isStarting || blockers.includes('looking-back') ? closedReason() : undefined
  }

  function hear(news: News): void {
    if (news.kind === 'queued') {
      election.driver?.queued()
      return
    }
    if (news.kind === 'resigned') {
      election.resigned(news.epoch)
      return
    }
    if (news.kind === 'reported') {
      readReport().catch(err => log.debug({ err }, 'the report of the leader could not be read'))
      return
    }
    const { submissionIds } = news
    intake.noteSettled(submissionIds?.length ?? 0)
    if (submissionIds) shares.remove(submissionIds)
    else shares.doubt()
    if (!election.driver) submissionLog.forget(submissionIds ?? [])
    const looked = submissionIds ? results.lookFor(submissionIds) : results.look()
    looked.catch(err => log.debug({ err }, 'results could not be read; they are looked for every second'))
  }

  async function readReport(): Promise<void> {
    if (election.driver) return
    report = await store.report()
    await election.readAccount()
  }

  /** Looks for what news did not say: it may be lost, and other replicas accept submissions too. */
  async function look(): Promise<number> {
    intake.setUnsettled(await store.countUnsettled())
    await results.look()
    await shares.look()
    await readReport()
    return LOOK_MS
  }

  async function start(): Promise<void> {
    store.onNews(hear)
    chain.onNewBlock(() => election.driver?.blockAnnounced())
    chain.onNodeChange(() => election.driver?.nodeChanged())
    intake.setUnsettled(await store.countUnsettled())
    await election.start()
    looking = startLoop('results', look, { clock, log })
  }

  return {
    start,
    submit: (request, requester) => intake.take(request, requester),
    isAccepted: request => intake.isAccepted(request),
    find: submissionId => reading(() => store.find(submissionId)),
    list: (filter, limit) => reading(() => store.list(filter, limit)),
    async settled(submissionId, timeoutMs) {
      const waiting = waiters.wait(submissionId, timeoutMs)
      // What cannot be read now is looked for every second, and read alone at the end.
      await results.lookFor([submissionId]).catch(() => {})
      const settled =
        (await waiting) ?? (await store.find(submissionId).catch(cause => Promise.reject(named(cause))))
      if (!settled) throw new TypeError(`submission ${submissionId} does not exist`)
      return settled
    },
    async drain() {
      cancelRelease = clock.after(DRAIN_MS, waiters.release)
      await waiters.empty()
    },
    async stop() {
      cancelRelease()
      waiters.release()
      await Promise.all([election.stop(), looking?.stop()])
    },
    health: () => ({
      blockers: present(),
      height: election.account?.cursorHeight,
      newestHeight: newestHeight(chain.health()),
      loops: [...election.health, ...(election.driver ? [] : (report?.loops ?? []))],
      leaderSilentMs: election.driver ? 0 : (report?.ageMs ?? 0),
      inFlight: election.driver?.inFlight,
      unsettled: intake.unsettled,
      withoutTxId: election.driver ? withoutTxId : (report?.withoutTxId ?? 0)
    })
  }
}
