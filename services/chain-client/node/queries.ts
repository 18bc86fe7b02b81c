import { encodeSecp256k1Pubkey } from '@cosmjs/amino'
import {
  accountFromAny,
  QueryClient,
  setupAuthExtension,
  setupBankExtension,
  setupTxExtension
} from '@cosmjs/stargate'
import { Comet38Client } from '@cosmjs/tendermint-rpc'
import { safeInteger } from '../safe-integer.ts'
import { shorten } from '../shorten.ts'
import type { AccountState, ForeignPrefix, Simulation, SimulationAnswer } from '../types.ts'
import { AbciQuery } from './answer-shapes.ts'
import type { RpcConnection } from './rpc-connection.ts'

/** Codes of the `sdk` codespace for a queried account that does not exist. */
const NOT_FOUND_CODES = [9, 22, 38]

/** The SDK has no code of its own for this: 0.47, and since 0.50. */
const FOREIGN_PREFIX = /(?:invalid Bech32 prefix; expected |bech32 prefix: expected ')([a-z0-9]{1,83})\b/

/** The application refused a query. */
class QueryRefusedError extends Error {
  override name = 'QueryRefusedError'
  /** `log` is whole. */
  readonly refusal: { code: number; codespace: string; log: string }

  constructor(refusal: QueryRefusedError['refusal']) {
    super(shorten(refusal.log))
    this.refusal = refusal
  }
}

/** CosmJS's client with what it leaves out: the code of a refusal, and the height of the last answer. */
class Queries extends QueryClient {
  height = 0
  readonly #comet: Comet38Client
  readonly #at: number | undefined

  /** @param at the height of the state that is asked for; the newest when it is left out */
  constructor(comet: Comet38Client, at?: number) {
    super(comet)
    this.#comet = comet
    this.#at = at
  }

  override async queryAbci(path: string, data: Uint8Array) {
    const asked = { path, data, ...(this.#at !== undefined && { height: this.#at }) }
    const { code, codespace, log = '', value, height } = await this.#comet.abciQuery(asked)
    if (code) throw new QueryRefusedError({ code, codespace, log })
    if (!height) throw new Error('the height of an answer cannot be read')
    this.height = height
    return { value, height }
  }
}

/**
 * The application of one node, asked with CosmJS's query extensions over our own connection. ABCI queries are the same in
 * CometBFT 0.37, 0.38 and 1.x.
 */
export function createQueries({ call }: Pick<RpcConnection, 'call'>) {
  const comet = Comet38Client.create({
    async execute({ id, params }) {
      const result = await call('abci_query', { ...params })
      // CosmJS passes on a log of any type.
      if (!AbciQuery.Check(result)) throw new Error('the answer to a query cannot be read')
      return { jsonrpc: '2.0', id, result }
    },
    disconnect() {}
  })

  async function readAccount(address: string, at?: number): Promise<AccountState> {
    const client = new Queries(comet, at)
    const found = await setupAuthExtension(client).auth.account(address)
    if (!found) throw new Error('the account cannot be read')
    const { accountNumber, sequence } = accountFromAny(found)
    return { accountNumber, sequence, height: client.height }
  }

  return {
    async account(address: string, at?: number): Promise<AccountState | ForeignPrefix | undefined> {
      try {
        return await readAccount(address, at)
      } catch (error) {
        if (!(error instanceof QueryRefusedError)) throw error
        if (NOT_FOUND_CODES.includes(error.refusal.code)) return undefined
        const expectedPrefix = FOREIGN_PREFIX.exec(error.refusal.log)?.[1]
        if (expectedPrefix === undefined) throw error
        return { expectedPrefix }
      }
    },

    async balance(address: string, denom: string): Promise<bigint> {
      const coin = await setupBankExtension(new Queries(comet)).bank.balance(address, denom)
      if (coin.denom !== denom || !/^\d+$/.test(coin.amount)) throw new Error('the balance cannot be read')
      return BigInt(coin.amount)
    },

    async simulate({ messages, publicKey, sequence }: Simulation): Promise<SimulationAnswer> {
      const { tx } = setupTxExtension(new Queries(comet))
      try {
        const pubkey = encodeSecp256k1Pubkey(publicKey)
        const { gasInfo } = await tx.simulate(messages, undefined, pubkey, sequence)
        const gasUsed = safeInteger(gasInfo?.gasUsed)
        if (!gasUsed) throw new Error('the gas of a simulation cannot be read')
        return { status: 'passed', gasUsed }
      } catch (error) {
        if (!(error instanceof QueryRefusedError)) throw error
        return { status: 'failed', ...error.refusal }
      }
    }
  }
}
