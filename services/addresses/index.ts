import { bech32, bech32m } from '@scure/base'
import { fieldError } from '../errors/index.ts'
import { bitcoinProblem } from './bitcoin.ts'
import { checksummed, evmProblem, isEvmAddress } from './evm.ts'
import { solanaKey, solanaProblem } from './solana.ts'
import { tronProblem } from './tron.ts'

const environments = ['mainnet', 'testnet'] as const
export type Environment = (typeof environments)[number]

/** The address format of a chain. `FIAT` is the family of the rails, which have no addresses. */
export type Family = 'EVM' | 'SOL' | 'TRX' | 'BTC' | 'FIAT'

/** Each check returns the problem, to be appended to the field name, or undefined for a valid address. */
const problems: Record<Family, (address: string, environment: Environment) => string | undefined> = {
  EVM: evmProblem,
  SOL: solanaProblem,
  TRX: tronProblem,
  BTC: bitcoinProblem,
  FIAT: () => undefined
}

/**
 * Checks the format of an address (interface 18.1). Accepts any string for a rail.
 * @param family undefined for an unknown chain, whose addresses are not checked
 * @throws ServiceError ADDRESS_INVALID with the field and the expected format
 */
export function assertAddress(
  location: 'origin' | 'target',
  family: Family | undefined,
  address: string,
  environment: Environment
): void {
  const problem = family && problems[family](address, environment)
  if (problem !== undefined) throw fieldError(`${location}Address`, problem, 'ADDRESS_INVALID')
}

/**
 * Rejects a string that is an address neither on any supported chain, on its main or test network, nor on the service's
 * own chain (interface 11.12).
 * @param prefix of the chain's own addresses
 * @throws ServiceError ADDRESS_INVALID with the field
 */
export function assertPossible(field: string, address: string, prefix: string): void {
  const isPossible =
    evmProblem(address) === undefined ||
    solanaKey(address) !== undefined ||
    tronProblem(address) === undefined ||
    environments.some(environment => bitcoinProblem(address, environment) === undefined) ||
    bech32.decodeUnsafe(address)?.prefix === prefix
  if (isPossible) return
  const problem = `must be one address on an EVM chain, Solana, Tron or Bitcoin, or one that begins with ${prefix}1`
  throw fieldError(field, problem, 'ADDRESS_INVALID')
}

/** Rejects the chain's own pool and token contracts (interface 18.8). @throws ServiceError ADDRESS_INVALID */
export function assertOfUser(location: 'origin' | 'target', address: string, own: readonly string[]): void {
  if (!own.some(other => isSameAddress(other, address))) return
  const problem = 'must be the address of a user, not of a pool or a token contract'
  throw fieldError(`${location}Address`, problem, 'ADDRESS_INVALID')
}

/** Returns an EVM address with its checksum, and bech32 in lower case. Other addresses have only one spelling. */
export function canonicalAddress(address: string): string {
  if (isEvmAddress(address)) return checksummed(address)
  const isBech32 = [bech32, bech32m].some(codec => codec.decodeUnsafe(address) !== undefined)
  return isBech32 ? address.toLowerCase() : address
}

export function isSameAddress(a: string, b: string): boolean {
  // Compare in lower case first, which is cheap. Different spellings of an address differ only in case.
  return a === b || (a.toLowerCase() === b.toLowerCase() && canonicalAddress(a) === canonicalAddress(b))
}
