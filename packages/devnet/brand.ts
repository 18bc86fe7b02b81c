/** The names that carry the maker's brand on the development network (interface 2.2, 2.3). */
export interface DevnetNames {
  brand: string
  prefix: string
  denom: string
  chainId: string
  /** REST path prefix of the chain's own modules. */
  apiPath: string
  /** Field of a REST record: the hash of the transaction on the chain. */
  txHashField: string
  /** The same field as the GraphQL index spells it. */
  indexHashField: string
  /** Stem of the processing fee's fields in a fee quote. */
  processingFeeStem: string
}

/**
 * The names for a brand. They are not derived by the product's code on purpose: a misspelt name there must not meet
 * the same mistake here.
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
