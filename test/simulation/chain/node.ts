import { SimulateRequest, SimulateResponse } from 'cosmjs-types/cosmos/tx/v1beta1/service'
import { getAccount } from '../../../packages/devnet/chain/auth/accounts.ts'
import type { Block } from '../../../packages/devnet/chain/blocks/block-store.ts'
import { AbciError, sdkError, toAbciError } from '../../../packages/devnet/chain/errors.ts'
import { txHash } from '../../../packages/devnet/chain/hashes.ts'
import { createMempool } from '../../../packages/devnet/chain/mempool/mempool.ts'
import { simulate } from '../../../packages/devnet/chain/queries/simulate.ts'
import type { StateView } from '../../../packages/devnet/chain/state/state.ts'
import type { App } from '../../../packages/devnet/chain/tx/app.ts'
import {
  type AccountState,
  type BroadcastResult,
  type ChainBlock,
  type ChainNode,
  HistoryPrunedError,
  type NodeStatus
} from '../../../services/chain-client/index.ts'
import { resultsHash, upperHex } from '../../../services/chain-client/node/hashes.ts'
import { CHAIN_ID, type Failure } from './app.ts'
import { type ModelTransaction, readTransaction, WALLET_ADDRESS } from './messages.ts'

/** The chain that all nodes agree on. */
export interface CommonChain {
  app: App
  readonly height: number
  block(height: number): { block: Block; read: ChainBlock } | undefined
}

interface Simulation {
  gasUsed: number
  failure?: Failure
}

/** Another chain, or a fork that shares the chain's blocks up to height `upTo`. */
interface Stray {
  chainId: string
  upTo: number
}

/** Functions that replace a node's responses. */
interface Lies {
  gas(used: number): number
  /** With `isTaken`, the node reports the error but accepts the transaction. */
  refusal(transaction: ModelTransaction): (Failure & { isTaken: boolean }) | undefined
  simulation(transaction: ModelTransaction): Simulation | undefined
  blockLimits(): Partial<Awaited<ReturnType<ChainNode['blockLimits']>>>
  status(status: NodeStatus): Partial<NodeStatus>
  account(account: AccountState): Partial<AccountState>
}

export type NodeLies = { [K in keyof Lies]?: Lies[K] | undefined }

export type ModelNode = ReturnType<typeof createNode>

const NO_RESULTS = upperHex(resultsHash([]))

const failureOf = (thrown: unknown): Failure => {
  const { code, codespace, message } = toAbciError(thrown)
  return { code, codespace, log: message }
}

const refused = ({ code, codespace, log }: Failure) => ({ status: 'refused', code, codespace, log }) as const

