import { Type } from '@sinclair/typebox'
import { checkFor } from '../../schema-check.ts'
import { createUpstream, type UpstreamObserver } from '../../upstream/index.ts'
// The reference validator of ERC-6492, which `npm run chain-data` writes.
import validator from './erc-6492-validator.json' with { type: 'json' }
import { digestOf } from './recovery.ts'

const RpcResponse = checkFor(
  Type.Object({
    result: Type.Optional(Type.Unknown()),
    error: Type.Optional(Type.Object({ code: Type.Integer(), message: Type.String() }))
  })
)

/** JSON-RPC error code of a reverted call. */
const REVERTED = 3

export interface ContractWallets {
  /** @param signature hex with 0x @throws UpstreamError, UpstreamTimeoutError if the RPC returns no result */
  accepts(address: string, text: string, signature: string): Promise<boolean>
  close(): Promise<void>
}

/** The ABI encoding of the validator's arguments: an address, the digest and the signature. */
function encode(address: string, digest: Uint8Array, signature: string): string {
  const bytes = signature.slice(2)
  const word = (hex: string) => hex.padStart(64, '0')
  const number = (value: number) => word(value.toString(16))
  const padded = bytes.padEnd(Math.ceil(bytes.length / 64) * 64, '0')
  const head = [word(address.slice(2).toLowerCase()), Buffer.from(digest).toString('hex'), number(3 * 32)]
  return [...head, number(bytes.length / 2), padded].join('')
}

/** Checks signatures with a chain's contract wallets (ERC-1271; ERC-6492 if a wallet is not deployed yet). */
export function createContractWallets(
  chain: string,
  rpcUrl: string,
  observe?: UpstreamObserver
): ContractWallets {
  const rpc = createUpstream({ name: `RPC of ${chain}`, baseUrl: rpcUrl, observe })

  return {
    async accepts(address, text, signature) {
      // A call that creates a contract returns what its constructor returns: 1 for a valid signature.
      const data = `${validator.bytecode}${encode(address, digestOf('Ethereum', text), signature)}`
      const call = { jsonrpc: '2.0', id: 1, method: 'eth_call', params: [{ data }, 'latest'] }
      const { result, error } = await rpc.post('', call, RpcResponse)
      if (error === undefined) return typeof result === 'string' && /^0x0*1$/.test(result)
      if (error.code === REVERTED || /revert/i.test(error.message)) return false
      throw rpc.fault(`error ${error.code}: ${error.message.slice(0, 300)}`)
    },
    close: rpc.close
  }
}
