import type { FreezableNode } from '../chain/freezable-node.ts'
import type { ControlledChain } from '../chain/index.ts'
import type { LaggingNode } from '../chain/lagging-node.ts'
import { setBalance } from '../modules/bank/balances.ts'
import { allow, disallow } from '../modules/transfer/keeper.ts'
import type { RpcFaults } from '../rpc/faults.ts'
import { createSender } from './send.ts'

/** How many transactions or messages fail, and with which error. */
interface Failure {
  count: number
  code: number
  codespace: string
  log: string
}

/** One of the two RPC nodes. */
type NodeName = 'first' | 'lagging'

/** The controls of a development network: a real network's faults, on demand. See devnet/README.md. */
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
    /** In base units of the fee denomination. */
    setBalance: (address: string, amount: bigint) =>
      chain.editState(state => setBalance(state, address, { denom, amount })),
    /** @returns the hash */
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
      // Without a lag, the node has the whole old chain.
      lagging.setLag(0)
      chain.upgrade(chainId)
    }
  }
}
