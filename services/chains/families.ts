import type { Chain, ChainToken } from '../../schemas/chains.ts'
import type { Family } from '../addresses/index.ts'

/** The short names that clients and filters use (interface 4.1). */
const families = {
  ARB: 'EVM',
  AVX: 'EVM',
  BANK: 'FIAT',
  BASE: 'EVM',
  BERA: 'EVM',
  BSC: 'EVM',
  BTC: 'BTC',
  CC: 'FIAT',
  CFX: 'EVM',
  ETH: 'EVM',
  OPT: 'EVM',
  POL: 'EVM',
  SOL: 'SOL',
  TRX: 'TRX',
  WLD: 'EVM'
} as const satisfies Record<string, Family>

export type ShortName = keyof typeof families

/** The identity of a chain (interface 4.4). Its current state is in the chain's registry. */
export interface CatalogueChain
  extends Omit<Chain, 'supportedTokens' | 'disabled' | 'derivationAlgorithm' | 'isEvm'> {
  shortName: ShortName
  /** A rail's token (interface 4.20). The tokens of other chains are in the registry. */
  fiatToken?: ChainToken
}

const known = new Map<string, Family>(Object.entries(families))

export const shortNames = Object.keys(families) as readonly ShortName[]

/** The chain's name for both rails. Clients and filters use `CC` and `BANK` instead (interface 4.2). */
export const FIAT = 'FIAT'

/** The origin that pays with locks (interface section 26). */
export const BTC = 'BTC' satisfies ShortName

/** The rails, in the order in which they are listed. */
export const fiatRails = ['BANK', 'CC'] as const satisfies readonly ShortName[]
export type FiatRail = (typeof fiatRails)[number]

export const paymentMethods: Record<FiatRail, string> = { BANK: 'sepaEur', CC: 'creditCard' }

export function family(shortName: string): Family | undefined {
  return shortName === FIAT ? 'FIAT' : known.get(shortName)
}
