import { fromHex } from '@cosmjs/encoding'
import type { Chain } from '../../chain/chain.ts'
import type { Methods } from '../dispatch.ts'
import { base64OrNull, toBase64 } from '../encoding/bytes.ts'

/** The methods that ask the application. */
export function abciMethods(chain: Chain): Methods {
  return {
    abci_info: {
      params: [],
      call: () => ({
        response: {
          data: 'devnet',
          version: '',
          last_block_height: String(chain.height),
          last_block_app_hash: toBase64(fromHex(chain.appHash))
        }
      })
    },
    abci_query: {
      params: ['path', 'data', 'height', 'prove'],
      call: params => {
        const data = params.hex('data') ?? new Uint8Array()
        const result = chain.query(params.string('path') ?? '', data, params.int('height') ?? 0)
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
}
