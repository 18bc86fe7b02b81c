import type { Any } from 'cosmjs-types/google/protobuf/any'
import {
  type ChainClient,
  HistoryPrunedError,
  NodeUnavailableError,
  newestHeight
} from '../chain-client/index.ts'
import { type Clock, systemClock } from '../clock.ts'
import {
  IntakeClosedError,
  type ServiceError,
  WalletNotWhitelistedError,
  WalletUnknownError
} from '../errors/index.ts'
import type { Logger } from '../logger.ts'
import type { Signer } from '../wallet/signer.ts'
import { createBlockReader } from './following/block-reader.ts'
import { createFollower } from './following/follower.ts'
import { createIntake } from './intake/intake.ts'
import { createWaiters } from './intake/waiters.ts'
import { createPacker } from './packing/packer.ts'
import { createSetAside } from './packing/set-aside.ts'
import type { EngineContext, EngineSettings } from './runtime/context.ts'
import { type Loop, startLoop } from './runtime/loop.ts'
import { createMutex } from './runtime/mutex.ts'
import { createBroadcaster } from './sending/broadcaster.ts'
import { createFeePolicy } from './signing/fees.ts'
import { createImpediments } from './state/impediments.ts'
import { createProbe } from './state/probe.ts'
import { ForeignChainError, registerSigner, storedSigner, verifyChain } from './state/signer-state.ts'
import { createSlotTable } from './state/slots.ts'
import type { SignerState, SubmissionStore } from './store/types.ts'
import type { CommittedSubmission, Submission, SubmissionService } from './types.ts'

export type * from './types.ts'

/** The pause between two checks whether the chain knows the account and a node has the right chain and history. */
const IMPEDED_MS = 2000

/** How long a shutdown waits for the results of submissions whose clients wait (interface 7.13). */
const DRAIN_MS = 10_000

