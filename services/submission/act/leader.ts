import { type Loop, startLoop, UNTIL_WOKEN } from '../../async/loop.ts'
import { within } from '../../async/within.ts'
import type { Logger } from '../../logger.ts'
import type { Settled, SubmissionStore, Term, WalletState } from '../contract.ts'
import { HALTING, isOfBlocks, kindsEndedBy } from '../decide/blockers.ts'
import { StoreUncertainError, TermEndedError } from '../errors.ts'
import { createBalanceCheck } from './balance-check.ts'
import { BLOCKED_MS, createBlockers } from './blockers.ts'
import { createContext } from './context.ts'
import { createFollower } from './following.ts'
import { createInclusionWatch } from './inclusion-watch.ts'
import { createMempoolGate } from './mempool-gate.ts'
import { createNotifier } from './notifier.ts'
import { createPacker } from './packing.ts'
import { createPriceCheck } from './price-check.ts'
import { createBroadcaster } from './sending.ts'
import { createAudit } from './sequence-check.ts'
import { createStart } from './start.ts'
import type { Tools } from './tools.ts'
import { createVerifier } from './verifying.ts'

/** How often the packer polls for submissions from other replicas, because notifications can be lost. */
const LOOK_MS = 1000

/** The longest interval between two reports of the leader. */
const REPORT_MS = 5000

/** A leader that cannot read the chain for this long steps down: another replica's nodes might have the blocks. */
const MAX_BLIND_MS = 15_000

/** How long a start waits for the latest blocks, which it can read afterwards. */
const MAX_CATCHING_UP_MS = 10_000

/** While one of these is present, nothing new is signed. */
const HOLDING = [...HALTING, 'sequence-differs'] as const

/** While nothing may be signed or sent, only these workers run. */
const UNHALTED = ['reporter', 'follower', 'notifier']

/** These workers start once the latest blocks are read. */
const LATE = ['broadcaster', 'packer', 'auditor', 'price check', 'balance check', 'verifier'] as const

export type Leader = ReturnType<typeof createLeader>

