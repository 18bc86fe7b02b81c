import { FIAT, type FiatRail, family, fiatRails, paymentMethods } from '../chains/families.ts'

/** True for BANK, CC and FIAT, the chain's name for both (interface 4.2 and 10.2). */
export function isFiat(originChain: string): boolean {
  return family(originChain) === 'FIAT'
}

/**
 * The rail of an origin (interface 10.4 and 10.5). A payment method that belongs to neither rail is accepted under a
 * rail's own name, not under FIAT.
 * @returns undefined when the payment method is not one of that origin
 */
export function railOf(originChain: string, paymentMethod: string): FiatRail | undefined {
  const byMethod = fiatRails.find(rail => paymentMethods[rail] === paymentMethod)
  const byName = fiatRails.find(rail => rail === originChain)
  if (originChain === FIAT || byMethod === undefined) return byMethod ?? byName
  return byMethod === byName ? byName : undefined
}

/** The payment method that a rail has when nobody names one; undefined for FIAT, which stands for both. */
export function paymentMethodOf(originChain: string): string | undefined {
  const rail = fiatRails.find(name => name === originChain)
  return rail && paymentMethods[rail]
}
