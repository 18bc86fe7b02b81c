import type { LoopHealth } from '../../async/loop.ts'
import { type Loop, startLoop } from '../../async/loop.ts'
import type { ChainClient } from '../../chain-client/index.ts'
import type { Clock } from '../../clock.ts'
import type { Logger } from '../../logger.ts'
import { foreignBlock } from '../settle/follower.ts'
import type { Term } from '../store/engine-writes.ts'
import type { SignerState, SubmissionStore } from '../store/types.ts'
import { storedSigner } from './account.ts'
import type { Driver } from './driver.ts'

/** The pause between two attempts to lead. */
const STAND_MS = 1000

/** Stands for election until this process leads, drives the wallet for that term, and stands again. */
export interface Election {
  /** What drives the wallet; undefined while this process does not lead. */
  readonly driver: Driver | undefined
  /** The wallet's account as it was last seen; undefined until somebody has stored it. */
  readonly account: SignerState | undefined
  readonly health: LoopHealth[]
  /** Reads the account if it is not known yet. */
  readAccount(): Promise<void>
  /**
   * Stands for the first time. @throws as `Driver.start`
   */
  start(): Promise<void>
  /** The leader of that term has resigned. */
  resigned(epoch: number): void
  /** Stops the present term's workers after their steps, and resigns. */
  stop(): Promise<void>
}

export function createElection(options: {
  store: Pick<SubmissionStore, 'lead' | 'signer'>
  chain: Pick<ChainClient, 'block' | 'status'>
  address: string
  createDriver: (term: Term) => Driver
  clock: Clock
  log: Logger
}): Election {
  const { store, chain, address, createDriver, clock, log } = options
  let loop: Loop | undefined
  let driver: Driver | undefined
  let seen: SignerState | undefined
  let isStopped = false
  /** The newest term of this process. */
  let ownEpoch: number | undefined
  let wasBlind = false

  async function begin(term: Term): Promise<void> {
    const candidate = createDriver(term)
    ownEpoch = term.epoch
    driver = candidate
    try {
      await candidate.start()
    } catch (error) {
      // A term that ends while it begins is an ordinary change of leadership.
      if (candidate.isOver) return
      driver = undefined
      await candidate.stop()
      throw error
    }
    if (isStopped) await candidate.stop()
  }

  /** A process that has led without a usable node stays away until one has the next block of the store's chain. */
  async function isFit(): Promise<boolean> {
    if (wasBlind) wasBlind = await readsNothing().catch(() => true)
    return !wasBlind
  }

  /** @throws where a node cannot be reached, or has deleted the block */
  async function readsNothing(): Promise<boolean> {
    if (!seen) {
      await chain.status()
      return false
    }
    const { chainId, cursorHeight: height, cursorHash: hash } = seen
    const block = await chain.block(height + 1)
    return block !== undefined && foreignBlock(block, { chainId, height, hash }) !== undefined
  }

  async function stand(): Promise<void> {
    const term = (await isFit()) ? await store.lead() : undefined
    if (term) await begin(term)
    else seen = await storedSigner(store, address)
  }

  /** One term, or one attempt. */
  async function step(): Promise<number> {
    if (!driver) await stand()
    if (!driver) return STAND_MS
    await driver.over
    seen = driver.account ?? seen
    wasBlind = driver.isBlind
    driver = undefined
    return STAND_MS
  }

  return {
    get driver() {
      return driver
    },
    get account() {
      return driver?.account ?? seen
    },
    get health() {
      return driver?.loops ?? (loop ? [loop.health()] : [])
    },
    async readAccount() {
      if (!seen) seen = await storedSigner(store, address)
    },
    async start() {
      await stand()
      loop = startLoop('election', step, { clock, log })
    },
    resigned(epoch) {
      // A process that gave up its own term leaves the next one to others first.
      if (epoch !== ownEpoch) loop?.wake()
    },
    async stop() {
      isStopped = true
      await driver?.stop()
      await loop?.stop()
    }
  }
}
