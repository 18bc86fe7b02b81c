import type { Chain } from '../../chain/chain.ts'
import { base64OrNull } from '../encoding.ts'
import type { Methods } from '../json-rpc.ts'

/** The methods that query the application. */
export function abciMethods(chain: Chain): Methods {
  return {
    abci_query(params) {
      const path = params.string('path') ?? ''
      const result = chain.query(path, params.hex('data'), params.int('height') ?? 0)
      return {
        response: {
          code: result.code,
          log: result.log,
          info: '',
          index: '0',
          key: null,
          value: base64OrNull(result.value),
          proofOps: null,
          height: String(result.height),
          codespace: result.codespace
        }
      }
    }
  }
}
