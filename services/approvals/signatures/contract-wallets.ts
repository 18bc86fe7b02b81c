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
  /**
   * @param signature lower-case hex with 0x; only `0x` asks whether the wallet has approved the text on its chain
   * @throws UpstreamError, UpstreamTimeoutError if the RPC returns no result
   */
  accepts(address: string, text: string, signature: string): Promise<boolean>
  close(): Promise<void>
}

/** Suffix of the signature of a wallet that is not deployed yet: the client's call that would deploy it (ERC-6492). */
const NOT_DEPLOYED = /(6492){16}$/

/** Selector of `isValidSignature(bytes32,bytes)`. */
const IS_VALID = '0x1626ba7e'
/** The result for a valid signature: the same four bytes, and nothing else. */
const VALID = /^0x1626ba7e0{56}$/i

const word = (hex: string) => hex.padStart(64, '0')

/** The ABI encoding of arguments of 32 bytes, in hex, and the signature as the last argument. */
function encode(words: readonly string[], signature: string): string {
  const bytes = signature.slice(2)
  const number = (value: number) => word(value.toString(16))
  const padded = bytes.padEnd(Math.ceil(bytes.length / 64) * 64, '0')
  return [...words, number((words.length + 1) * 32), number(bytes.length / 2), padded].join('')
}

/** Returns the parameters of `eth_call`, and the result that means that the wallet accepts the signature. */
function question(address: string, text: string, signature: string) {
  const digest = Buffer.from(digestOf('Ethereum', text)).toString('hex')
  if (!NOT_DEPLOYED.test(signature))
    return { call: { to: address, data: IS_VALID + encode([digest], signature) }, valid: VALID }
  // A call that creates a contract returns what its constructor returns: 1 for a valid signature.
  const data = validator.bytecode + encode([word(address.slice(2).toLowerCase()), digest], signature)
  return { call: { data }, valid: /^0x0*1$/ }
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
      const { call, valid } = question(address, text, signature)
      const request = { jsonrpc: '2.0', id: 1, method: 'eth_call', params: [call, 'latest'] }
      const { result, error } = await rpc.post('', request, RpcResponse)
      if (error === undefined) return typeof result === 'string' && valid.test(result)
      if (error.code === REVERTED || /revert/i.test(error.message)) return false
      throw rpc.fault(`error ${error.code}: ${error.message}`)
    },
    close: rpc.close
  }
}
