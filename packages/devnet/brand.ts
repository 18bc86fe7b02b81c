export type DevnetNames = ReturnType<typeof devnetNames>

/**
 * Returns the names that contain the maker's brand (interface 2.2, 2.3). Does not use the server's code, so that a mistake
 * there is noticed.
 */
export function devnetNames(brand: string) {
  const capitalised = brand.charAt(0).toUpperCase() + brand.slice(1)
  return {
    brand,
    prefix: brand,
    denom: `u${brand.toUpperCase()}`,
    chainId: `${brand}-devnet-1`,
    /** REST path prefix for the chain's custom modules. */
    apiPath: `/${brand}-finance/${brand}-blockchain`,
    txHashField: `${brand}TxHash`,
    indexHashField: `${brand}hash`,
    /** Common start of the names of the processing fee fields in a quote. */
    processingFeeStem: `fee${capitalised}Processing`
  }
}
