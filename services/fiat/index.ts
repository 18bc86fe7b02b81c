import { FIAT, type FiatRail, family, fiatRails, paymentMethods } from '../chains/families.ts'

/** Returns true for BANK, CC and FIAT, the chain's name for both rails (interface 4.2 and 10.2). */
export function isFiat(originChain: string): boolean {
  return family(originChain) === 'FIAT'
}

/** A payment method that a fee service might choose: up to 64 visible ASCII characters, without spaces. */
const METHOD = /^[\x21-\x7e]{1,64}$/

/**
 * Returns the rail of an origin (interface 10.4); undefined if the payment method does not match, character by
 * character. A method that only a quote knows matches BANK and CC, but not FIAT.
 */
export function railOf(originChain: string, paymentMethod: string): FiatRail | undefined {
  if (!METHOD.test(paymentMethod)) return undefined
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

/** Returns whether a payment method is valid without a quote that contains it (interface 10.4). */
export function isKnownMethod(paymentMethod: string): boolean {
  return Object.values(paymentMethods).includes(paymentMethod)
}
