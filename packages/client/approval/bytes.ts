export type Hex = `0x${string}`

/** An argument of `approvalOf`, or of a function that it returned, is wrong. */
export class ApprovalError extends RangeError {
  override readonly name = 'ApprovalError'
  readonly code: 'WRONG_POOL' | 'WRONG_TOKEN' | 'WRONG_PERMIT'

  constructor(code: ApprovalError['code'], message: string) {
    super(message)
    this.code = code
  }
}

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** Returns the bytes, or none if the string is not base58 or longer than any address. */
export function fromBase58(text: string): Uint8Array {
  if (!/^[1-9A-HJ-NP-Za-km-z]{1,44}$/.test(text)) return new Uint8Array()
  const value = [...text].reduce((sum, digit) => sum * 58n + BigInt(ALPHABET.indexOf(digit)), 0n)
  const digits = value === 0n ? '' : value.toString(16)
  const zeros = '00'.repeat(text.length - text.replace(/^1+/, '').length)
  const hex = zeros + digits.padStart(digits.length + (digits.length % 2), '0')
  return Uint8Array.from(hex.match(/../g) ?? [], byte => Number.parseInt(byte, 16))
}

export function toBase58(bytes: Uint8Array): string {
  let text = ''
  for (let value = BigInt(`0x0${toHex(bytes)}`); value > 0n; value /= 58n)
    text = ALPHABET.charAt(Number(value % 58n)) + text
  return '1'.repeat(bytes.findIndex(byte => byte !== 0)) + text
}

export const toHex = (bytes: Uint8Array): string =>
  [...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('')

/** Encodes an ABI argument as 32 bytes in hex, without 0x. An address is hex without 0x. */
export const argument = (value: bigint | string): string =>
  (typeof value === 'string' ? value : value.toString(16)).padStart(64, '0')

/** @throws RangeError when the amount has more bits than the contract's type */
export function bounded(amount: string, bits: number): bigint {
  const value = BigInt(amount)
  if (value >> BigInt(bits) === 0n) return value
  throw new RangeError(`The amount ${amount} has more than ${bits} bits`)
}
