import type { FreezableNode } from '../chain/freezable-node.ts'
import type { ControlledChain } from '../chain/index.ts'
import type { LaggingNode } from '../chain/lagging-node.ts'
import { setBalance } from '../modules/bank/balances.ts'
import { allow, disallow } from '../modules/transfer/keeper.ts'
import type { RpcFaults } from '../rpc/faults.ts'
import { createSender } from './send.ts'

/** An injected failure: the number of transactions or messages that fail, and their error. */
interface Failure {
  count: number
  code: number
  codespace: string
  log: string
}

/** The names of the RPC nodes. */
type NodeName = 'first' | 'lagging'

/** Creates the controls of a development network, which inject the faults of a real network. See devnet/README.md. */
export function createControl(options: {
  chain: ControlledChain
  first: FreezableNode
  lagging: LaggingNode
  faults: RpcFaults
  prefix: string
  feeDenom: string
}) {
  const { chain, first, lagging, faults, feeDenom: denom } = options
  return {
    pause: chain.pause,
    resume: chain.resume,
    produceBlocks(count: number) {
      for (let made = 0; made < count; made++) chain.produceBlock()
    },
    restart: chain.restart,
    setMempoolSize: chain.setMempoolSize,
    dropNext: ({ count, cached }: { count: number; cached: boolean }) =>
      chain.failSubmissions({ kind: 'drop', cached }, count),
    refuseNext: ({ count, ...answer }: Failure) =>
      chain.failSubmissions({ kind: 'refuse', ...answer }, count),
    failMessages: ({ count, ...fault }: Failure & { containing?: string; simulated: boolean }) =>
      chain.failMessages(fault, count),
    setMaxBlockGas: chain.setMaxBlockGas,
    setMinGasPrice: chain.setMinGasPrice,
    allow: (address: string) => chain.editState(state => allow(state, address)),
    disallow: (address: string) => chain.editState(state => disallow(state, address)),
    /** Sets a balance in base units of the fee denomination. */
    setBalance: (address: string, amount: bigint) =>
      chain.editState(state => setBalance(state, address, { denom, amount })),
    /** Sends coins. @returns the transaction hash */
    send: createSender(options),
    setTxIndex(index: RpcFaults['txIndex']) {
      faults.txIndex = index
    },
    setStatusAhead(blocks: number) {
      faults.statusAhead = blocks
    },
    setLag: lagging.setLag,
    prune: (height: number, node: NodeName = 'first') => (node === 'first' ? chain : lagging).prune(height),
    setFrozen: (frozen: boolean, node: NodeName = 'first') =>
      (node === 'first' ? first : lagging).setFrozen(frozen),
    upgrade(chainId: string) {
      // Let the node catch up first, so that it keeps the complete old chain.
      lagging.setLag(0)
      chain.upgrade(chainId)
    }
  }
}
