import {
  decodeAbiParameters,
  decodeFunctionData,
  type Hex,
  maxUint256,
  numberToHex,
  parseAbi,
  parseAbiParameters,
  toFunctionSelector
} from 'viem'
import validator from '../../services/approvals/signatures/erc-6492-validator.json' with { type: 'json' }
import { json, serve } from './local-server.ts'
import type { Test } from './tap.ts'

/** A contract wallet's code: the result of `isValidSignature`, or undefined if the call reverts. */
export type WalletCode = (digest: Hex, signature: Hex, callData: Hex) => Hex | undefined

const abi = parseAbi([
  'function isValidSignature(bytes32 digest, bytes signature)',
  'function allowance(address owner, address spender)'
])
const VALID: Hex = `0x${toFunctionSelector(abi[0]).slice(2).padEnd(64, '0')}`
const NOT_DEPLOYED = /(6492){16}$/

/**
 * Starts a chain's RPC with contract wallets, by lower-case address, and tokens with an unlimited allowance. As at a
 * node, an account without code returns nothing, and the validator of ERC-6492 reverts for short signatures.
 */
export async function walletNode(t: Test, wallets: Record<string, WalletCode> = {}) {
  const node = {
    isBusy: false,
    /** Returns a token's allowance; undefined for an account without code. */
    allowance: (_token: string, _owner: string, _spender: string): bigint | undefined => maxUint256
  }
  const { url, seen } = await serve(t, ({ body }, response) => {
    const { method, params } = JSON.parse(body)
    const result = method === 'eth_call' ? call(params[0]) : undefined
    const reverted = { error: { code: 3, message: 'execution reverted', data: '0x' } }
    const answer = node.isBusy ? { error: { code: -32005, message: 'busy' } } : result ? { result } : reverted
    json(response, { jsonrpc: '2.0', id: 1, ...answer })
  })

  function call({ to, data }: { to?: string; data: Hex }): Hex | undefined {
    if (to === undefined) return create(data)
    const { functionName, args } = decodeFunctionData({ abi, data })
    if (functionName === 'allowance') {
      const allowance = node.allowance(to, ...args)
      return allowance === undefined ? '0x' : numberToHex(allowance, { size: 32 })
    }
    return wallets[to.toLowerCase()]?.(...args, data) ?? (to.toLowerCase() in wallets ? undefined : '0x')
  }

  function create(data: Hex): Hex | undefined {
    const checked = parseAbiParameters('address, bytes32, bytes')
    const [address, digest, signature] = decodeAbiParameters(
      checked,
      `0x${data.slice(validator.bytecode.length)}`
    )
    if (signature.length < 66) return undefined
    const wrapped = parseAbiParameters('address, bytes, bytes')
    const isWrapped = NOT_DEPLOYED.test(signature)
    const inner = isWrapped ? decodeAbiParameters(wrapped, `0x${signature.slice(2, -64)}`)[2] : signature
    return wallets[address.toLowerCase()]?.(digest, inner, data) === VALID ? '0x01' : '0x00'
  }

  return {
    url,
    node,
    calls: (): { to?: string; data: string }[] => seen.map(({ body }) => JSON.parse(body).params[0])
  }
}
