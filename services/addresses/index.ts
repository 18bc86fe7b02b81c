import type { Family } from '../chains/families.ts'
import type { Environment } from '../chains/types.ts'
import { bitcoinProblem } from './bitcoin.ts'
import { evmProblem } from './evm.ts'
import { solanaProblem } from './solana.ts'
import { tronProblem } from './tron.ts'

const problems: Record<Family, (address: string, environment: Environment) => string | undefined> = {
  EVM: evmProblem,
  SOL: solanaProblem,
  TRX: tronProblem,
  BTC: bitcoinProblem,
  RAIL: () => undefined
}

/**
 * What is wrong with a text as an address of a chain of that family, as the rest of a sentence; undefined when
 * nothing is. Asks nobody (contract §3, Submit). A rail has no addresses, so anything will do there.
 */
export function addressProblem(
  family: Family,
  address: string,
  environment: Environment
): string | undefined {
  return problems[family](address, environment)
}
