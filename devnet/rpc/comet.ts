import type { Chain } from '../chain/chain.ts'

/** The CometBFT release that a chain's node behaves like: 0.37 goes with SDK 0.47, 0.38 with 0.50 and 0.53. */
export function cometOf({ sdk }: Pick<Chain, 'sdk'>): '0.37' | '0.38' {
  return sdk === '0.47' ? '0.37' : '0.38'
}
