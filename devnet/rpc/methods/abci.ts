import { fromHex } from '@cosmjs/encoding'
import type { Chain } from '../../chain/chain.ts'
import type { Methods } from '../dispatch.ts'
import { base64OrNull, toBase64 } from '../encoding/bytes.ts'
import { encodeCheckTx } from '../encoding/tx.ts'

/** The methods that ask the application. */
export function abciMethods(chain: Chain): Methods {
  return {
    abci_info: {
      params: {},
      call: () => ({
        response: {
          data: 'devnet',
          last_block_height: String(chain.height),
          last_block_app_hash: toBase64(fromHex(chain.appHash))
        }
      })
    },
    check_tx: {
      params: { tx: 'types.Tx' },
      call: params => encodeCheckTx(chain, chain.checkTx(params.bytes('tx') ?? new Uint8Array()))
    },
    abci_query: {
      params: { path: 'string', data: 'hex', height: 'int64', prove: 'bool' },
      call: params => {
        const data = params.bytes('data') ?? new Uint8Array()
        const [path, height] = [params.string('path') ?? '', params.int('height') ?? 0]
        const result = chain.query(path, data, height, params.bool('prove'))
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
