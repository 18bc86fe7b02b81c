import type { Chain } from '../../chain/chain.ts'
import { faultyIndex, type RpcFaults } from '../faults.ts'
import type { MethodTable } from '../json-rpc.ts'
import { abciMethods } from './abci.ts'
import { blockMethods } from './blocks.ts'
import { broadcastMethods } from './broadcast.ts'
import { infoMethods } from './info.ts'
import { txMethods } from './txs.ts'

/** The methods that both HTTP and WebSocket have. `closed` aborts when the server closes. */
export function createMethods(chain: Chain, faults: RpcFaults, closed: AbortSignal): MethodTable {
  return new Map(
    Object.entries({
      ...infoMethods(chain, faults),
      ...abciMethods(chain),
      ...blockMethods(chain),
      ...txMethods(chain, faultyIndex(chain, faults)),
      ...broadcastMethods(chain, closed)
    })
  )
}
