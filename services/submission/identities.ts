import { hash } from 'node:crypto'
import { FIAT } from '../chains/families.ts'
import { parseJson } from '../json.ts'
import type { MsgRequestTransaction } from '../messages/index.ts'
import type { Identity } from './types.ts'

/**
 * An identity as databases store it: the prefix keeps a value of one kind from standing for one of another (interface 7.3).
 */
export const identityKey = ({ kind, value }: Identity): string => storedText(`${kind}:${value}`)

/** A text as databases store it: PostgreSQL has no character NUL, and JSON has it escaped. Nothing else begins with `json:`. */
export function storedText(text: string): string {
  const whole = Buffer.from(text).toString()
  return whole.includes('\0') ? `json:${JSON.stringify(whole)}` : whole
}

/** The original of a string written by `storedText`. */
export function originalText(stored: string): string {
  return stored.startsWith('json:') ? String(parseJson(stored.slice('json:'.length))) : stored
}

/** The tag of a message's first field if it is a string: the creator, who signs. */
const CREATOR = 0x0a

/**
 * The content of a submission is its encoded message with its type, and without its creator: the service's next wallet knows what
 * the one before it has executed (interface 7.4).
 */
export function contentHash(typeUrl: string, message: Uint8Array): Buffer {
  const [tag, length = 0] = message
  // An address has less than 128 bytes, so its length is one byte.
  const content = tag === CREATOR && length < 0x80 ? message.subarray(2 + length) : message
  return hash('sha256', Buffer.concat([Buffer.from(`${typeUrl}\0`), content]), 'buffer')
}

/** What a transfer or swap itself says that it is known by: its feeId, and from a rail its payment (interface 7.3). */
export function identitiesIn({
  originChain,
  options
}: Pick<MsgRequestTransaction, 'originChain' | 'options'>): Identity[] {
  const { feeId, transactionIdSeed }: Record<string, unknown> = Object(parseJson(options))
  const identities: Identity[] = []
  if (isText(feeId)) identities.push({ kind: 'fee', value: feeId })
  if (originChain === FIAT && isText(transactionIdSeed)) {
    identities.push({ kind: 'payment', value: transactionIdSeed })
  }
  return identities
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
