import { encodeSecp256k1Pubkey } from '@cosmjs/amino'
import { fromBase64 } from '@cosmjs/encoding'
import { encodePubkey } from '@cosmjs/proto-signing'
import { type Account, accountFromAny } from '@cosmjs/stargate'
import { QueryAccountRequest, QueryAccountResponse } from 'cosmjs-types/cosmos/auth/v1beta1/query'
import { QueryBalanceRequest, QueryBalanceResponse } from 'cosmjs-types/cosmos/bank/v1beta1/query'
import { GasInfo } from 'cosmjs-types/cosmos/base/abci/v1beta1/abci'
import { ConfigResponse } from 'cosmjs-types/cosmos/base/node/v1beta1/query'
import { ValidatorAccumulatedCommission } from 'cosmjs-types/cosmos/distribution/v1beta1/distribution'
import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing'
import { SimulateRequest } from 'cosmjs-types/cosmos/tx/v1beta1/service'
import { Tx } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import { messageOf, shorten } from '../../errors/shown.ts'
import { createCodec } from '../../messages/codec.ts'
import { bytes } from '../../messages/fields.ts'
import type { AccountReport, RequiredPrices, Simulation, SimulationResult } from '../contract.ts'
import { AbciQuery, safeInteger } from './responses.ts'
import { type RpcConnection, SIMULATE_PATH } from './rpc-connection.ts'

const NOT_FOUND_CODES = [9, 22, 38]

/** The SDK has no error code for a wrong prefix. Matches the messages of SDK 0.47, and of 0.50 and later. */
const FOREIGN_PREFIX = /(?:invalid Bech32 prefix; expected |bech32 prefix: expected ')([a-z0-9]{1,83})\b/

/** The application rejected a query. */
class QueryRefusedError extends Error {
  override name = 'QueryRefusedError'
  /** The refusal, with the whole log. */
  readonly refusal: { code: number; codespace: string; log: string }

  constructor(refusal: QueryRefusedError['refusal']) {
    super(shorten(refusal.log))
    this.refusal = refusal
  }
}

/** Returns undefined if CosmJS does not know the type of the account, or of its public key. */
function readable(account: Any): Account | undefined {
  try {
    return accountFromAny(account)
  } catch (error) {
    if (/^(?:Unsupported type|Pubkey type_url)/.test(messageOf(error))) return undefined
    throw error
  }
}

/** A price, such as `0.025utoken`. */
const PRICE = /^(\d{1,78}(?:\.\d{1,18})?)([a-zA-Z].*)$/

/** Inserts the decimal point into a price: in protobuf, prices are integers with 18 decimals. */
function withPoint({ denom, amount }: { denom: string; amount: string }) {
  if (!/^\d{1,78}$/.test(amount)) throw new Error('a gas price is invalid')
  const padded = amount.padStart(19, '0')
  return { denom, amount: `${padded.slice(0, -18)}.${padded.slice(-18)}` }
}

/** Decodes only the gas of a simulation: its result, with the events of all messages, can be large. */
const simulateResponse = createCodec({ gasInfo: bytes(1) })

/** Queries a node's application over our own connection. CosmJS's clients drop the code of a refusal. */
export function createQueries(call: RpcConnection['call']) {
  /** @throws QueryRefusedError */
  async function query(path: string, request: Uint8Array, height?: number) {
    const data = Buffer.from(request).toString('hex')
    const at = height !== undefined && { height: String(height) }
    const { response } = await call('abci_query', AbciQuery, { path, data, prove: false, ...at })
    const { code, codespace = '', log = '', value } = response
    if (code) throw new QueryRefusedError({ code, codespace, log })
    const answeredAt = Number(response.height)
    if (!answeredAt) throw new Error('the response to a query contains no height')
    return { value: fromBase64(value ?? ''), height: answeredAt }
  }

  /** @returns undefined if the application refuses the query, for example because it is unknown */
  async function queryIfKnown(path: string): Promise<Uint8Array | undefined> {
    try {
      return (await query(path, new Uint8Array())).value
    } catch (error) {
      if (error instanceof QueryRefusedError) return undefined
      throw error
    }
  }

  return {
    async account(address: string, height?: number): Promise<AccountReport> {
      try {
        const request = QueryAccountRequest.encode({ address }).finish()
        const answer = await query('/cosmos.auth.v1beta1.Query/Account', request, height)
        const { account: found } = QueryAccountResponse.decode(answer.value)
        if (!found) throw new Error(`the response contains no account for ${address}`)
        const { typeUrl } = found
        const account = readable(found)
        if (!account) return { typeUrl }
        const { accountNumber, sequence } = account
        return { accountNumber, sequence, height: answer.height }
      } catch (error) {
        if (!(error instanceof QueryRefusedError)) throw error
        if (NOT_FOUND_CODES.includes(error.refusal.code)) return undefined
        const expectedPrefix = FOREIGN_PREFIX.exec(error.refusal.log)?.[1]
        if (expectedPrefix === undefined) throw error
        return { expectedPrefix }
      }
    },

    /** Returns the prices of the chain's fee market or, if it has none, the node's own minimum prices. */
    async requiredPrices(): Promise<RequiredPrices> {
      const market = await queryIfKnown('/feemarket.feemarket.v1.Query/GasPrices')
      // Has the same format as the response: prices as its first field.
      if (market)
        return {
          prices: ValidatorAccumulatedCommission.decode(market).commission.map(withPoint),
          areAll: false
        }
      const config = await queryIfKnown('/cosmos.base.node.v1beta1.Service/Config')
      const { minimumGasPrice } = ConfigResponse.decode(config ?? new Uint8Array())
      const prices = minimumGasPrice.split(',').flatMap(price => {
        const [, amount, denom] = PRICE.exec(price) ?? []
        return amount && denom ? [{ amount, denom }] : []
      })
      return { prices, areAll: true }
    },

    async balance(address: string, denom: string): Promise<bigint> {
      const request = QueryBalanceRequest.encode({ address, denom }).finish()
      const { value } = await query('/cosmos.bank.v1beta1.Query/Balance', request)
      const { balance: coin } = QueryBalanceResponse.decode(value)
      if (coin?.denom !== denom || !/^\d+$/.test(coin.amount))
        throw new Error(`the response contains no valid balance in ${denom}`)
      return BigInt(coin.amount)
    },

    async simulate({ messages, publicKey, sequence }: Simulation): Promise<SimulationResult> {
      try {
        const tx = Tx.fromPartial({
          body: { messages: [...messages] },
          authInfo: {
            signerInfos: [
              {
                publicKey: encodePubkey(encodeSecp256k1Pubkey(publicKey)),
                modeInfo: { single: { mode: SignMode.SIGN_MODE_UNSPECIFIED } },
                sequence: BigInt(sequence)
              }
            ],
            fee: {}
          },
          signatures: [new Uint8Array()]
        })
        const request = SimulateRequest.fromPartial({ txBytes: Tx.encode(tx).finish() })
        const { value } = await query(SIMULATE_PATH, SimulateRequest.encode(request).finish())
        const gasUsed = safeInteger(GasInfo.decode(simulateResponse.decode(value).gasInfo).gasUsed)
        if (!gasUsed) throw new Error('the simulation response contains no valid gas_used')
        return { status: 'passed', gasUsed }
      } catch (error) {
        if (!(error instanceof QueryRefusedError)) throw error
        return { status: 'failed', ...error.refusal }
      }
    }
  }
}
