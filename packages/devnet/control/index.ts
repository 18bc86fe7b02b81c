import { setBalance } from '../chain/bank/balances.ts'
import type { FreezableNode } from '../chain/freezable-node.ts'
import type { ControlledChain } from '../chain/index.ts'
import type { LaggingNode } from '../chain/lagging-node.ts'
import { allow } from '../modules/transfer/keeper.ts'
import { createSender } from './send.ts'

interface Failure {
  count: number
  code: number
  codespace: string
  log: string
}

type NodeName = 'first' | 'lagging'

/** Creates the controls of a development network, which inject faults. See packages/devnet/README.md. */
export function createControl(options: {
  chain: ControlledChain
  first: FreezableNode
  lagging: LaggingNode
  prefix: string
  feeDenom: string
}) {
  const { chain, first, lagging, feeDenom: denom } = options
  const { pause, resume, restart, setMempoolSize, setMaxBlockGas, setMinGasPrice } = chain
  return {
    pause,
    resume,
    restart,
    setMempoolSize,
    setMaxBlockGas,
    setMinGasPrice,
    produceBlocks(count: number) {
      for (let made = 0; made < count; made++) chain.produceBlock()
    },
    dropNext: ({ count, cached }: { count: number; cached: boolean }) =>
      chain.failSubmissions({ kind: 'drop', cached }, count),
    refuseNext: ({ count, ...error }: Failure) => chain.failSubmissions({ kind: 'refuse', ...error }, count),
    failMessages: ({ count, ...fault }: Failure & { containing?: string; simulated: boolean }) =>
      chain.failMessages(fault, count),
    allow: (address: string) => chain.editState(state => allow(state, address)),
    /** Sets a balance in base units of the fee denomination. */
    setBalance: (address: string, amount: bigint) =>
      chain.editState(state => setBalance(state, address, { denom, amount })),
    send: createSender(options),
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
