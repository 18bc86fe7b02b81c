import { type Loop, startLoop } from '../../async/loop.ts'
import type { Clock } from '../../clock.ts'
import type { Logger } from '../../logger.ts'
import type { Blocker, Chain, SubmissionStore, Term, WalletState } from '../contract.ts'
import { createBlockers } from './blockers.ts'
import { discontinuity } from './blocks.ts'
import type { Leader } from './leader.ts'
import { storedWalletState } from './start.ts'

const STAND_MS = 1000

/** Stands for election repeatedly. Once elected, this process runs the wallet until its term ends. */
export function createElection(options: {
  store: Pick<SubmissionStore, 'lead' | 'walletState'>
  chain: Pick<Chain, 'block' | 'status'>
  address: string
  createLeader: (term: Term) => Leader
  clock: Clock
  log: Logger
}) {
  const { store, chain, address, createLeader, clock, log } = options
  /** The blockers of failed elections. Each leader has its own. */
  const blockers = createBlockers({ log, clock, onChange() {} })
  let loop: Loop | undefined
  let leader: Leader | undefined
  let seen: WalletState | undefined
  let isStopped = false
  let wasBlind = false

  async function begin(term: Term): Promise<void> {
    const candidate = createLeader(term)
    leader = candidate
    try {
      await candidate.start(loop === undefined)
    } catch (error) {
      // A term that ends during its start is an ordinary change of leadership.
      if (candidate.isEnded) return
      leader = undefined
      await candidate.stop()
      throw error
    }
    if (isStopped) await candidate.stop()
  }

  /**
   * Returns whether the nodes' next block contradicts the cursor. Returns false if there is no next block or no cursor.
   * @throws if no node can be reached, or all nodes have deleted that block
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
    // After a term in which it could not read blocks, this process stands again once a node on the store's chain
    // responds, even if that node has no next block yet.
    if (wasBlind) wasBlind = await isOffChain().catch(() => true)
    const term = wasBlind ? undefined : await store.lead()
    if (term) await begin(term)
    else seen = await storedWalletState(store, address)
  }

  async function step(): Promise<number> {
    try {
      if (!leader) await stand()
      blockers.recovered('election')
    } catch (error) {
      const pause = blockers.failed('election', error)
      if (pause === undefined) throw error
      return pause
    }
    if (!leader) return STAND_MS
    await leader.ended
    seen = leader.account ?? seen
    wasBlind = leader.isBlind
    leader = undefined
    return STAND_MS
  }

  return {
    get leader(): Leader | undefined {
      return leader
    },
    get account(): WalletState | undefined {
      return leader?.account ?? seen
    },
    get blockers(): Blocker[] {
      return (leader?.blockers ?? blockers).present
    },
    async readAccount(): Promise<void> {
      if (!seen) seen = await storedWalletState(store, address)
    },
    /** Stands for election once, and then starts the loop that stands again. @throws like `start` of a leader */
    async start(): Promise<void> {
      await stand()
      loop = startLoop('election', step, { clock, log })
    },
    async stop(): Promise<void> {
      isStopped = true
      // Stop the loop first, so that it cannot stand again while the current term ends.
      const stopped = loop?.stop()
      await leader?.stop()
      await stopped
    }
  }
}
