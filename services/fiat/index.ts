import { FIAT, type FiatRail, family, fiatRails, paymentMethods } from '../chains/families.ts'

/** Returns true for BANK, CC and FIAT, the chain's name for both rails (interface 4.2 and 10.2). */
export function isFiat(originChain: string): boolean {
  return family(originChain) === 'FIAT'
}

/**
 * Returns the rail of an origin (interface 10.4); undefined if the payment method does not match. An unknown
 * method matches BANK and CC, but not FIAT.
 */
export function railOf(originChain: string, paymentMethod: string): FiatRail | undefined {
  const byMethod = fiatRails.find(rail => paymentMethods[rail] === paymentMethod)
  const byName = fiatRails.find(rail => rail === originChain)
  if (originChain === FIAT || byMethod === undefined) return byMethod ?? byName
  return byMethod === byName ? byName : undefined
}

/** Returns the default payment method of a rail; undefined for FIAT, which can be either rail. */
export function paymentMethodOf(originChain: string): string | undefined {
  const rail = fiatRails.find(name => name === originChain)
  return rail && paymentMethods[rail]
}
