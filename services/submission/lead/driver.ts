import { type Loop, type LoopHealth, startLoop, UNTIL_WOKEN } from '../../async/loop.ts'
import { HistoryPrunedError, NodeUnavailableError } from '../../chain-client/index.ts'
import type { Logger } from '../../logger.ts'
import { NodesDisagreeError } from '../opinions/account.ts'
import { createMempoolGate } from '../pack/mempool-gate.ts'
import { createPacker } from '../pack/packer.ts'
import { createBroadcaster } from '../send/broadcaster.ts'
import { createAudit } from '../settle/audit.ts'
import { createFollower } from '../settle/follower.ts'
import type { EngineStore, Term } from '../store/engine-writes.ts'
import { StoreUncertainError, TermEndedError } from '../store/errors.ts'
import type { SignerState, SubmissionStore } from '../store/types.ts'
import type { InFlight, Submission } from '../types.ts'
import { ForeignChainError } from './account.ts'
import { BLOCKED_MS, createBeginning } from './beginning.ts'
import type { Blockers } from './blockers.ts'
import { createContext, type Tools } from './context.ts'

/** No node has the next block, or none that can be believed. The next one that is read ends it. */
const NO_BLOCKS = ['foreign-chain', 'history-pruned', 'nodes-disagree'] as const

/** How often the packer looks for submissions of other replicas whose news was lost. */
const LOOK_MS = 1000

/** How often the leader reports what has not changed: its silence is a report too. */
const REPORT_MS = 5000

/** A leader that can read no block of the chain for so long gives up, because the nodes of another replica may have it. */
const MOST_BLIND_MS = 15_000

/** Drives the wallet for one term: signs, sends and follows. What it has loaded and learnt ends with the term. */
export interface Driver {
  /** The wallet's account and the cursor; undefined until they are known. */
  readonly account: SignerState | undefined
  readonly blockers: Blockers
  readonly loops: LoopHealth[]
  readonly inFlight: InFlight
  readonly isOver: boolean
  /** Resolves when the term is over: lost, given up or resigned by `stop`. */
  readonly over: Promise<void>
  /** Whether the term was given up because no block could be read. */
  readonly isBlind: boolean
  /**
   * Continues with the state in the store and starts the workers. Returns even when no node answers.
   * @throws StoreOwnerError, ForeignChainError, StoreCorruptError
   */
  start(): Promise<void>
  /** A submission was queued. */
  queued(): void
  /** A node has a new block. */
  blockAnnounced(): void
  /** Requests go to another node from now on. */
  nodeChanged(): void
  /** Stops each worker after its present step, and resigns. */
  stop(): Promise<void>
}

/** The end of a term, which its own writes may be the first to notice. @param onEnd runs before the term is resigned */
function createEnding(term: Term, log: Logger, onEnd: () => void) {
  const { epoch, ended } = term
  let isOver = false
  let markOver = () => {}
  const over = new Promise<void>(resolve => {
    markOver = resolve
  })

  /** @param reason for the log; left out when this process stops */
  async function end(reason?: string): Promise<void> {
    if (isOver) return over
    isOver = true
    if (reason !== undefined) log.info({ epoch, reason }, 'this process no longer drives the wallet')
    onEnd()
    try {
      await term.resign()
    } catch (err) {
      log.debug({ err, epoch }, 'the term could not be resigned')
    }
    markOver()
  }

  function write(level: 'info' | 'warn' | 'error'): Logger['info'] {
    return (fields, message) => (isOver ? log.debug(fields, message) : log[level](fields, message))
  }

  ended.addEventListener('abort', () => void end('another process may drive it'))
  return {
    get isOver() {
      return isOver
    },
    /** Resolves when the term is over and resigned. */
    over,
    /** The term's store. A write that fails because the term is over, or whose outcome is unknown, ends the term. */
    store: aroundWrites(term.store, async work => {
      try {
        return await work()
      } catch (error) {
        if (error instanceof TermEndedError || error instanceof StoreUncertainError) void end(error.message)
        throw error
      }
    }),
    /** From the end on, everything is written at level `debug`: a call that was in flight may fail, which is no trouble. */
    log: {
      debug: (...said: Parameters<Logger['debug']>) => log.debug(...said),
      info: write('info'),
      warn: write('warn'),
      error: write('error')
    },
    end
  }
}

