import type { BroadcastResult, ChainNode } from '../../../services/chain-client/index.ts'
import { createChainView } from './chain-view.ts'
import { type Failure, runAnte, simulateTransaction, validate, type WalletState } from './execution.ts'
import { CHAIN_ID, type Ledger } from './ledger.ts'
import type { ModelTransaction } from './transaction.ts'

export interface NodeLies {
  gas: ((used: number) => number) | undefined
  refusal: ((transaction: ModelTransaction) => Refusal | undefined) | undefined
  simulation: ((transaction: ModelTransaction) => Simulation | undefined) | undefined
  blockLimits: Partial<Awaited<ReturnType<ChainNode['blockLimits']>>> | undefined
}

interface Simulation {
  gasUsed: number
  failure?: Failure
}

export interface Refusal extends Failure {
  isTaken: boolean
}

export type ModelNode = ReturnType<typeof createNode>

/** CheckTx error of a node on another chain. The node's simulations return `UNKNOWN_ACCOUNT` instead. */
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

/** Creates a node with its own height and a mempool that works like CometBFT 0.37's. */
export function createNode(name: string, ledger: Ledger) {
  const { blockGas } = ledger
  const mempool = new Map<string, ModelTransaction>()
  const cache = new Set<string>()
  let height = ledger.height
  let state: WalletState = { ...ledger.stateAt(height) }
  const troubles = {
    isUnreachable: false,
    isLagging: false,
    isFrozen: false,
    isFull: false,
    isIsolated: false,
    cannotSimulate: false,
    isMute: false
  }
  const lies: NodeLies = { gas: undefined, refusal: undefined, simulation: undefined, blockLimits: undefined }

  function check(transaction: ModelTransaction): Failure | undefined {
    const minFee = Math.ceil(transaction.gasLimit * node.minGasPrice)
    return validate(transaction) ?? runAnte(transaction, state, { blockGas, minFee })
  }

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
    minGasPrice: 0,
    /** Duration of a simulation per message, in milliseconds. */
    simulationMs: 0,
    get height(): number {
      return height
    },
    get checkState(): Readonly<WalletState> {
      return state
    },
    /**
     * Runs CheckTx.
     * @param lose drops an accepted transaction from the mempool or, with `all`, from both the mempool and the cache
     */
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
    evict(place: number): void {
      const hash = [...mempool.keys()][place]
      if (hash === undefined) return
      mempool.delete(hash)
      cache.delete(hash)
    },
    restart(): void {
      mempool.clear()
      cache.clear()
      state = { ...ledger.stateAt(height) }
    }
  }
  return node
}