export interface SubmissionEngine extends SubmissionService {
  /**
   * Continues with the state in the store and starts the workers. Returns even when no node answers.
   * @throws StoreOwnerError when the store belongs to another wallet
   * @throws ForeignChainError when the store belongs to another chain
   * @throws StoreCorruptError
   */
  start(): Promise<void>
  /** Closes intake and waits, for a bounded time, until the waiting clients have their results. */
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
  settings: EngineSettings
  log: Logger
  clock?: Clock
}): SubmissionEngine {
  const { store, chain, wallet, probe, settings, log, clock = systemClock } = options
  const slots = createSlotTable()
  const setAside = createSetAside(clock)
  const waiters = createWaiters(clock)
  const impediments = createImpediments({ log, clock })
  const intake = createIntake({ store, log, closedReason, onAccepted: () => packer?.wake() })
  let draining = false
  let withoutTxId = 0
  let signer: SignerState | undefined
  let follower: Loop | undefined
  let packer: Loop | undefined
  let broadcaster: Loop | undefined

  const context: EngineContext = {
    store,
    chain,
    blocks: createBlockReader(chain, clock),
    wallet,
    probe: createProbe({
      chain,
      wallet,
      request: probe,
      isKnownToPass: () => signer?.probePassed ?? false,
      async setKnownToPass() {
        await store.setProbePassed()
        if (signer) signer = { ...signer, probePassed: true }
      }
    }),
    slots,
    setAside,
    settings,
    fees: createFeePolicy(settings.gasPrice, clock),
    impediments,
    clock,
    log,
    withSlotLock: createMutex(),
    signer() {
      if (!signer) throw new TypeError('the signer state is not loaded yet')
      return signer
    },
    setSigner(state) {
      signer = state
    },
    variantStored(variant) {
      slots.add(variant)
      broadcaster?.wake()
    },
    settle(submissions) {
      intake.noteSettled(submissions.length)
      setAside.remove(submissions.map(({ submissionId }) => submissionId))
      for (const submission of submissions) {
        if (submission.status === 'committed' && submission.txId === undefined) reportMissingTxId(submission)
        waiters.settle(submission)
      }
    }
  }

  const packStep = createPacker(context)
  const broadcasting = createBroadcaster(context, () => packer?.wake())
  const followStep = createFollower(context, {
    onBlock() {
      impediments.clear('foreign-chain', 'history-pruned')
      broadcasting.blockApplied()
      broadcaster?.wake()
      packer?.wake()
    },
    // Transactions sent before the start may be in blocks by now, so these are read before anything is sent.
    onCaughtUp() {
      broadcaster ??= startLoop('broadcaster', onOwnChain(broadcasting.step), { clock, log })
      packer ??= startLoop('packer', onOwnChain(packStep), { clock, log })
    }
  })

  /** The submission is executed and final. Only an operator can find its id, by the hash (interface 7.14). */
  function reportMissingTxId({ submissionId, transactionHash: hash, height }: CommittedSubmission): void {
    withoutTxId += 1
    log.error(
      { submissionId, hash, height },
      'the chain executed a submission without a readable transaction id'
    )
  }

  /** Whether the results of what is sent cannot be read. */
  const isBlind = () => impediments.has('foreign-chain') || impediments.has('history-pruned')

  /** Pauses a worker while no node has the blocks of the store's chain. */
  function onOwnChain(step: () => Promise<number>): () => Promise<number> {
    return async () => (isBlind() ? IMPEDED_MS : step())
  }

  async function loadState(state: SignerState): Promise<void> {
    signer = state
    chain.expectChain(state.chainId)
    for (const variant of await store.openVariants()) slots.add(variant)
    intake.setUnsettled(await store.countUnsettled())
    impediments.clear('wallet-unknown')
    const { address, chainId, nextSequence, cursorHeight } = state
    log.info(
      { address, chainId, sequence: nextSequence, height: cursorHeight, open: slots.size },
      'engine ready'
    )
  }

  /** The reason to refuse submissions: they could not be executed until an operator acts (interface 6.28). */
  function closedReason(): ServiceError | undefined {
    if (draining) return new IntakeClosedError('The service is shutting down')
    if (impediments.has('foreign-chain')) return new IntakeClosedError('The RPC node follows another chain')
    if (impediments.has('history-pruned')) {
      return new IntakeClosedError('No RPC node has the blocks that the service must read')
    }
    if (impediments.has('wallet-not-whitelisted')) return new WalletNotWhitelistedError()
    return signer ? undefined : new WalletUnknownError()
  }

  async function register(): Promise<number> {
    const state = await registerSigner(store, chain, wallet.address)
    if (!state) {
      impediments.raise(
        'wallet-unknown',
        `${wallet.address} has no account on the chain: it needs funds for its fees`
      )
      return IMPEDED_MS
    }
    await loadState(state)
    return 0
  }

  /** Checks the node against the store at the start. Without a node the engine starts all the same. */
  async function checkChain(stored: SignerState | undefined): Promise<void> {
    try {
      if (!stored) await register()
      else if (!(await verifyChain(chain, stored))) {
        log.warn({ height: stored.cursorHeight }, 'no node has the newest block that was read before')
      }
    } catch (error) {
      if (!(error instanceof NodeUnavailableError)) throw error
      impediments.raise('node-unreachable', error.message)
    }
  }

  async function follow(): Promise<number> {
    try {
      const pause = await (signer ? followStep() : register())
      impediments.clear('node-unreachable', 'history-pruned')
      return pause
    } catch (error) {
      if (error instanceof ForeignChainError) impediments.raise('foreign-chain', error.message)
      else if (error instanceof HistoryPrunedError) impediments.raise('history-pruned', error.message)
      else throw error
      return IMPEDED_MS
    }
  }

  async function start(): Promise<void> {
    const stored = await storedSigner(store, wallet.address)
    if (stored) await loadState(stored)
    await checkChain(stored)
    follower = startLoop('follower', follow, { clock, log })
    chain.onNewBlock(() => follower?.wake())
    chain.onNodeChange(() => {
      if (broadcasting.nodeChanged()) broadcaster?.wake()
    })
  }

  return {
    start,
    submit: request => intake.take(request),
    isAccepted: request => intake.isAccepted(request),
    find: submissionId => store.find(submissionId),
    async settled(submissionId, timeoutMs) {
      const waiting = waiters.wait(submissionId, timeoutMs)
      const current = await store.find(submissionId)
      if (current && isSettled(current)) waiters.settle(current)
      const settled = (await waiting) ?? (await store.find(submissionId))
      if (!settled) throw new TypeError(`submission ${submissionId} does not exist`)
      return settled
    },
    async drain() {
      draining = true
      const cancel = clock.after(DRAIN_MS, waiters.release)
      await waiters.empty()
      cancel()
      waiters.release()
    },
    async stop() {
      // The follower first: its last step may start the others.
      await follower?.stop()
      await Promise.all([packer?.stop(), broadcaster?.stop()])
    },
    health: () => ({
      impediments: impediments.present,
      height: signer?.cursorHeight,
      newestHeight: newestHeight(chain.health()),
      loops: [follower, packer, broadcaster].flatMap(loop => (loop ? [loop.health()] : [])),
      unsettled: intake.unsettled,
      withoutTxId
    })
  }
}

function isSettled({ status }: Submission): boolean {
  return status === 'committed' || status === 'rejected'
}
