import { isAddress } from 'viem/utils'

const ONE_CASE = /^0x([0-9a-f]{40}|[0-9A-F]{40})$/

/** The problem of an EVM address. Its EIP-55 checksum counts when its letters are of both cases. */
export function evmProblem(address: string): string | undefined {
  if (ONE_CASE.test(address) || isAddress(address)) return undefined
  return isAddress(address, { strict: false })
    ? 'has a wrong EIP-55 checksum'
    : 'must be an EVM address: 0x and 40 hex digits'
}
