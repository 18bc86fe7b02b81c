import { isAddress } from 'viem/utils'

const EVM = /^0x[0-9a-fA-F]{40}$/
const ONE_CASE = /^0x([0-9a-f]{40}|[0-9A-F]{40})$/
const ZERO = /^0x0{40}$/

/** Returns whether a string has the format of an EVM address, in upper, lower or mixed case. */
export function isEvmAddress(text: string): text is `0x${string}` {
  return EVM.test(text)
}

/**
 * Returns what is wrong with an EVM address, or undefined. Checks the EIP-55 checksum only if the address is in mixed
 * case.
 */
export function evmProblem(address: string): string | undefined {
  if (!isEvmAddress(address)) return 'must be an EVM address: 0x and 40 hex digits'
  if (ZERO.test(address)) return 'must not be the zero address: tokens sent there are lost'
  return ONE_CASE.test(address) || isAddress(address)
    ? undefined
    : 'must have a valid EIP-55 checksum, or be in lower case'
}
