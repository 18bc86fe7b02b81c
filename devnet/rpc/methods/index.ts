import type { Chain } from '../../chain/chain.ts'
import type { MethodTable } from '../dispatch.ts'
import { lyingIndex, type RpcLies } from '../lies.ts'
import { abciMethods } from './abci.ts'
import { blockMethods } from './blocks.ts'
import { broadcastMethods } from './broadcast.ts'
import { infoMethods } from './info.ts'
import { txMethods } from './txs.ts'

/** Every method that both HTTP and WebSocket offer. `closed` aborts when the server closes. */
export function createMethods(chain: Chain, lies: RpcLies, closed: AbortSignal): MethodTable {
  return new Map(
    Object.entries({
      ...infoMethods(chain, lies),
      ...abciMethods(chain),
      ...blockMethods(chain),
      ...txMethods(chain, lyingIndex(chain, lies)),
      ...broadcastMethods(chain, closed)
    })
  )
}
