import { keccak_256 } from '@noble/hashes/sha3.js'

const EVM = /^0x[0-9a-fA-F]{40}$/
const ONE_CASE = /^0x([0-9a-f]{40}|[0-9A-F]{40})$/
const ZERO = /^0x0{40}$/

/** Ignores the checksum. */
export function isEvmAddress(text: string): boolean {
  return EVM.test(text)
}

/** Writes an EVM address with its checksum (EIP-55): a letter is upper-case if its digit of the hash is 8 or more. */
export function checksummed(address: string): string {
  const digits = address.slice(2).toLowerCase()
  const hash = Buffer.from(keccak_256(Buffer.from(digits))).toString('hex')
  const checked = digits.replace(/[a-f]/g, (letter, index: number) =>
    (hash[index] ?? '') < '8' ? letter : letter.toUpperCase()
  )
  return `0x${checked}`
}

/** Returns what is wrong with an EVM address, or undefined. Only an address in mixed case has a checksum (EIP-55). */
export function evmProblem(address: string): string | undefined {
  if (!isEvmAddress(address)) return 'must be an EVM address: 0x and 40 hex digits'
  if (ZERO.test(address)) return 'must not be the zero address: tokens sent there are lost'
  return ONE_CASE.test(address) || checksummed(address) === address
    ? undefined
    : 'must have a valid EIP-55 checksum, or be in lower case'
}
