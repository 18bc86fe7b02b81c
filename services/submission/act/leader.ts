import { type Loop, type LoopHealth, startLoop, UNTIL_WOKEN } from '../../async/loop.ts'
import { HistoryPrunedError, NodeUnavailableError } from '../../chain-client/index.ts'
import { messageOf } from '../../errors/shown.ts'
import type { Logger } from '../../logger.ts'
import type { BlockerKind, Submission, SubmissionStore, Term, WalletState } from '../contract.ts'
import { StoreCorruptError, StoreUncertainError, TermEndedError } from '../errors.ts'
import { ForeignChainError, NodesDisagreeError } from './blocks.ts'
import { createContext } from './context.ts'
import { BLOCKED_MS, type Tools } from './engine-context.ts'
import { createFollower } from './following.ts'
import { createMempoolGate } from './mempool-gate.ts'
import { createPacker } from './packing.ts'
import { createBroadcaster } from './sending.ts'
import { createAudit } from './sequence-check.ts'
import { createStart } from './start.ts'

/** Blockers raised while no node has a trusted next block. They are cleared once that block is applied. */
const NO_BLOCKS = ['foreign-chain', 'history-pruned', 'nodes-disagree'] as const

/** While one of these blockers is present, nothing is signed or sent. */
const STOPPING = [...NO_BLOCKS, 'store-corrupt'] as const

/** Notifications can be lost, so the packer also polls for submissions from other replicas. */
const LOOK_MS = 1000

/** The longest interval between two reports. A leader whose newest report is older has stalled. */
const REPORT_MS = 5000

/** A leader that cannot read the chain for this long steps down: another replica's nodes might have the blocks. */
const MOST_BLIND_MS = 15_000

const REPORTED = ['follower', 'packer', 'broadcaster']

function blockerOf(error: unknown): BlockerKind | undefined {
  if (error instanceof ForeignChainError) return 'foreign-chain'
  if (error instanceof HistoryPrunedError) return 'history-pruned'
  if (error instanceof NodesDisagreeError) return 'nodes-disagree'
  return undefined
}

export type Leader = ReturnType<typeof createLeader>