export function createDriver(options: {
  term: Term
  store: Pick<SubmissionStore, 'signer' | 'feesPaidToday'>
  tools: Tools
  log: Logger
  onSettled: (submissions: readonly Submission[]) => void
  withoutTxId: () => number
}): Driver {
  const { term, store, tools, onSettled, withoutTxId } = options
  const { clock } = tools
  let follower: Loop | undefined
  let packer: Loop | undefined
  let broadcaster: Loop | undefined
  let reporter: Loop | undefined
  let auditor: Loop | undefined
  /** Nothing is signed before the store's sequence was compared with the account's, where nodes can say. */
  let isAudited = false
  let followedAt = clock.elapsed()
  let isBlind = false

  const loops = () => [follower, packer, broadcaster].flatMap(loop => loop ?? [])
  const ending = createEnding(term, options.log, () => {
    for (const loop of [...loops(), reporter, auditor]) void loop?.stop()
  })
  const { log } = ending
  const { feesPaidToday } = store
  const context = createContext(
    tools,
    { store: ending.store, feesPaidToday, log },
    {
      onVariant: () => broadcaster?.wake(),
      onSettled,
      onChange: () => reporter?.wake()
    }
  )
  const { blockers } = context
  const beginning = createBeginning(context, store, term.epoch)

  const packStep = createPacker(context)
  const mempoolGate = createMempoolGate(context)
  const auditStep = createAudit(context, mempoolGate.doubt)
  const broadcasting = createBroadcaster(context, () => packer?.wake())
  const followStep = createFollower(context, {
    onBlock() {
      blockers.clear(...NO_BLOCKS)
      broadcasting.blockApplied()
      broadcaster?.wake()
      packer?.wake()
    },
    onUnknown: mempoolGate.doubt,
    // Transactions sent before the start may be in blocks by now, so these are read before anything is sent.
    onCaughtUp() {
      if (ending.isOver) return
      broadcaster ??= startLoop('broadcaster', onOwnChain(broadcasting.step), { clock, log })
      packer ??= startLoop('packer', onOwnChain(pack), { clock, log })
      auditor ??= startLoop('auditor', onOwnChain(audit), { clock, log })
    }
  })

  async function report(): Promise<number> {
    await ending.store.putReport({
      blockers: blockers.present,
      loops: loops().map(loop => loop.health()),
      withoutTxId: withoutTxId()
    })
    return REPORT_MS
  }

  async function audit(): Promise<number> {
    try {
      return await auditStep()
    } finally {
      isAudited = true
      packer?.wake()
    }
  }

  async function pack(): Promise<number> {
    if (!isAudited || blockers.has('sequence-differs')) return BLOCKED_MS
    const pause = (await mempoolGate.pause()) || (await packStep())
    return pause === UNTIL_WOKEN ? LOOK_MS : pause
  }

  /** Whether the results of what is sent cannot be read. */
  const hasNoBlocks = () => NO_BLOCKS.some(blockers.has)

  /** Pauses a worker while no node has the blocks of the store's chain. */
  function onOwnChain(step: () => Promise<number>): () => Promise<number> {
    return async () => (hasNoBlocks() ? BLOCKED_MS : step())
  }

  function giveUpWhenBlind(): void {
    isBlind = clock.elapsed() - followedAt > MOST_BLIND_MS
    if (isBlind && !term.isAlone) void ending.end('it cannot read blocks')
  }

  async function follow(): Promise<number> {
    try {
      const pause = await (context.account ? followStep() : beginning.register())
      blockers.clear('node-unreachable', 'history-pruned')
      followedAt = clock.elapsed()
      return pause
    } catch (error) {
      if (error instanceof ForeignChainError) blockers.raise('foreign-chain', error.message)
      else if (error instanceof HistoryPrunedError) blockers.raise('history-pruned', error.message)
      else if (error instanceof NodesDisagreeError) blockers.raise('nodes-disagree', error.message)
      else if (!(error instanceof NodeUnavailableError)) throw error
      giveUpWhenBlind()
      if (error instanceof NodeUnavailableError) throw error
      return BLOCKED_MS
    }
  }

  return {
    get account() {
      return context.account
    },
    blockers,
    get loops() {
      return loops().map(loop => loop.health())
    },
    get inFlight() {
      const { size: slots, submissions } = context.slots
      return { slots, submissions }
    },
    get isOver() {
      return ending.isOver
    },
    over: ending.over,
    get isBlind() {
      return isBlind
    },
    async start() {
      if (!ending.isOver) reporter = startLoop('reporter', report, { clock, log })
      await beginning.begin()
      if (!ending.isOver) follower = startLoop('follower', follow, { clock, log })
    },
    queued: () => packer?.wake(),
    blockAnnounced: () => follower?.wake(),
    nodeChanged() {
      if (broadcasting.nodeChanged()) broadcaster?.wake()
    },
    async stop() {
      // The follower first: its last step may start the others.
      await follower?.stop()
      await Promise.all([packer?.stop(), broadcaster?.stop(), reporter?.stop(), auditor?.stop()])
      await ending.end()
    }
  }
}

/** The store with something done around each of its writes. */
function aroundWrites(store: EngineStore, around: <T>(write: () => Promise<T>) => Promise<T>): EngineStore {
  return {
    putSigner: state => around(() => store.putSigner(state)),
    correctSequence: (from, to) => around(() => store.correctSequence(from, to)),
    setProbePassed: () => around(store.setProbePassed),
    queued: store.queued,
    openVariants: store.openVariants,
    openSlot: variant => around(() => store.openSlot(variant)),
    addVariant: variant => around(() => store.addVariant(variant)),
    reject: (submissionId, error) => around(() => store.reject(submissionId, error)),
    applyBlocks: blocks => around(() => store.applyBlocks(blocks)),
    adopt: requests => around(() => store.adopt(requests)),
    putReport: report => around(() => store.putReport(report))
  }
}
