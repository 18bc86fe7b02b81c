/** The names that contain the maker's brand (interface 2.2, 2.3). */
export interface DevnetNames {
  brand: string
  prefix: string
  denom: string
  chainId: string
  /** REST path prefix for the chain's custom modules. */
  apiPath: string
  txHashField: string
  indexHashField: string
  /** Common start of the names of the processing fee fields in a quote. */
  processingFeeStem: string
}

/** Derives the names from a brand. Does not use the server's code, so that a mistake there is noticed. */
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
