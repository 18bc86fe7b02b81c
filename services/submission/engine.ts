import { type Loop, startLoop } from '../async/loop.ts'
import { createPoller } from '../async/poller.ts'
import { newestHeight } from '../chain-client/index.ts'
import { systemClock } from '../clock.ts'
import { ServiceError } from '../errors/index.ts'
import type { Logger } from '../logger.ts'
import { createElection } from './act/election.ts'
import { createIntake } from './act/intake.ts'
import { createLeader } from './act/leader.ts'
import { createShares } from './act/shares.ts'
import { createSubmissionLog } from './act/submission-log.ts'
import type { Tools } from './act/tools.ts'
import { createWaiters, submissionSource } from './act/waiters.ts'
import type { Blocker, Notification, Settled, SubmissionEngine, SubmissionStore } from './contract.ts'
import { closing, isIncomplete } from './decide/blockers.ts'
import { StoreCorruptError, StoreUnavailableError } from './errors.ts'

/** How often the backlog is polled, because notifications can be lost. */
const LOOK_MS = 1000

const DAY_S = 86_400

/** How long a shutdown waits for submissions whose clients are waiting for a result (interface 7.13). */
const DRAIN_MS = 10_000

export function createSubmissionEngine({
  store,
  log,
  clock = systemClock,
  ...options
}: Omit<Tools, 'clock' | 'spanOf'> &
  Partial<Pick<Tools, 'clock'>> & { store: SubmissionStore; log: Logger }): SubmissionEngine {
  const { chain, wallet, settings } = options
  const poller = createPoller('submission', submissionSource(store), { clock, log })
  const waiters = createWaiters(poller, clock)
  const shares = createShares(store)
  const submissionLog = createSubmissionLog(log)
  const intake = createIntake({
    store,
    log,
    submissionLog,
    clock,
    shares,
    closedReason,
    incompleteReason,
    onDamage: noteDamage
  })
  const tools = { ...options, clock, spanOf: submissionLog.spanOf }
  const election = createElection({
    store,
    chain,
    address: wallet.address,
    createLeader(term) {
      const leader = createLeader({ term, store, tools, log, onSettled, withoutTxId: () => withoutTxId })
      if (corrupt) leader.blockers.raise('store-corrupt', corrupt.reason)
      return leader
    },
    clock,
    log
  })
  let withoutTxId = 0
  /** Raised when this process reads a damaged row, until it restarts. */
  let corrupt: Blocker | undefined
  let cancelRelease = () => {}
  let looking: Loop | undefined
  let report: Awaited<ReturnType<SubmissionStore['report']>>

  function onSettled(submissions: readonly Settled[]): void {
    for (const { kind, ...submission } of submissions) {
      submissionLog.settled(submission)
      poller.offer(submission.submissionId, submission)
      const hasId = kind === 'transfer' || kind === 'swap'
      if (!hasId || submission.status !== 'committed' || submission.txId !== undefined) continue
      // The submission is final. Only an operator can look up its id, by the transaction hash (interface 7.14).
      const { submissionId, transactionHash: hash, height } = submission
      withoutTxId += 1
      log.error(
        { submissionId, hash, height },
        'the chain executed a submission but returned no readable transaction id'
      )
    }
  }

  /** Stops the engine, unless the damage affects only one settled submission (interface 7.22). */
  function noteDamage(err: StoreCorruptError): void {
    log.error({ err }, 'read a damaged row')
    if (!err.stopsEngine) return
    const reason = err.message
    corrupt ??= { kind: 'store-corrupt', reason, since: new Date(clock.now()).toISOString() }
    election.leader?.blockers.raise('store-corrupt', reason)
  }

  /** Converts the error of a damaged row to the error for clients. */
  function asDamage(cause: unknown): unknown {
    if (!(cause instanceof StoreCorruptError)) return cause
    noteDamage(cause)
    return new ServiceError('SUBMISSION_DAMAGED', undefined, { cause })
  }

  /** @throws ServiceError STORE_UNAVAILABLE, SUBMISSION_DAMAGED */
  function reading<T>(read: Promise<T>): Promise<T> {
    return read.catch(cause => {
      throw cause instanceof StoreUnavailableError
        ? new ServiceError('STORE_UNAVAILABLE', undefined, { cause })
        : asDamage(cause)
    })
  }

  function present(): Blocker[] {
    const blockers = [...election.blockers, ...(election.leader ? [] : (report?.blockers ?? []))]
    return corrupt && !blockers.some(({ kind }) => kind === 'store-corrupt')
      ? [...blockers, corrupt]
      : blockers
  }

  /** Returns the error for new submissions; undefined while intake is open (interface 6.28). */
  function closedReason(): ServiceError | undefined {
    if (settings.isIntakeClosed)
      return new ServiceError('INTAKE_CLOSED', 'The service is handing over to another wallet')
    const closed = closing(present())
    if (!closed) return election.account ? undefined : new ServiceError('WALLET_UNKNOWN')
    const { code, reason } = closed
    const secondsLeft = DAY_S - (Math.floor(store.now() / 1000) % DAY_S)
    const headers = code === 'DAILY_FEE_LIMIT' && { headers: { 'retry-after': String(secondsLeft) } }
    return new ServiceError(code, reason, { ...headers })
  }

  /**
   * Returns the error to throw while the store might lack executed requests: retries might not be
   * recognized, and no check may permanently reject them (interface 7.23).
   */
  function incompleteReason(): ServiceError | undefined {
    const blockers = present()
    const isStarting = !election.account && !blockers.some(({ kind }) => kind === 'wallet-unknown')
    return isStarting || isIncomplete(blockers) ? closedReason() : undefined
  }

  function hear(notification: Notification): void {
    if (notification.kind === 'queued') election.leader?.queued()
    else hearSettled(notification.submissionIds)
  }

  /** @param submissionIds undefined if there were too many to list */
  function hearSettled(submissionIds: readonly string[] | undefined): void {
    if (submissionIds) shares.remove(submissionIds)
    else shares.recheck()
    if (!election.leader) submissionLog.forget(submissionIds ?? [])
    // This process publishes its own settled submissions in the current turn of the event loop. Poll after that, so
    // that they are not read again.
    setImmediate(poller.poll, submissionIds)
  }

  async function look(): Promise<number> {
    intake.setUnsettled(await store.countUnsettled())
    await shares.look()
    if (election.leader) return LOOK_MS
    report = await store.report()
    await election.readAccount()
    return LOOK_MS
  }

  return {
    async start() {
      store.onNotification(hear)
      chain.onNewBlock(() => election.leader?.blockAnnounced())
      chain.onNodeChange(() => election.leader?.nodeChanged())
      intake.setUnsettled(await store.countUnsettled())
      await election.start()
      looking = startLoop('backlog', look, { clock, log })
    },
    submit: intake.submit,
    isAccepted: intake.isAccepted,
    find: submissionId => reading(poller.find(submissionId)),
    watch: poller.watch,
    list: (filter, limit) => reading(store.list(filter, limit, noteDamage)),
    async settled(submissionId, timeoutMs, known) {
      const waiting = waiters.wait(submissionId, timeoutMs)
      if (known?.status !== 'queued') poller.poll([submissionId])
      const settled =
        (await waiting) ?? (await store.find(submissionId).catch(cause => Promise.reject(asDamage(cause))))
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
      await Promise.all([election.stop(), looking?.stop(), poller.stop()])
    },
    health() {
      const { leader } = election
      return {
        blockers: present(),
        height: election.account?.cursorHeight,
        newestHeight: newestHeight(chain.health()),
        leaderSilentMs: leader ? 0 : (report?.ageMs ?? 0),
        openSlots: leader?.openSlots,
        unsettled: intake.unsettled,
        withoutTxId: leader ? withoutTxId : (report?.withoutTxId ?? 0),
        verification: leader ? leader.verification : report?.verification
      }
    }
  }
}
