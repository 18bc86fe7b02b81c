import type { Chain } from '../chain/index.ts'
import { allow } from '../modules/transfer/keeper.ts'
import { createSender } from './send.ts'

/** Creates the controls of a development network, which inject faults. See packages/devnet/README.md. */
export function createControl(options: { chain: Chain; prefix: string; feeDenom: string }) {
  const { chain } = options
  const { pause, resume, setMempoolSize, setMinGasPrice, failMessages, prune, upgrade } = chain
  return {
    pause,
    resume,
    setMempoolSize,
    setMinGasPrice,
    failMessages,
    prune,
    upgrade,
    produceBlocks(count: number) {
      for (let made = 0; made < count; made++) chain.produceBlock()
    },
    allow: (address: string) => chain.editState(state => allow(state, address)),
    send: createSender(options)
  }
}
