import { type Loop, type LoopHealth, startLoop } from '../../async/loop.ts'
import type { ChainClient } from '../../chain-client/index.ts'
import type { Clock } from '../../clock.ts'
import type { Logger } from '../../logger.ts'
import { discontinuity } from '../opinions/blocks.ts'
import type { Term } from '../store/engine-writes.ts'
import type { SubmissionStore, WalletState } from '../store/types.ts'
import type { Leader } from './leader.ts'
import { storedSigner } from './start.ts'

/** The pause between two attempts to lead. */
const STAND_MS = 1000

/** Stands for election until this process leads, runs the wallet for that term, and stands again. */
export function createElection(options: {
  store: Pick<SubmissionStore, 'lead' | 'walletState'>
  chain: Pick<ChainClient, 'block' | 'status'>
  address: string
  createLeader: (term: Term) => Leader
  clock: Clock
  log: Logger
}) {
  const { store, chain, address, createLeader, clock, log } = options
  let loop: Loop | undefined
  let leader: Leader | undefined
  let seen: WalletState | undefined
  let isStopped = false
  /** The newest term of this process. */
  let ownEpoch: number | undefined
  let wasBlind = false

  async function begin(term: Term): Promise<void> {
    const candidate = createLeader(term)
    ownEpoch = term.epoch
    leader = candidate
    try {
      await candidate.start()
    } catch (error) {
      // A term that ends while it starts is an ordinary change of leadership.
      if (candidate.isEnded) return
      leader = undefined
      await candidate.stop()
      throw error
    }
    if (isStopped) await candidate.stop()
  }

  /**
   * Whether the nodes have another block than the next one of the store's chain.
   * @throws if none can be reached, or all have deleted that block
   */
  async function isOffChain(): Promise<boolean> {
    if (!seen) {
      await chain.status()
      return false
    }
    const { chainId, cursorHeight: height, cursorHash: hash } = seen
    const block = await chain.block(height + 1)
    return block !== undefined && discontinuity(block, { chainId, height, hash }) !== undefined
  }

  async function stand(): Promise<void> {
    // A process that could read no block while it led stands again when a node responds that is on the store's chain, even
    // if that has no next block yet.
    if (wasBlind) wasBlind = await isOffChain().catch(() => true)
    const term = wasBlind ? undefined : await store.lead()
    if (term) await begin(term)
    else seen = await storedSigner(store, address)
  }

  /** One term, or one attempt. */
  async function step(): Promise<number> {
    if (!leader) await stand()
    if (!leader) return STAND_MS
    await leader.ended
    seen = leader.account ?? seen
    wasBlind = leader.isBlind
    leader = undefined
    return STAND_MS
  }

  return {
    /** Undefined while this process does not lead. */
    get leader(): Leader | undefined {
      return leader
    },
    /** The wallet's account as last seen; undefined until a replica has stored it. */
    get account(): WalletState | undefined {
      return leader?.account ?? seen
    },
    get health(): LoopHealth[] {
      return leader?.loops ?? (loop ? [loop.health()] : [])
    },
    /** Reads the account if it is not known yet. */
    async readAccount(): Promise<void> {
      if (!seen) seen = await storedSigner(store, address)
    },
    /** Stands for the first time. @throws like the start of a leader */
    async start(): Promise<void> {
      await stand()
      loop = startLoop('election', step, { clock, log })
    },
    /** The leader of that term has stepped down. */
    steppedDown(epoch: number): void {
      // A process that abandoned its own term lets other replicas stand first.
      if (epoch !== ownEpoch) loop?.wake()
    },
    /** Stops the workers of the present term after their current steps, and steps down. */
    async stop(): Promise<void> {
      isStopped = true
      // Stop the loop first, so that nothing wakes it to stand again while the present term ends.
      const stopped = loop?.stop()
      await leader?.stop()
      await stopped
    }
  }
}
