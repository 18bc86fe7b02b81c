import type { Chain } from '../../chain/chain.ts'
import type { RpcFaults } from '../faults.ts'
import type { MethodTable } from '../json-rpc.ts'
import { abciMethods } from './abci.ts'
import { blockMethods } from './blocks.ts'
import { infoMethods } from './info.ts'
import { txMethods } from './txs.ts'

/** The methods that both HTTP and WebSocket have. */
export const createMethods = (chain: Chain, faults: RpcFaults): MethodTable =>
  new Map(
    Object.entries({
      ...infoMethods(chain, faults),
      ...abciMethods(chain),
      ...blockMethods(chain),
      ...txMethods(chain, faults)
    })
  )
