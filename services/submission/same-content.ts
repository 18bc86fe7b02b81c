import { base58 } from '@scure/base'
import { canonicalAddress } from '../addresses/index.ts'
import { family } from '../chains/families.ts'
import { isObject, parseJson } from '../json.ts'
import { createMessageTypes } from '../messages/index.ts'
import type { SubmissionRequest } from './contract.ts'
import { contentHash } from './identities.ts'

export type Content = Pick<SubmissionRequest, 'typeUrl' | 'message'>

// A message has the same fields under every brand.
const { requestTransaction, requestSwapTransaction } = createMessageTypes('service')

const HEX = /^(0x)?[0-9a-f]+$/i
const PREFIXED = /^0x[0-9a-f]*$/i
/** The base58 encoding of 64 bytes. */
const BASE58 = /^[1-9A-HJ-NP-Za-km-z]{64,88}$/

/** Options whose case matters, although they can look like hex digits. */
const EXACT = ['feeId', 'transactionIdSeed']

/**
 * Returns a string that is equal for all spellings of a content (interface 7.4): it ignores the creator, the order of
 * options, the case of hex digits, and how addresses and signatures are written. Other messages must have equal bytes.
 */
export function meaningOf({ typeUrl, message }: Content): string {
  try {
    return readMeaning(typeUrl, message)
  } catch {
    return contentHash(typeUrl, message).toString('hex')
  }
}

/** @throws Error if the message is not a readable request */
function readMeaning(typeUrl: string, message: Uint8Array): string {
  const type = [requestTransaction, requestSwapTransaction].find(({ typeUrl: ours }) =>
    typeUrl.endsWith(ours.slice(ours.lastIndexOf('.')))
  )
  if (type === undefined) throw new TypeError(`${typeUrl} is not a request`)
  const { creator: _, options, ...fields } = type.decode(message)
  const parsed = parseJson(options)
  return JSON.stringify([
    typeUrl,
    {
      ...fields,
      originAddress: canonicalAddress(fields.originAddress),
      targetAddress: canonicalAddress(fields.targetAddress),
      htlcCreationHash: lowerIf(HEX, fields.htlcCreationHash),
      senderPubKey: Buffer.from(fields.senderPubKey).toString('hex')
    },
    isObject(parsed) ? meaningOfOptions(parsed, fields.originChain) : options
  ])
}

function meaningOfOptions(options: object, originChain: string): object {
  return inOrder(options, (value, name) => {
    if (EXACT.includes(name)) return value
    const isSignature = name === 'signature' && typeof value === 'string'
    return inLowerCase(isSignature ? signatureBytes(value, originChain) : value)
  })
}

const lowerIf = (pattern: RegExp, text: string) => (pattern.test(text) ? text.toLowerCase() : text)

/** Returns a signature in hex with 0x, if it is in hex, or in base58 on Solana (interface 6.37). */
function signatureBytes(signature: string, chain: string): string {
  if (family(chain) === 'SOL' && BASE58.test(signature))
    return `0x${Buffer.from(base58.decode(signature)).toString('hex')}`
  return HEX.test(signature) ? `0x${signature.replace(/^0x/i, '')}` : signature
}

/** Copies a JSON value, with sorted keys and hex digits after 0x in lower case. */
function inLowerCase(value: unknown): unknown {
  if (typeof value === 'string') return lowerIf(PREFIXED, value)
  if (Array.isArray(value)) return value.map(inLowerCase)
  return isObject(value) ? inOrder(value, inLowerCase) : value
}

function inOrder(object: object, copy: (value: unknown, name: string) => unknown): object {
  const entries = Object.entries(object).sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries.map(([name, value]) => [name, copy(value, name)]))
}
