import {
  type AccountState,
  type ChainBlock,
  HistoryPrunedError,
  type NodeStatus
} from '../../../services/chain-client/index.ts'
import { CHAIN_ID, type Ledger, NO_RESULTS } from './ledger.ts'

/** Another chain, or a fork that shares the ledger's blocks up to height `upTo`. */
export interface Stray {
  chainId: string
  upTo: number
}

/** The chain as one node reports it. */
export interface ChainView {
  /** Number of recent blocks that the node keeps. */
  keptBlocks: number
  /** Delay from a block to its results, in milliseconds. */
  resultsLateMs: number
  /** The chain that the node follows, if not the ledger's. */
  stray: Stray | undefined
  /** Returns false values for some status fields. */
  misstate: ((status: NodeStatus) => Partial<NodeStatus>) | undefined
  status(): NodeStatus
  /** Returns false values for some fields of the wallet's account. */
  misreport: ((account: AccountState) => Partial<AccountState>) | undefined
  /** Returns the wallet's account. @param at height; the newest by default. @throws if the node has no state at `at` */
  account(at?: number): AccountState
  /** Returns the block at a height; undefined if it does not exist yet. @throws HistoryPrunedError */
  block(height: number): ChainBlock | undefined
  /** Time at which the results of a block become available, in milliseconds since the epoch. */
  resultsAt(height: number): number
}

/** Creates a node's view of the chain. @param ownHeight returns the node's current height */
export function createChainView(ledger: Ledger, ownHeight: () => number): ChainView {
  /** A node on another chain or a fork always has its newest block. */
  const newest = () => (view.stray ? ledger.height : ownHeight())
  const lowest = () => Math.max(ledger.firstHeight, newest() - view.keptBlocks + 1)

  function strayBlock({ chainId, upTo }: Stray, height: number): ChainBlock | undefined {
    const hashOf = (at: number) => (at <= upTo ? ledger.block(at)?.hash : `STRAY-${at}`)
    if (height <= upTo) return ledger.block(height)
    return {
      chainId,
      height,
      hash: `STRAY-${height}`,
      time: ledger.blockTime(height),
      previousHash: hashOf(height - 1),
      resultsHash: NO_RESULTS,
      lastResultsHash: (height - 1 <= upTo && ledger.block(height - 1)?.resultsHash) || NO_RESULTS,
      transactions: []
    }
  }

  const view: ChainView = {
    keptBlocks: Number.POSITIVE_INFINITY,
    resultsLateMs: 0,
    stray: undefined,
    misstate: undefined,
    misreport: undefined,
    status() {
      const height = newest()
      const status = {
        chainId: view.stray?.chainId ?? CHAIN_ID,
        height,
        earliestHeight: lowest(),
        blockTime: ledger.blockTime(height),
        catchingUp: false
      }
      return { ...status, ...view.misstate?.(status) }
    },
    account(height = newest()) {
      const { stray } = view
      if (height > newest() || height < lowest()) throw new Error(`no state at height ${height}`)
      if (stray?.chainId === undefined || stray.chainId === CHAIN_ID) {
        const state = ledger.stateAt(Math.min(stray?.upTo ?? height, height))
        const account = { accountNumber: 7n, sequence: state.sequence, height }
        return { ...account, ...view.misreport?.(account) }
      }
      return { accountNumber: 3n, sequence: 0, height }
    },
    block(height) {
      if (height > newest()) return undefined
      if (height < lowest()) throw new HistoryPrunedError(height, lowest())
      return view.stray ? strayBlock(view.stray, height) : ledger.block(height)
    },
    resultsAt: height => ledger.blockTime(height) + view.resultsLateMs
  }
  return view
}
