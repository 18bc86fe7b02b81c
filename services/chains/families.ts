/** How a chain's addresses are made and checked; a rail has none. */
export type Family = 'EVM' | 'SOL' | 'TRX' | 'BTC' | 'RAIL'

/** Every chain that clients and filters may speak of, by short name (contract §3, Chains). */
const families = {
  ARB: 'EVM',
  AVX: 'EVM',
  BANK: 'RAIL',
  BASE: 'EVM',
  BERA: 'EVM',
  BSC: 'EVM',
  BTC: 'BTC',
  CC: 'RAIL',
  CFX: 'EVM',
  ETH: 'EVM',
  OPT: 'EVM',
  POL: 'EVM',
  SOL: 'SOL',
  TRX: 'TRX',
  WLD: 'EVM'
} as const satisfies Record<string, Family>

export type ShortName = keyof typeof families

const known = new Map<string, Family>(Object.entries(families))

/** The name under which the chain itself knows both rails; clients and filters speak of `CC` and `BANK`. */
export const FIAT = 'FIAT'

/** The rails, in the order in which lists show them. */
export const railNames = ['BANK', 'CC'] as const satisfies readonly ShortName[]

function isShortName(text: string): text is ShortName {
  return known.has(text)
}

export const shortNames: readonly ShortName[] = [...known.keys()].filter(isShortName)

/** The family of a chain, `FIAT` included; undefined for a name that no chain has. */
export function family(shortName: string): Family | undefined {
  return shortName === FIAT ? 'RAIL' : known.get(shortName)
}
