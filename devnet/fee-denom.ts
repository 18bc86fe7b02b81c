import type { Genesis } from './chain/genesis.ts'
import { GenesisNode } from './chain/genesis-node.ts'

/**
 * The denomination that a wallet can pay fees in: what it holds in the genesis, first `preferred` if it holds
 * that; undefined when the genesis gives it nothing.
 */
export function denomHeldBy(address: string, genesis: Genesis, preferred: string): string | undefined {
  const balances = new GenesisNode(genesis, '')
    .field('app_state')
    .optionalField('bank')
    .optionalField('balances')
  const own = balances.items().find(balance => balance.field('address').value === address)
  const denoms =
    own
      ?.field('coins')
      .items()
      .map(coin => coin.field('denom').string()) ?? []
  return denoms.find(denom => denom === preferred) ?? denoms[0]
}
