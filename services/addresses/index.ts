import { fieldError } from '../errors/index.ts'
import { bitcoinProblem } from './bitcoin.ts'
import { canonicalAddress } from './canonical.ts'
import { evmProblem } from './evm.ts'
import { solanaProblem } from './solana.ts'
import { tronProblem } from './tron.ts'
import type { Environment, Family } from './types.ts'

const problems: Record<Family, (address: string, environment: Environment) => string | undefined> = {
  EVM: evmProblem,
  SOL: solanaProblem,
  TRX: tronProblem,
  BTC: bitcoinProblem,
  FIAT: () => undefined
}

/**
 * @param location the end of the transfer
 * @throws ServiceError ADDRESS_INVALID naming the field and the expected format
 */
export function assertAddress(
  location: 'origin' | 'target',
  family: Family,
  address: string,
  environment: Environment
): void {
  const problem = addressProblem(family, address, environment)
  if (problem !== undefined) throw fieldError(`${location}Address`, problem, 'ADDRESS_INVALID')
}

/**
 * Rejects addresses that belong to no user: the chain's pool or a token's contract (interface 18.8).
 * @param taken addresses that belong to no user
 * @throws ServiceError ADDRESS_INVALID
 */
export function assertOfUser(location: 'origin' | 'target', address: string, taken: readonly string[]): void {
  if (!taken.map(canonicalAddress).includes(canonicalAddress(address))) return
  const problem = 'must not be a pool’s address or a token’s contract, which is no user’s'
  throw fieldError(`${location}Address`, problem, 'ADDRESS_INVALID')
}

/**
 * Checks the format of an address (interface 18.1). A rail has no addresses and accepts any string.
 * @returns the problem, as the rest of a sentence that starts with the field; undefined for a valid address
 */
export function addressProblem(
  family: Family,
  address: string,
  environment: Environment
): string | undefined {
  return problems[family](address, environment)
}
