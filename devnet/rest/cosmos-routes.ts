import { toBase64 } from '@cosmjs/encoding'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { BaseAccount } from 'cosmjs-types/cosmos/auth/v1beta1/auth'
import { QueryAccountRequest, QueryAccountResponse } from 'cosmjs-types/cosmos/auth/v1beta1/query'
import { QueryAllBalancesRequest, QueryAllBalancesResponse } from 'cosmjs-types/cosmos/bank/v1beta1/query'
import { PubKey } from 'cosmjs-types/cosmos/crypto/secp256k1/keys'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import type { Chain } from '../chain/chain.ts'
import { GatewayError, notFound } from './gateway-error.ts'

const schema = { params: Type.Object({ address: Type.String() }) }
const SECP256K1 = '/cosmos.crypto.secp256k1.PubKey'

/** The standard Cosmos SDK paths that are handy with curl. */
export function cosmosRoutes(chain: Chain): FastifyPluginAsyncTypebox {
  function query(path: string, data: Uint8Array): Uint8Array {
    const { code, log, value } = chain.query(path, data, 0)
    if (code === 0) return value
    const text = log.replace(/^rpc error: code = \w+ desc = /, '')
    throw code === 22 ? notFound(text) : new GatewayError(400, 3, text)
  }

  return async app => {
    app.get('/cosmos/auth/v1beta1/accounts/:address', { schema }, request => {
      const data = QueryAccountRequest.encode(request.params).finish()
      const { account } = QueryAccountResponse.decode(query('/cosmos.auth.v1beta1.Query/Account', data))
      if (account === undefined) throw notFound()
      const { address, pubKey, accountNumber, sequence } = BaseAccount.decode(account.value)
      return {
        account: {
          '@type': account.typeUrl,
          address,
          pub_key: pubKeyJson(pubKey),
          account_number: String(accountNumber),
          sequence: String(sequence)
        }
      }
    })

    app.get('/cosmos/bank/v1beta1/balances/:address', { schema }, request => {
      const data = QueryAllBalancesRequest.encode(
        QueryAllBalancesRequest.fromPartial(request.params)
      ).finish()
      const { balances } = QueryAllBalancesResponse.decode(
        query('/cosmos.bank.v1beta1.Query/AllBalances', data)
      )
      return { balances, pagination: { next_key: null, total: String(balances.length) } }
    })

    app.get('/cosmos/base/tendermint/v1beta1/blocks/latest', () => {
      const block = chain.block(chain.height)
      if (block === undefined) throw notFound()
      return {
        block: {
          header: { chain_id: chain.chainId, height: String(block.height), time: block.time },
          data: { txs: block.txs.map(tx => toBase64(tx.bytes)) }
        }
      }
    })
  }
}

function pubKeyJson(pubKey: Any | undefined) {
  if (pubKey?.typeUrl !== SECP256K1) return null
  return { '@type': pubKey.typeUrl, key: toBase64(PubKey.decode(pubKey.value).key) }
}