export function createLeader(options: {
  term: Term
  store: Pick<SubmissionStore, 'walletState' | 'feesPaidToday'>
  tools: Tools
  log: Logger
  onSettled: (submissions: readonly Submission[]) => void
  withoutTxId: () => number
}) {
  const { term, store, tools, onSettled, withoutTxId } = options
  const { epoch } = term
  const { clock } = tools
  const workers = new Map<string, Loop>()
  /** Nothing new is packed before the first audit has ended, whether or not nodes reported a sequence. */
  let isAudited = false
  let followedAt = clock.elapsed()
  let isBlind = false
  let isEnded = false
  let markEnded = () => {}
  const ended = new Promise<void>(resolve => {
    markEnded = resolve
  })

  /** Logs at level `debug` once the term has ended: calls in flight can still fail, which is harmless. */
  const at =
    (level: keyof Logger): Logger['info'] =>
    (fields, message) =>
      options.log[isEnded ? 'debug' : level](fields, message)
  const log: Logger = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }

  /** @param reason for the log; omitted when this process stops */
  async function end(reason?: string): Promise<void> {
    if (isEnded) return ended
    if (reason !== undefined) log.info({ epoch, reason }, 'this process no longer leads')
    isEnded = true
    for (const worker of workers.values()) void worker.stop()
    await term.stepDown().catch(err => log.debug({ err, epoch }, 'could not step down'))
    markEnded()
  }

  term.ended.addEventListener('abort', () => void end('another process may lead'))

  /** Runs a write. Ends this term before anything else is written if the term is over, or if the outcome is unknown. */
  async function inTerm<T>(change: () => Promise<T>): Promise<T> {
    try {
      return await change()
    } catch (error) {
      if (error instanceof TermEndedError || error instanceof StoreUncertainError) void end(error.message)
      throw error
    }
  }

  /** Runs a step. A damaged row stops the engine until the end of the term. */
  async function guarded(step: () => Promise<number>): Promise<number> {
    try {
      return await inTerm(step)
    } catch (error) {
      if (!(error instanceof StoreCorruptError)) throw error
      return blockers.raise('store-corrupt', error.message)
    }
  }

  function work(name: string, step: () => Promise<number>): void {
    if (isEnded || workers.has(name)) return
    workers.set(
      name,
      startLoop(name, () => guarded(step), { clock, log })
    )
  }

  const wake = (name: string) => workers.get(name)?.wake()
  const loops = (): LoopHealth[] => REPORTED.flatMap(name => workers.get(name)?.health() ?? [])

  const context = createContext(tools, {
    store: term.store,
    feesPaidToday: store.feesPaidToday,
    log,
    inTerm,
    onSigned: () => wake('broadcaster'),
    onSettled,
    onChange: () => wake('reporter')
  })
  const { blockers } = context
  const start = createStart(context, store, epoch)
  const packStep = createPacker(context)
  const mempoolGate = createMempoolGate(context)
  const auditStep = createAudit(context, mempoolGate.doubt)
  const broadcaster = createBroadcaster(context, () => wake('packer'))
  const followStep = createFollower(context, {
    onBlock() {
      blockers.clear(...NO_BLOCKS)
      broadcaster.blockApplied()
      wake('broadcaster')
      wake('packer')
    },
    onForeign: mempoolGate.doubt,
    // Transactions sent before the start may already be in blocks, so blocks are read before anything is sent.
    onCaughtUp() {
      work('broadcaster', unlessStopped(broadcaster.step))
      work('packer', unlessStopped(pack))
      work('auditor', unlessStopped(audit))
    }
  })

  /** Pauses a worker while the results of sent transactions could not be read, or a row of the store. */
  function unlessStopped(step: () => Promise<number>): () => Promise<number> {
    return async () => (STOPPING.some(blockers.has) ? BLOCKED_MS : step())
  }

  async function report(): Promise<number> {
    await term.store.putReport({ blockers: blockers.present, loops: loops(), withoutTxId: withoutTxId() })
    return REPORT_MS
  }

  async function audit(): Promise<number> {
    try {
      return await auditStep()
    } finally {
      isAudited = true
      wake('packer')
    }
  }

  async function pack(): Promise<number> {
    if (!isAudited || blockers.has('sequence-differs')) return BLOCKED_MS
    const pause = (await mempoolGate.pause()) || (await packStep())
    return pause === UNTIL_WOKEN ? LOOK_MS : pause
  }

  async function follow(): Promise<number> {
    try {
      const pause = await (context.account ? followStep() : start.register())
      blockers.clear('node-unreachable', 'history-pruned')
      followedAt = clock.elapsed()
      isBlind = false
      return pause
    } catch (error) {
      const kind = blockerOf(error)
      if (kind) blockers.raise(kind, messageOf(error))
      else if (!(error instanceof NodeUnavailableError)) throw error
      isBlind = clock.elapsed() - followedAt > MOST_BLIND_MS
      if (isBlind && !term.isAlone) void end('cannot read blocks')
      if (!kind) throw error
      return BLOCKED_MS
    }
  }

  return {
    get account(): WalletState | undefined {
      return context.account
    },
    blockers,
    loops,
    get openSlots() {
      return context.slots.size
    },
    get isEnded(): boolean {
      return isEnded
    },
    /** Resolves when the term has been lost, abandoned or stopped. */
    ended,
    /** Whether blocks could not be read for a while before the term ended. */
    get isBlind(): boolean {
      return isBlind
    },
    /** Returns even if no node responds. @throws StoreOwnerError, ForeignChainError */
    async start(): Promise<void> {
      work('reporter', report)
      await guarded(start.begin)
      work('follower', follow)
    },
    queued: () => wake('packer'),
    blockAnnounced: () => wake('follower'),
    nodeChanged(): void {
      if (broadcaster.nodeChanged()) wake('broadcaster')
    },
    async stop(): Promise<void> {
      // Stop the follower first: its last step can start the other workers.
      await workers.get('follower')?.stop()
      await Promise.all([...workers.values()].map(worker => worker.stop()))
      await end()
    }
  }
}
