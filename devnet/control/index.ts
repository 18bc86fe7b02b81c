import type { Chain } from '../chain/chain.ts'
import type { ChainControl } from '../chain/control.ts'
import type { LaggingNode } from '../chain/lagging-node.ts'
import type { State } from '../chain/state/state.ts'
import { setBalance } from '../modules/bank/balances.ts'
import { allow, disallow } from '../modules/transfer/keeper.ts'
import type { RpcLies } from '../rpc/lies.ts'
import { createSender, type Send } from './send.ts'

/** Whose CheckTx or message fails how often, and with what. */
export interface Failure {
  count: number
  code: number
  codespace: string
  log: string
}

/** What can be done to a development network beside using it: the faults that a real one has, on demand. */
export interface DevnetControl {
  /** Stops the block clock; the mempool still takes transactions. */
  pause(): void
  resume(): void
  /** Makes blocks at once, whatever the clock says. */
  produceBlocks(count: number): void
  setBlockTime(ms: number): void
  /** Takes a transaction out of the mempool; what follows it fails its recheck. False when it does not wait there. */
  evict(hash: string): boolean
  /** The node comes back with an empty mempool and an empty cache. */
  restart(): void
  setMempoolSize(size: number): void
  /** The next transactions get code 0 from CheckTx and are not kept; `cached`: their hash is known from then on. */
  dropNext(options: { count: number; cached: boolean }): void
  /** CheckTx refuses the next transactions. */
  refuseNext(failure: Failure): void
  /**
   * The next messages fail in their block: those whose JSON contains a text, or all. `simulated`: simulations too.
   * Code 11 of codespace `sdk` fails the transaction without an index, as running out of gas does.
   */
  failMessages(failure: Failure & { containing?: string; simulated: boolean }): void
  setMaxBlockGas(gas: bigint): void
  /** The least price of a unit of gas, a decimal; asked for from the next CheckTx on. */
  setMinGasPrice(price: string): void
  /** Puts an address on the list of those that may submit. */
  allow(address: string): void
  disallow(address: string): void
  /** Sets what an address holds of the fee denomination, in its smallest unit, without a transaction. */
  setBalance(address: string, amount: bigint): void
  /** Signs and hands in a bank send from a public wallet, as another program with its phrase would. */
  send(send: Send): Promise<string>
  /** What the first node's `tx` and `tx_search` answer. */
  setTxIndex(index: RpcLies['txIndex']): void
  /** How many blocks the first node's `/status` is ahead of its blocks. */
  setStatusAhead(blocks: number): void
  /** How many blocks the lagging node is behind. */
  setLag(blocks: number): void
}

export function createControl(options: {
  chain: Chain & ChainControl
  lagging: LaggingNode
  lies: RpcLies
  prefix: string
  feeDenom: string
}): DevnetControl {
  const { chain, lagging, lies, feeDenom } = options
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
      lies.txIndex = index
    },
    setStatusAhead(blocks) {
      lies.statusAhead = blocks
    },
    setLag: lagging.setLag
  }
}
