import { keccak_256 } from '@noble/hashes/sha3.js'
import { LRUCache } from 'lru-cache'
import { upTo } from '../caches/capacity.ts'

const EVM_ADDRESS = /^0x[0-9a-fA-F]{40}$/
const ONE_CASE = /^0x([0-9a-f]{40}|[0-9A-F]{40})$/

const ZERO = /^0x0{40}$/

/** Whether a text has the form of an EVM address, with letters of any case. */
export function isEvmAddress(text: string): boolean {
  return EVM_ADDRESS.test(text)
}

/** The problem of an EVM address. Its EIP-55 checksum counts when its letters are of both cases. */
export function evmProblem(address: string): string | undefined {
  if (!isEvmAddress(address)) return 'must be an EVM address: 0x and 40 hex digits'
  if (ZERO.test(address)) return 'must not be the zero address, whose tokens nobody can use'
  return ONE_CASE.test(address) || checksummed(address) === address
    ? undefined
    : 'has a wrong EIP-55 checksum'
}

const MOST_SPELLINGS = 1000

/**
 * The checks of one submission spell the same address up to four times, and users come back. Without this, the hashes
 * take more than half of the time of all checks of a submission.
 */
const spellings = new LRUCache<string, string>(upTo(MOST_SPELLINGS))

/** The spelling of an EVM address with its checksum (EIP-55). */
export function checksummed(address: string): string {
  const small = address.slice(2).toLowerCase()
  const known = spellings.get(small)
  if (known !== undefined) return known
  const spelling = spelled(small)
  spellings.set(small, spelling)
  return spelling
}

/** A letter is a capital where the Keccak-256 of the small letters has a digit of 8 or more. */
function spelled(small: string): string {
  const hash = Buffer.from(keccak_256(Buffer.from(small))).toString('hex')
  const letters = [...small].map((letter, index) =>
    hash.charAt(index) >= '8' ? letter.toUpperCase() : letter
  )
  return `0x${letters.join('')}`
}
