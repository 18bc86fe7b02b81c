/** The names on the development network that contain the maker's brand (interface 2.2, 2.3). */
export interface DevnetNames {
  brand: string
  prefix: string
  denom: string
  chainId: string
  /** REST path prefix for the chain's custom modules. */
  apiPath: string
  /** Name of the transaction hash field in REST records. */
  txHashField: string
  /** Name of the transaction hash field in the GraphQL index. */
  indexHashField: string
  /** Common start of the processing fee's field names in a fee quote. */
  processingFeeStem: string
}

/**
 * Derives the names from a brand. Deliberately does not share the server's code: a typo there would otherwise be
 * repeated here and go unnoticed.
 */
export function devnetNames(brand: string): DevnetNames {
  const capitalised = brand.charAt(0).toUpperCase() + brand.slice(1)
  return {
    brand,
    prefix: brand,
    denom: `u${brand.toUpperCase()}`,
    chainId: `${brand}-devnet-1`,
    apiPath: `/${brand}-finance/${brand}-blockchain`,
    txHashField: `${brand}TxHash`,
    indexHashField: `${brand}hash`,
    processingFeeStem: `fee${capitalised}Processing`
  }
}
