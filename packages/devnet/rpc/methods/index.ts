import type { Chain } from '../../chain/chain.ts'
import { base64OrNull } from '../encoding.ts'
import type { RpcFaults } from '../faults.ts'
import type { Methods, MethodTable } from '../json-rpc.ts'
import { blockMethods } from './blocks.ts'
import { infoMethods } from './info.ts'
import { txMethods } from './txs.ts'

/** Creates the methods that HTTP and WebSocket share. */
export const createMethods = (chain: Chain, faults: RpcFaults): MethodTable =>
  new Map(
    Object.entries({
      ...infoMethods(chain, faults),
      ...abciMethods(chain),
      ...blockMethods(chain),
      ...txMethods(chain, faults)
    })
  )

/** Creates the methods that query the application. */
const abciMethods = (chain: Chain): Methods => ({
  abci_query(params) {
    const path = params.string('path') ?? ''
    const { code, log, value, height, codespace } = chain.query(
      path,
      params.hex('data'),
      params.int('height') ?? 0
    )
    const none = { info: '', index: '0', key: null, proofOps: null }
    return {
      response: { ...none, code, log, value: base64OrNull(value), height: String(height), codespace }
    }
  }
})
