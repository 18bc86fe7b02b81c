/** Every name that contains the brand (interface section 2). */
export interface BrandNames {
  /** The brand itself, lower case. */
  brand: string
  /** Bech32 prefix of the chain's addresses. */
  prefix: string
  /** Denomination in which the chain's fees are paid. */
  denom: string
  /** Path of the brand's modules under the chain's REST API, without a trailing slash. */
  apiPath: string
  /** Protobuf package of the regular transactions. */
  transactionPackage: string
  /** Protobuf package of the stable-token swaps. */
  swapPackage: string
  /** Field of a status record: hash of the transaction on the chain (interface 9.4). */
  hashField: string
  /** Field of the chain API's records that becomes `hashField`. */
  txHashField: string
  /** Field of `GET /chains/env`: the explorer's URL. */
  explorerField: string
  /** Stem of the fee quote's processing-fee fields, which end in `Fiat` and `BigInt` (interface 5.8). */
  feeProcessingField: string
}

/**
 * Names that follow from the brand.
 *
 * @param brand lower-case letters and digits, as `SERVICE_BRAND` allows
 */
export function brandNames(brand: string): BrandNames {
  const capitalised = brand.charAt(0).toUpperCase() + brand.slice(1)
  return {
    brand,
    prefix: brand,
    denom: `u${brand.toUpperCase()}`,
    apiPath: `/${brand}-finance/${brand}-blockchain`,
    transactionPackage: `${brand}blockchain.transaction`,
    swapPackage: `${brand}blockchain.swap`,
    hashField: `${brand}hash`,
    txHashField: `${brand}TxHash`,
    explorerField: `${brand}Explorer`,
    feeProcessingField: `fee${capitalised}Processing`
  }
}
