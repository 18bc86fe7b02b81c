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
 * @param location end of a transfer that the address belongs to
 * @throws ServiceError ADDRESS_INVALID naming the field and what is expected
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
 * A token's own contract keeps what is sent to it (interface 18.8).
 * @param token empty for a chain's own coin
 * @throws ServiceError ADDRESS_INVALID
 */
export function assertNotToken(targetAddress: string, token: string): void {
  if (token === '' || canonicalAddress(targetAddress) !== canonicalAddress(token)) return
  const problem = 'must not be the token’s own contract, which keeps what is sent to it'
  throw fieldError('targetAddress', problem, 'ADDRESS_INVALID')
}

/**
 * Checks an address from its text alone (interface 18.1). A rail has no addresses and accepts any text.
 * @returns the problem, as the rest of a sentence that starts with the field; undefined for a valid address
 */
export function addressProblem(
  family: Family,
  address: string,
  environment: Environment
): string | undefined {
  return problems[family](address, environment)
}
