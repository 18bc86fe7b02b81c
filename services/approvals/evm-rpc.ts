import { Type } from '@sinclair/typebox'
import { checkFor } from '../schema-check.ts'
import { createUpstream, type UpstreamObserver } from '../upstream/index.ts'

const RpcResponse = checkFor(
  Type.Object({
    result: Type.Optional(Type.Unknown()),
    error: Type.Optional(Type.Object({ code: Type.Integer(), message: Type.String() }))
  })
)

/** JSON-RPC error codes of a reverted call. The second is that of Nethermind, whose message does not say so. */
const REVERTED = [3, -32015]

/** Every method throws UpstreamError or UpstreamTimeoutError if the RPC returns neither a result nor a revert. */
export interface EvmRpc {
  /** Makes an `eth_call` at the newest block. @returns undefined if the call reverts */
  call(call: { to?: string; data: string }): Promise<string | undefined>
  /** Reads how many base units of a token the owner has approved for the spender. */
  allowance(token: string, owner: string, spender: string): Promise<bigint>
  close(): Promise<void>
}

export interface EvmRpcs {
  get(chain: string): EvmRpc | undefined
  close(): Promise<void>
}

/** Encodes an address or a number in hex as an argument of 32 bytes. */
export const word = (hex: string): string => hex.replace(/^0x/, '').toLowerCase().padStart(64, '0')

/** Selector of `allowance(address,address)`. */
const ALLOWANCE = '0xdd62ed3e'
const UINT256 = /^0x[0-9a-f]{64}$/i

function createEvmRpc(chain: string, baseUrl: string, observe?: UpstreamObserver): EvmRpc {
  const upstream = createUpstream({ name: `RPC of ${chain}`, baseUrl, observe })

  const call: EvmRpc['call'] = async params => {
    const request = { jsonrpc: '2.0', id: 1, method: 'eth_call', params: [params, 'latest'] }
    const { result, error } = await upstream.post('', request, RpcResponse)
    if (error === undefined && typeof result === 'string') return result
    if (error === undefined) throw upstream.fault('the response has no result')
    if (REVERTED.includes(error.code) || /revert/i.test(error.message)) return undefined
    throw upstream.fault(`error ${error.code}: ${error.message}`)
  }

  return {
    call,
    async allowance(token, owner, spender) {
      const result = await call({ to: token, data: ALLOWANCE + word(owner) + word(spender) })
      // A chain without a contract at this address returns `0x`.
      if (result === undefined || !UINT256.test(result))
        throw upstream.fault(`no allowance from token ${token}`)
      return BigInt(result)
    },
    close: upstream.close
  }
}

/** @param urls RPC URLs by EVM chain short name */
export function createEvmRpcs(urls: { [chain: string]: string }, observe?: UpstreamObserver): EvmRpcs {
  const rpcs = new Map(Object.entries(urls).map(([chain, url]) => [chain, createEvmRpc(chain, url, observe)]))
  return {
    get: chain => rpcs.get(chain),
    async close() {
      await Promise.all([...rpcs.values()].map(rpc => rpc.close()))
    }
  }
}
