import { encodeSecp256k1Pubkey } from '@cosmjs/amino'
import {
  type Account,
  accountFromAny,
  QueryClient,
  setupAuthExtension,
  setupBankExtension,
  setupTxExtension
} from '@cosmjs/stargate'
import { Comet38Client } from '@cosmjs/tendermint-rpc'
import { ConfigResponse } from 'cosmjs-types/cosmos/base/node/v1beta1/query'
import { ValidatorAccumulatedCommission } from 'cosmjs-types/cosmos/distribution/v1beta1/distribution'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import { messageOf, shorten } from '../../errors/shown.ts'
import type { AccountReport, RequiredPrices, Simulation, SimulationResult } from '../contract.ts'
import { AbciQuery, safeInteger } from './responses.ts'
import type { RpcConnection } from './rpc-connection.ts'

const NOT_FOUND_CODES = [9, 22, 38]

/** The SDK has no error code for a wrong prefix. Matches the messages of SDK 0.47, and of 0.50 and later. */
const FOREIGN_PREFIX = /(?:invalid Bech32 prefix; expected |bech32 prefix: expected ')([a-z0-9]{1,83})\b/

/** The application rejected a query. CosmJS's own error does not contain the code. */
class QueryRefusedError extends Error {
  override name = 'QueryRefusedError'
  /** Not shortened. */
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

/** In protobuf, prices are integers with 18 decimals. */
function withPoint({ denom, amount }: { denom: string; amount: string }) {
  if (!/^\d{1,78}$/.test(amount)) throw new Error('a gas price is invalid')
  const padded = amount.padStart(19, '0')
  return { denom, amount: `${padded.slice(0, -18)}.${padded.slice(-18)}` }
}

/** Queries a node's application with CosmJS's extensions, over our own connection. */
export function createQueries(call: RpcConnection['call']) {
  function clientAt(height?: number) {
    const answered = { height: 0 }
    const at = height !== undefined && { height: String(height) }
    const comet = Comet38Client.create({
      async execute({ id, params }) {
        const result = await call('abci_query', AbciQuery, { ...params, ...at })
        const { code, codespace = '', log = '', height } = result.response
        if (code) throw new QueryRefusedError({ code, codespace, log })
        answered.height = Number(height)
        return { jsonrpc: '2.0', id, result }
      },
      disconnect() {}
    })
    const client = QueryClient.withExtensions(comet, setupAuthExtension, setupBankExtension, setupTxExtension)
    return { client, answered }
  }

  /** @returns undefined if the application refuses the query, for example because it does not know it */
  async function query(path: string): Promise<Uint8Array | undefined> {
    try {
      return (await clientAt().client.queryAbci(path, new Uint8Array())).value
    } catch (error) {
      if (error instanceof QueryRefusedError) return undefined
      throw error
    }
  }

  return {
    async account(address: string, height?: number): Promise<AccountReport> {
      const { client, answered } = clientAt(height)
      try {
        const found = await client.auth.account(address)
        if (!found) throw new Error(`the response contains no account for ${address}`)
        const { typeUrl } = found
        const account = readable(found)
        if (!account) return { typeUrl }
        const { accountNumber, sequence } = account
        return { accountNumber, sequence, height: answered.height }
      } catch (error) {
        if (!(error instanceof QueryRefusedError)) throw error
        if (NOT_FOUND_CODES.includes(error.refusal.code)) return undefined
        const expectedPrefix = FOREIGN_PREFIX.exec(error.refusal.log)?.[1]
        if (expectedPrefix === undefined) throw error
        return { expectedPrefix }
      }
    },

    /** Asks the chain's fee market or, if it has none, for the node's own minimum. */
    async requiredPrices(): Promise<RequiredPrices> {
      const market = await query('/feemarket.feemarket.v1.Query/GasPrices')
      // Has the same format as the response: prices as its first field.
      if (market)
        return {
          prices: ValidatorAccumulatedCommission.decode(market).commission.map(withPoint),
          areAll: false
        }
      const config = await query('/cosmos.base.node.v1beta1.Service/Config')
      const { minimumGasPrice } = ConfigResponse.decode(config ?? new Uint8Array())
      const prices = minimumGasPrice.split(',').flatMap(price => {
        const [, amount, denom] = PRICE.exec(price) ?? []
        return amount && denom ? [{ amount, denom }] : []
      })
      return { prices, areAll: true }
    },

    async balance(address: string, denom: string): Promise<bigint> {
      const coin = await clientAt().client.bank.balance(address, denom)
      if (coin.denom !== denom || !/^\d+$/.test(coin.amount))
        throw new Error(`the response contains no valid balance in ${denom}`)
      return BigInt(coin.amount)
    },

    async simulate({ messages, publicKey, sequence }: Simulation): Promise<SimulationResult> {
      try {
        const pubkey = encodeSecp256k1Pubkey(publicKey)
        const { gasInfo } = await clientAt().client.tx.simulate(messages, undefined, pubkey, sequence)
        const gasUsed = safeInteger(gasInfo?.gasUsed)
        if (!gasUsed) throw new Error('the simulation response contains no valid gas_used')
        return { status: 'passed', gasUsed }
      } catch (error) {
        if (!(error instanceof QueryRefusedError)) throw error
        return { status: 'failed', ...error.refusal }
      }
    }
  }
}
