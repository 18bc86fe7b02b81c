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

export function createChainView(ledger: Ledger, ownHeight: () => number) {
  /** A node on another chain or a fork always has its newest block. */
  const newest = (): number => (view.stray ? ledger.height : ownHeight())
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

  const view = {
    keptBlocks: Number.POSITIVE_INFINITY,
    resultsLateMs: 0,
    stray: undefined as Stray | undefined,
    misstate: undefined as ((status: NodeStatus) => Partial<NodeStatus>) | undefined,
    misreport: undefined as ((account: AccountState) => Partial<AccountState>) | undefined,
    status(): NodeStatus {
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
    /** Returns the wallet's account at a height. @throws if the node has no state at that height */
    account(height = newest()): AccountState {
      const { stray } = view
      if (height > newest() || height < lowest()) throw new Error(`no state at height ${height}`)
      if (stray?.chainId === undefined || stray.chainId === CHAIN_ID) {
        const state = ledger.stateAt(Math.min(stray?.upTo ?? height, height))
        const account = { accountNumber: 7n, sequence: state.sequence, height }
        return { ...account, ...view.misreport?.(account) }
      }
      return { accountNumber: 3n, sequence: 0, height }
    },
    block(height: number): ChainBlock | undefined {
      if (height > newest()) return undefined
      if (height < lowest()) throw new HistoryPrunedError(height, lowest())
      return view.stray ? strayBlock(view.stray, height) : ledger.block(height)
    },
    /** Time at which the results of a block become available, in milliseconds since the epoch. */
    resultsAt: (height: number) => ledger.blockTime(height) + view.resultsLateMs
  }
  return view
}
