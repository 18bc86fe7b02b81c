import { isAddress } from 'viem/utils'

const EVM = /^0x[0-9a-fA-F]{40}$/
const ONE_CASE = /^0x([0-9a-f]{40}|[0-9A-F]{40})$/
const ZERO = /^0x0{40}$/

/** Ignores the checksum. */
export function isEvmAddress(text: string): text is `0x${string}` {
  return EVM.test(text)
}

/** Returns what is wrong with an EVM address, or undefined. Only an address in mixed case has a checksum (EIP-55). */
export function evmProblem(address: string): string | undefined {
  if (!isEvmAddress(address)) return 'must be an EVM address: 0x and 40 hex digits'
  if (ZERO.test(address)) return 'must not be the zero address: tokens sent there are lost'
  return ONE_CASE.test(address) || isAddress(address)
    ? undefined
    : 'must have a valid EIP-55 checksum, or be in lower case'
}
