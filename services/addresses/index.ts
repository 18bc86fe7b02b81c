import { fieldError } from '../errors/index.ts'
import { bitcoinProblem } from './bitcoin.ts'
import { isSameAddress } from './canonical.ts'
import { evmProblem } from './evm.ts'
import { solanaProblem } from './solana.ts'
import { tronProblem } from './tron.ts'
import type { Environment, Family } from './types.ts'

/** Functions that return what is wrong with an address, as the rest of a sentence that starts with the field name. */
const problems: Record<Family, (address: string, environment: Environment) => string | undefined> = {
  EVM: evmProblem,
  SOL: solanaProblem,
  TRX: tronProblem,
  BTC: bitcoinProblem,
  FIAT: () => undefined
}

/**
 * Checks the format of an address (interface 18.1). Accepts any string for a rail, which has no addresses.
 * @param location which end of the transfer the address belongs to
 * @param family undefined for an unknown chain, whose addresses are not checked
 * @throws ServiceError ADDRESS_INVALID naming the field and the expected format
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
 * Rejects addresses that do not belong to a user: the chain's pool or a token contract (interface 18.8).
 * @param taken addresses that do not belong to a user
 * @throws ServiceError ADDRESS_INVALID
 */
export function assertOfUser(location: 'origin' | 'target', address: string, taken: readonly string[]): void {
  if (!taken.some(other => isSameAddress(other, address))) return
  const problem = 'must be the address of a user, not of a pool or a token contract'
  throw fieldError(`${location}Address`, problem, 'ADDRESS_INVALID')
}
