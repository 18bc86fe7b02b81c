import type { BroadcastResult, ChainNode } from '../../../services/chain-client/index.ts'
import { createChainView } from './chain-view.ts'
import { type Failure, runAnte, simulateTransaction, validate, type WalletState } from './execution.ts'
import { CHAIN_ID, type Ledger } from './ledger.ts'
import type { ModelTransaction } from './transaction.ts'

/** Wrong responses of a node; undefined while it is honest. */
export interface NodeLies {
  /** Maps the gas that a simulation used to the gas that it reports. */
  gas: ((used: number) => number) | undefined
  /** A CheckTx refusal that the transaction did not cause. */
  refusal: ((transaction: ModelTransaction) => Refusal | undefined) | undefined
  /** Replaces the whole response to a simulation. */
  simulation: ((transaction: ModelTransaction) => Simulation | undefined) | undefined
  blockLimits: Partial<Awaited<ReturnType<ChainNode['blockLimits']>>> | undefined
}

interface Simulation {
  gasUsed: number
  failure?: Failure
}

/** @property isTaken whether the node accepts the transaction anyway */
export interface Refusal extends Failure {
  isTaken: boolean
}

export type ModelNode = ReturnType<typeof createNode>

/** Error of a node on another chain for a transaction; for a simulation it is `UNKNOWN_ACCOUNT`. */
const WRONG_CHAIN: Failure = {
  code: 4,
  codespace: 'sdk',
  log: 'signature verification failed; please verify account number (3) and chain-id (other-1): unauthorized'
}
const UNKNOWN_ACCOUNT: Failure = {
  code: 22,
  codespace: 'sdk',
  log: 'rpc error: code = NotFound desc = account model1wallet not found: key not found'
}

const refused = ({ code, codespace, log }: Failure) => ({ status: 'refused', code, codespace, log }) as const

/** A node with its height and a mempool that follows the rules of CometBFT 0.37. */
export function createNode(name: string, ledger: Ledger) {
  const { blockGas } = ledger
  const mempool = new Map<string, ModelTransaction>()
  const cache = new Set<string>()
  let height = ledger.height
  let state: WalletState = { ...ledger.stateAt(height) }
  const troubles = {
    isUnreachable: false,
    /** It does not read new blocks. */
    isLagging: false,
    /** It never reads new blocks again. */
    isFrozen: false,
    isFull: false,
    /** It exchanges no transactions with other nodes. */
    isIsolated: false,
    cannotSimulate: false,
    /** It announces no new blocks. */
    isMute: false
  }
  const lies: NodeLies = { gas: undefined, refusal: undefined, simulation: undefined, blockLimits: undefined }

  function check(transaction: ModelTransaction): Failure | undefined {
    const minFee = Math.ceil(transaction.gasLimit * node.minGasPrice)
    return validate(transaction) ?? runAnte(transaction, state, { blockGas, minFee })
  }

  /** Rechecks the mempool in order after a block, and removes failed transactions. */
  function recheck(): void {
    state = { ...ledger.stateAt(height) }
    for (const [hash, transaction] of mempool) {
      if (!check(transaction)) continue
      mempool.delete(hash)
      cache.delete(hash)
    }
  }

  const view = createChainView(ledger, () => height)
  const node = {
    name,
    troubles,
    lies,
    view,
    /** The lowest fee per unit of gas that the node accepts. */
    minGasPrice: 0,
    /** Duration of a simulation per message, in milliseconds. */
    simulationMs: 0,
    get height(): number {
      return height
    },
    /** The account after the transactions in the mempool. */
    get checkState(): Readonly<WalletState> {
      return state
    },
    /** @param lose removes a transaction that passed CheckTx from the mempool; with `all`, from the cache too */
    broadcast(transaction: ModelTransaction, lose?: 'mempool' | 'all'): BroadcastResult {
      const { hash } = transaction
      const { stray } = view
      if (stray) return stray.chainId === CHAIN_ID ? { status: 'accepted' } : refused(WRONG_CHAIN)
      if (troubles.isFull) return { status: 'unavailable', reason: 'mempool is full' }
      if (cache.has(hash)) return { status: 'known' }
      const lie = lies.refusal?.(transaction)
      if (lie && !lie.isTaken) return refused(lie)
      const failure = check(transaction)
      if (failure) return refused(failure)
      if (lose !== 'all') cache.add(hash)
      if (lose === undefined) mempool.set(hash, transaction)
      return lie ? refused(lie) : { status: 'accepted' }
    },
    simulate(transaction: ModelTransaction): Simulation {
      const chainId = view.stray?.chainId ?? CHAIN_ID
      if (chainId !== CHAIN_ID) return { gasUsed: 0, failure: UNKNOWN_ACCOUNT }
      const lie = lies.simulation?.(transaction)
      if (lie) return lie
      const answer = simulateTransaction(transaction, state, blockGas)
      return answer.failure ? answer : { gasUsed: lies.gas?.(answer.gasUsed) ?? answer.gasUsed }
    },
    waiting: () => [...mempool.values()],
    /** The transactions for the next block: in order, up to the first whose gas does not fit. */
    reap(): ModelTransaction[] {
      const reaped: ModelTransaction[] = []
      let left = blockGas
      for (const transaction of mempool.values()) {
        left -= transaction.gasLimit
        if (left < 0) break
        reaped.push(transaction)
      }
      return reaped
    },
    /** Follows the chain to its newest block, unless it lags. */
    catchUp(): void {
      while (height < ledger.height && !troubles.isLagging && !troubles.isFrozen) {
        height += 1
        for (const { hash, code } of ledger.block(height)?.transactions ?? []) {
          mempool.delete(hash)
          if (code === 0) cache.add(hash)
          else cache.delete(hash)
        }
        recheck()
      }
    },
    /** Removes the transaction at this index of the mempool. */
    evict(place: number): void {
      const hash = [...mempool.keys()][place]
      if (hash === undefined) return
      mempool.delete(hash)
      cache.delete(hash)
    },
    /** Restarts with an empty mempool and an empty cache. */
    restart(): void {
      mempool.clear()
      cache.clear()
      state = { ...ledger.stateAt(height) }
    }
  }
  return node
}
