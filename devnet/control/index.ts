import type { Chain } from '../chain/chain.ts'
import type { ChainControl } from '../chain/control.ts'
import type { FreezableNode } from '../chain/freezable-node.ts'
import type { LaggingNode } from '../chain/lagging-node.ts'
import type { State } from '../chain/state/state.ts'
import { setBalance } from '../modules/bank/balances.ts'
import { allow, disallow } from '../modules/transfer/keeper.ts'
import type { RpcFaults } from '../rpc/faults.ts'
import { createSender, type Send } from './send.ts'

/** How many transactions or messages fail, and with which error. */
export interface Failure {
  count: number
  code: number
  codespace: string
  log: string
}

/** One of the two RPC nodes. */
export type NodeName = 'first' | 'lagging'

/** The controls of a development network: faults of a real one, on demand. */
export interface DevnetControl {
  /** Stops the block clock; the mempool still accepts transactions. */
  pause(): void
  resume(): void
  /** Makes blocks at once, independent of the clock. */
  produceBlocks(count: number): void
  setBlockTime(ms: number): void
  /** Removes a transaction from the mempool, so its followers fail their recheck. False when it is not waiting. */
  evict(hash: string): boolean
  /** Acts like a restart: the mempool and its cache are empty, and CheckTx runs as if at height 0 until a block. */
  restart(): void
  setMempoolSize(size: number): void
  /** CheckTx answers 0 for the next transactions, but they are dropped; `cached`: their hash stays in the cache. */
  dropNext(options: { count: number; cached: boolean }): void
  /** CheckTx refuses the next transactions. */
  refuseNext(failure: Failure): void
  /**
   * The next messages fail in their block: those whose JSON contains `containing`, or all. `simulated`: simulations
   * fail too. Code 11 of codespace `sdk` fails the transaction without an index, as running out of gas does.
   */
  failMessages(failure: Failure & { containing?: string; simulated: boolean }): void
  setMaxBlockGas(gas: bigint): void
  /** The minimum gas price, a decimal, required from the next CheckTx on. */
  setMinGasPrice(price: string): void
  /** Whitelists an address. */
  allow(address: string): void
  disallow(address: string): void
  /** Sets an address's balance of the fee denomination, in base units, without a transaction. */
  setBalance(address: string, amount: bigint): void
  /** Signs and submits a bank send from a public wallet, as another program with the same phrase would. */
  send(send: Send): Promise<string>
  /** What the first node's `tx` and `tx_search` answer. */
  setTxIndex(index: RpcFaults['txIndex']): void
  /** How many blocks the first node's `/status` is ahead of its blocks. */
  setStatusAhead(blocks: number): void
  /** How many blocks the lagging node is behind. */
  setLag(blocks: number): void
  /** A node no longer has the blocks below a height. By default the first node. */
  prune(height: number, node?: NodeName): void
  /**
   * Cuts a node off: it answers, but receives no blocks and passes no transactions on, until it is connected again. By
   * default the first node.
   */
  setFrozen(frozen: boolean, node?: NodeName): void
  /**
   * Restarts the chain under another chain id from its own state, at the next height. The lagging node stays on the old
   * chain, which makes no more blocks.
   */
  upgrade(chainId: string): void
}

export function createControl(options: {
  chain: Chain & ChainControl
  first: FreezableNode
  lagging: LaggingNode
  faults: RpcFaults
  prefix: string
  feeDenom: string
}): DevnetControl {
  const { chain, first, lagging, faults, feeDenom } = options
  const edit = (change: (state: State) => void) => chain.editState(change)
  return {
    pause: chain.pause,
    resume: chain.resume,
    produceBlocks(count) {
      for (let made = 0; made < count; made++) chain.produceBlock()
    },
    setBlockTime: chain.setBlockTime,
    evict: hash => chain.evict(hash.toUpperCase()),
    restart: chain.restart,
    setMempoolSize: chain.setMempoolSize,
    dropNext: ({ count, cached }) => chain.failSubmissions({ kind: 'drop', cached }, count),
    refuseNext: ({ count, ...answer }) => chain.failSubmissions({ kind: 'refuse', ...answer }, count),
    failMessages: ({ count, ...fault }) => chain.failMessages(fault, count),
    setMaxBlockGas: chain.setMaxBlockGas,
    setMinGasPrice: chain.setMinGasPrice,
    allow: address => edit(state => allow(state, address)),
    disallow: address => edit(state => disallow(state, address)),
    setBalance: (address, amount) => edit(state => setBalance(state, address, { denom: feeDenom, amount })),
    send: createSender(options),
    setTxIndex(index) {
      faults.txIndex = index
    },
    setStatusAhead(blocks) {
      faults.statusAhead = blocks
    },
    setLag: lagging.setLag,
    prune: (height, node = 'first') => (node === 'first' ? chain : lagging).prune(height),
    setFrozen: (frozen, node = 'first') => (node === 'first' ? first : lagging).setFrozen(frozen),
    upgrade(chainId) {
      // Without a lag it has the old chain to its end.
      lagging.setLag(0)
      chain.upgrade(chainId)
    }
  }
}