/** Runs the wallet during one leader term. */
export function createLeader(options: {
  term: Term
  store: Pick<SubmissionStore, 'walletState' | 'feesPaidToday'>
  tools: Tools
  log: Logger
  onSettled: (submissions: readonly Settled[]) => void
  withoutTxId: () => number
}) {
  const { term, store, tools, log, onSettled, withoutTxId } = options
  const { epoch } = term
  const { clock } = tools

  let isEnded = false
  let markEnded = () => {}
  const ended = new Promise<void>(resolve => {
    markEnded = resolve
  })
  let markCaughtUp = () => {}
  const caughtUp = new Promise<void>(resolve => {
    markCaughtUp = resolve
  })
  let followedAt = clock.elapsed()
  let isBlind = false
  /** Nothing new is packed before the first audit has ended, whether or not nodes reported a sequence. */
  let isAudited = false
  const loops = new Map<string, Loop>()
  const wake = (name: keyof typeof workers) => loops.get(name)?.wake()

  const blockers = createBlockers({ log, clock, onChange: () => wake('reporter') })
  const context = createContext(tools, {
    store: term.store,
    feesPaidToday: store.feesPaidToday,
    log,
    blockers,
    inTerm,
    onSigned: () => wake('broadcaster'),
    onSettled
  })

  const start = createStart(context, store, { epoch, onLoaded: () => wake('reporter') })
  const mempoolGate = createMempoolGate(context)
  const isHeld = () => !isAudited || isEnded || HOLDING.some(blockers.has)
  const packStep = createPacker(context, () => isHeld() || !mempoolGate.isOpen)
  const auditStep = createAudit(context, mempoolGate.close)
  const verifier = createVerifier(context)
  const broadcaster = createBroadcaster(context, () => wake('packer'))
  const watchInclusion = createInclusionWatch(context)
  const followStep = createFollower(context, {
    onBlock() {
      blockers.clear(...kindsEndedBy('block'))
      broadcaster.blockApplied()
      watchInclusion()
      wake('broadcaster')
      wake('packer')
    },
    onForeign() {
      mempoolGate.close()
      blockers.raise('wallet-shared', 'a block contains a transaction of the wallet that is not in the store')
    },
    // Transactions sent before the start may already be in blocks, so blocks are read before anything is sent.
    onCaughtUp() {
      blockers.clear('catching-up')
      markCaughtUp()
      for (const name of LATE) work(name)
    }
  })

  const workers = {
    async reporter() {
      await term.store.putReport({
        blockers: blockers.present,
        withoutTxId: withoutTxId(),
        verification: verifier.state
      })
      return REPORT_MS
    },
    async follower() {
      try {
        const pause = await (context.account ? followStep() : start.register())
        followedAt = clock.elapsed()
        isBlind = false
        return pause
      } catch (error) {
        isBlind = isOfBlocks(error) && clock.elapsed() - followedAt > MAX_BLIND_MS
        if (isBlind && !term.isAlone) void end('cannot read blocks')
        throw error
      }
    },
    broadcaster: broadcaster.step,
    async packer() {
      if (isHeld()) return BLOCKED_MS
      const pause = (await mempoolGate.pause()) || (await packStep())
      return pause === UNTIL_WOKEN ? LOOK_MS : pause
    },
    async auditor() {
      try {
        return await auditStep()
      } finally {
        isAudited = true
        wake('packer')
      }
    },
    notifier: createNotifier(context),
    'price check': createPriceCheck(context),
    'balance check': createBalanceCheck(context),
    verifier: verifier.step
  }

  /** Starts the loop of a worker, which runs until the end of the term. */
  function work(name: keyof typeof workers): void {
    if (isEnded || loops.has(name)) return
    const loop = startLoop(name, () => run(name), { clock, log })
    loops.set(name, loop)
  }

  /** Runs one step of a worker. An error raises a blocker. */
  async function run(name: keyof typeof workers): Promise<number> {
    if (!UNHALTED.includes(name) && HALTING.some(blockers.has)) return BLOCKED_MS
    try {
      const pause = await inTerm(workers[name])
      blockers.recovered(name)
      return pause
    } catch (error) {
      const pause = isEnded ? undefined : blockers.failed(name, error)
      if (pause === undefined) throw error
      return pause
    }
  }

  /**
   * Runs a write. If the term is over, or the outcome of the write is unknown, ends the term in this process before
   * anything else is written.
   */
  async function inTerm<T>(change: () => Promise<T>): Promise<T> {
    try {
      return await change()
    } catch (error) {
      if (error instanceof TermEndedError || error instanceof StoreUncertainError) void end(error.message)
      throw error
    }
  }

  /** @param reason for the log; omitted when this process stops */
  async function end(reason?: string): Promise<void> {
    if (isEnded) return ended
    if (reason !== undefined) log.info({ epoch, reason }, 'this process no longer leads')
    isEnded = true
    for (const loop of loops.values()) void loop.stop()
    await term.stepDown().catch(err => log.debug({ err, epoch }, 'could not step down'))
    markEnded()
  }

  term.ended.addEventListener('abort', () => void end('another process may lead'))

  return {
    get account(): WalletState | undefined {
      return context.account
    },
    blockers,
    get verification() {
      return verifier.state
    },
    get openSlots() {
      return context.slots.size
    },
    get isEnded(): boolean {
      return isEnded
    },
    /** Resolves when the term has been lost, abandoned or stopped. */
    ended,
    /** Whether blocks could not be read for 15 seconds when the term ended. */
    get isBlind(): boolean {
      return isBlind
    },
    /** Returns even if no node responds. @param isFirst as for `begin` @throws StoreOwnerError, ForeignChainError */
    async start(isFirst: boolean): Promise<void> {
      work('reporter')
      work('notifier')
      await inTerm(() => start.begin(isFirst))
      work('follower')
      if (blockers.has('catching-up'))
        await within<void>(MAX_CATCHING_UP_MS, Promise.race([caughtUp, ended]), () => {}, clock)
    },
    queued: () => wake('packer'),
    blockAnnounced: () => wake('follower'),
    nodeChanged(): void {
      if (broadcaster.nodeChanged()) wake('broadcaster')
    },
    async stop(): Promise<void> {
      // Stop the follower first: its last step can start the other workers.
      await loops.get('follower')?.stop()
      await Promise.all([...loops.values()].map(loop => loop.stop()))
      await end()
    }
  }
}
