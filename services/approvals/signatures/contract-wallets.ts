import { type EvmRpc, word } from '../evm-rpc.ts'
// The reference validator of ERC-6492, which `npm run chain-data` writes.
import validator from './erc-6492-validator.json' with { type: 'json' }
import { digestOf } from './recovery.ts'

/** Suffix of the signature of a wallet that is not deployed yet: the client's call that would deploy it (ERC-6492). */
const NOT_DEPLOYED = /(6492){16}$/

/** Selector of `isValidSignature(bytes32,bytes)`. */
const IS_VALID = '0x1626ba7e'
/** The result for a valid signature: the same four bytes, and nothing else. */
const VALID = /^0x1626ba7e0{56}$/i

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
  const data = validator.bytecode + encode([word(address), digest], signature)
  return { call: { data }, valid: /^0x0*1$/ }
}

/**
 * Asks a chain's contract wallet whether it accepts a signature (ERC-1271; ERC-6492 if it is not deployed yet).
 * @param signature lower-case hex with 0x; only `0x` asks whether the wallet has approved the text on its chain
 * @throws UpstreamError, UpstreamTimeoutError if the RPC returns no result
 */
export async function isAccepted(
  rpc: EvmRpc,
  address: string,
  text: string,
  signature: string
): Promise<boolean> {
  const { call, valid } = question(address, text, signature)
  const result = await rpc.call(call)
  return result !== undefined && valid.test(result)
}
