import type { Chain, ChainToken } from '../../schemas/chains.ts'
import type { ShortName } from './families.ts'

/** One end of a transfer. */
export type ChainLocation = 'origin' | 'target'

/** The identity of a chain (interface 4.4). Its current state is in the chain's registry. */
export interface CatalogueChain
  extends Omit<Chain, 'supportedTokens' | 'disabled' | 'derivationAlgorithm' | 'isEvm'> {
  shortName: ShortName
  /**
   * A rail's token, with the payment method instead of an address (interface 4.20). The tokens of other chains are in
   * the registry.
   */
  fiatToken?: ChainToken
}
