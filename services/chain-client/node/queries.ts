import { encodeSecp256k1Pubkey } from '@cosmjs/amino'
import { fromBase64, toHex } from '@cosmjs/encoding'
import { encodePubkey } from '@cosmjs/proto-signing'
import { BaseAccount, ModuleAccount } from 'cosmjs-types/cosmos/auth/v1beta1/auth'
import { QueryClientImpl as AuthQueries } from 'cosmjs-types/cosmos/auth/v1beta1/query'
import { QueryClientImpl as BankQueries } from 'cosmjs-types/cosmos/bank/v1beta1/query'
import { ServiceClientImpl as TxQueries } from 'cosmjs-types/cosmos/tx/v1beta1/service'
import { Tx } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import {
  BaseVestingAccount,
  ContinuousVestingAccount,
  DelayedVestingAccount,
  PeriodicVestingAccount
} from 'cosmjs-types/cosmos/vesting/v1beta1/vesting'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import { shorten } from '../../errors/shown.ts'
import type { AccountState, ForeignPrefix, Simulation, SimulationResult } from '../contract.ts'
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

function baseAccountOf({ typeUrl, value }: Any): BaseAccount | undefined {
  switch (typeUrl) {
    case BaseAccount.typeUrl:
      return BaseAccount.decode(value)
    case ModuleAccount.typeUrl:
      return ModuleAccount.decode(value).baseAccount
    case BaseVestingAccount.typeUrl:
      return BaseVestingAccount.decode(value).baseAccount
    case ContinuousVestingAccount.typeUrl:
      return ContinuousVestingAccount.decode(value).baseVestingAccount?.baseAccount
    case DelayedVestingAccount.typeUrl:
      return DelayedVestingAccount.decode(value).baseVestingAccount?.baseAccount
    case PeriodicVestingAccount.typeUrl:
      return PeriodicVestingAccount.decode(value).baseVestingAccount?.baseAccount
    default:
      return undefined
  }
}

/** Encodes a transaction that cannot be executed: it has no signature. */
function encodeTx({ messages, publicKey, sequence }: Simulation): Uint8Array {
  const signer = {
    publicKey: encodePubkey(encodeSecp256k1Pubkey(publicKey)),
    sequence: BigInt(sequence),
    modeInfo: { single: {} }
  }
  const authInfo = { fee: {}, signerInfos: [signer] }
  const body = { messages: [...messages] }
  return Tx.encode(Tx.fromPartial({ authInfo, body, signatures: [new Uint8Array()] })).finish()
}

/** Queries a node's application over our own connection, with the clients that cosmjs-types generates. */
export function createQueries(call: RpcConnection['call']) {
  /** @param height the block after which the state is read; omit for the newest one */
  function queriesAt(height?: number) {
    const answered = { height: 0 }
    const at = height !== undefined && { height: String(height) }
    const rpc = {
      async request(service: string, method: string, data: Uint8Array) {
        const params = { path: `/${service}/${method}`, data: toHex(data), prove: false, ...at }
        const { response } = await call('abci_query', AbciQuery, params)
        const { code, codespace = '', log = '', value } = response
        if (code) throw new QueryRefusedError({ code, codespace, log })
        answered.height = Number(response.height ?? 0)
        if (answered.height === 0) throw new Error('the response contains no height')
        return fromBase64(value ?? '')
      }
    }
    return { rpc, answered }
  }

  return {
    async account(address: string, height?: number): Promise<AccountState | ForeignPrefix | undefined> {
      const { rpc, answered } = queriesAt(height)
      try {
        const { account } = await new AuthQueries(rpc).Account({ address })
        const base = account && baseAccountOf(account)
        const sequence = safeInteger(base?.sequence)
        if (base === undefined || sequence === undefined)
          throw new Error(`the response contains no readable account for ${address}`)
        return { accountNumber: base.accountNumber, sequence, height: answered.height }
      } catch (error) {
        if (!(error instanceof QueryRefusedError)) throw error
        if (NOT_FOUND_CODES.includes(error.refusal.code)) return undefined
        const expectedPrefix = FOREIGN_PREFIX.exec(error.refusal.log)?.[1]
        if (expectedPrefix === undefined) throw error
        return { expectedPrefix }
      }
    },

    async balance(address: string, denom: string): Promise<bigint> {
      const { balance } = await new BankQueries(queriesAt().rpc).Balance({ address, denom })
      if (balance?.denom !== denom || !/^\d+$/.test(balance.amount))
        throw new Error(`the response contains no valid balance in ${denom}`)
      return BigInt(balance.amount)
    },

    async simulate(simulation: Simulation): Promise<SimulationResult> {
      try {
        const { gasInfo } = await new TxQueries(queriesAt().rpc).Simulate({ txBytes: encodeTx(simulation) })
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