/** Creates a node of the development network, with its own height and mempool, that can lag, stray or lie. */
export function createNode(name: string, chain: CommonChain) {
  let height = chain.height
  let refusal: AbciError | undefined
  const stateAt = (at: number) => chain.app.store.at(at) ?? chain.app.store
  const app: App = {
    ...chain.app,
    decode(bytes) {
      if (refusal) throw refusal
      return chain.app.decode(bytes)
    }
  }
  const mempool = createMempool(app, stateAt)
  const lies: NodeLies = {}
  const troubles = {
    isUnreachable: false,
    isLagging: false,
    isFrozen: false,
    isFull: false,
    isIsolated: false,
    cannotSimulate: false,
    isMute: false
  }

  /** A node on another chain or a fork always has its newest block. */
  const newest = (): number => (node.stray ? chain.height : height)
  const lowest = (): number => Math.max(1, newest() - node.keptBlocks + 1)

  function strayBlock({ chainId, upTo }: Stray, at: number): ChainBlock | undefined {
    const read = chain.block(at)?.read
    if (!read || at <= upTo) return read
    const own = { chainId, hash: `STRAY-${at}`, resultsHash: NO_RESULTS, transactions: [] }
    const previous = { previousHash: `STRAY-${at - 1}`, lastResultsHash: NO_RESULTS }
    return { ...read, ...own, ...(at > upTo + 1 && previous) }
  }

  function update(): void {
    const block = chain.block(height)?.block
    if (block) mempool.update(block)
  }

  const node = {
    name,
    troubles,
    lies,
    stray: undefined as Stray | undefined,
    keptBlocks: Number.POSITIVE_INFINITY,
    resultsLateMs: 0,
    /** Duration of a simulation per message, in milliseconds. */
    simulationMs: 0,
    height: () => height,
    checkState: (): StateView => mempool.context.state,
    setMinGasPrice(price: number): void {
      app.minGasPrice = String(price)
    },
    /** Runs CheckTx. @param loss drops an accepted transaction, and its hash from the cache unless `cached` */
    broadcast(bytes: Uint8Array, loss?: { cached: boolean }): BroadcastResult {
      const { stray } = node
      if (stray?.chainId === CHAIN_ID) return { status: 'accepted' }
      if (stray) return refused(failureOf(sdkError('unauthorized', 'signature verification failed')))
      if (troubles.isFull) return { status: 'unavailable', reason: 'mempool is full' }
      const lie = lies.refusal?.(readTransaction(chain.app, bytes))
      refusal = lie && !lie.isTaken ? new AbciError(lie.codespace, lie.code, lie.log) : undefined
      try {
        const result = mempool.add(bytes)
        if (result.code !== 0) return refused(result)
        if (loss) mempool.remove(txHash(bytes), loss)
        return lie ? refused(lie) : { status: 'accepted' }
      } catch {
        return { status: 'known' }
      } finally {
        refusal = undefined
      }
    },
    simulate(bytes: Uint8Array): Simulation {
      const unknown = sdkError('keyNotFound', 'rpc error: code = NotFound desc = account not found')
      if (node.stray && node.stray.chainId !== CHAIN_ID) return { gasUsed: 0, failure: failureOf(unknown) }
      try {
        const lie = lies.simulation?.(readTransaction(chain.app, bytes))
        if (lie) return lie
        const request = SimulateRequest.encode(SimulateRequest.fromPartial({ txBytes: bytes })).finish()
        const { gasInfo } = SimulateResponse.decode(simulate(app, request, mempool.context))
        const gasUsed = Number(gasInfo?.gasUsed)
        return { gasUsed: lies.gas?.(gasUsed) ?? gasUsed }
      } catch (error) {
        return { gasUsed: 0, failure: failureOf(error) }
      }
    },
    waiting: () => mempool.list(mempool.size),
    reap: mempool.reap,
    catchUp(): void {
      while (height < chain.height && !troubles.isLagging && !troubles.isFrozen) {
        height += 1
        update()
      }
    },
    evict(place: number): void {
      const bytes = node.waiting()[place]
      if (bytes) mempool.remove(txHash(bytes), { cached: false })
    },
    restart: mempool.clear,
    status(): NodeStatus {
      const { chainId = CHAIN_ID } = node.stray ?? {}
      const blockTime = chain.block(newest())?.read.time ?? 0
      const heights = { height: newest(), earliestHeight: lowest() }
      const status = { chainId, ...heights, blockTime, catchingUp: false }
      return { ...status, ...lies.status?.(status) }
    },
    /** Returns the wallet's account at a height. @throws if the node has no state at that height */
    account(at = newest()): AccountState {
      const { chainId = CHAIN_ID, upTo = at } = node.stray ?? {}
      if (at > newest() || at < lowest()) throw new Error(`no state at height ${at}`)
      if (chainId !== CHAIN_ID) return { accountNumber: 3n, sequence: 0, height: at }
      const found = getAccount(stateAt(Math.min(upTo, at)), WALLET_ADDRESS)
      const { accountNumber = 0n, sequence = 0n } = found ?? {}
      const account = { accountNumber, sequence: Number(sequence), height: at }
      return { ...account, ...lies.account?.(account) }
    },
    block(at: number): ChainBlock | undefined {
      if (at > newest()) return undefined
      if (at < lowest()) throw new HistoryPrunedError(at, lowest())
      return node.stray ? strayBlock(node.stray, at) : chain.block(at)?.read
    },
    /** Time at which the results of a block become available, in milliseconds since the epoch. */
    resultsAt(at: number): number {
      return Date.parse(chain.block(at)?.block.committedAt ?? '') + node.resultsLateMs
    }
  }
  update()
  return node
}
