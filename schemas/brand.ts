/** Every name that contains the brand (interface section 2). */
export type BrandNames = ReturnType<typeof brandNames>

/** @param brand lower-case letters and digits, as `SERVICE_BRAND` allows */
export function brandNames(brand: string) {
  const capitalised = brand.charAt(0).toUpperCase() + brand.slice(1)
  return {
    brand,
    /** Bech32 prefix of addresses. */
    prefix: brand,
    denom: `u${brand.toUpperCase()}`,
    /** Path of the brand's modules under the chain's REST API, without a trailing slash. */
    apiPath: `/${brand}-finance/${brand}-blockchain`,
    transactionPackage: `${brand}blockchain.transaction`,
    swapPackage: `${brand}blockchain.swap`,
    /** Field of a status record with the transaction hash (interface 9.4). */
    hashField: `${brand}hash`,
    /** Field in the chain API's records that becomes `hashField`. */
    txHashField: `${brand}TxHash`,
    explorerField: `${brand}Explorer`,
    /** Prefix of the processing-fee fields in a fee quote; their suffixes are `Fiat` and `BigInt` (interface 5.8). */
    feeProcessingField: `fee${capitalised}Processing`
  }
}
