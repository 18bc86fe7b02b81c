const RAILS = ['BANK', 'CC', 'FIAT']

/** True for the FIAT rails as origin: BANK and CC, which the chain knows as FIAT (contract §3). */
export function isRail(originChain: string): boolean {
  return RAILS.includes(originChain)
}
