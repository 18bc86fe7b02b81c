import { FIAT, family, railNames } from '../chains/families.ts'

export type Rail = (typeof railNames)[number]

const paymentMethods: Record<Rail, string> = { BANK: 'sepaEur', CC: 'creditCard' }

/** True for the FIAT rails as origin: BANK and CC, and FIAT, as which the chain knows both (contract §3). */
export function isRail(originChain: string): boolean {
  return family(originChain) === 'RAIL'
}

/**
 * The rail that an origin stands for (contract §3, Options by rail). Where the chain has more than one payment
 * method for a rail (spec §2 gives examples alone), the others pass under the rail's own name, not under FIAT.
 * @returns undefined when the payment method is not one of that origin
 */
export function railOf(originChain: string, paymentMethod: string): Rail | undefined {
  const byMethod = railNames.find(rail => paymentMethods[rail] === paymentMethod)
  const byName = railNames.find(rail => rail === originChain)
  if (originChain === FIAT || byMethod === undefined) return byMethod ?? byName
  return byMethod === byName ? byName : undefined
}
