import { Metadata } from 'cosmjs-types/cosmos/bank/v1beta1/bank'
import { addressProblem } from '../../chain/addresses.ts'
import { GenesisNode } from '../../chain/genesis-node.ts'
import type { State } from '../../chain/state/state.ts'
import { setBalance } from './balances.ts'
import { areValidCoins, type Coin, formatCoins, isValidDenom, sumCoins } from './coins.ts'
import { setMetadata, setSupply } from './supply.ts'

function readCoins(node: GenesisNode): Coin[] {
  const coins = node.items().map(item => {
    const denom = item.field('denom')
    if (!isValidDenom(denom.string())) denom.fail('is not a denomination')
    return { denom: denom.string(), amount: item.field('amount').uint() }
  })
  const held = coins.filter(({ amount }) => amount > 0n).sort((a, b) => (a.denom < b.denom ? -1 : 1))
  if (!areValidCoins(held)) node.fail('repeats a denomination')
  return held
}

function readMetadata(node: GenesisNode): Metadata {
  const text = (name: string) => node.field(name).optionalString()
  return Metadata.fromPartial({
    base: node.field('base').string(),
    display: text('display'),
    name: text('name'),
    symbol: text('symbol'),
    description: text('description'),
    denomUnits: node
      .field('denom_units')
      .items()
      .map(unit => ({
        denom: unit.field('denom').string(),
        exponent: Number(unit.field('exponent').uint(0n))
      }))
  })
}

/** Writes balances, supply and metadata of `app_state.bank`. A missing supply is the sum of the balances. */
export function initBankGenesis(state: State, appState: Record<string, unknown>, prefix: string): void {
  const bank = new GenesisNode(appState, 'app_state').field('bank')
  const holdings: Coin[][] = []
  const holders = new Set<string>()
  for (const balance of bank.field('balances').items()) {
    const address = balance.field('address')
    const problem = addressProblem(address.string(), prefix)
    if (problem) address.fail(`is not an address of this chain: ${problem}`)
    if (holders.has(address.string())) address.fail(`repeats the holder ${address.string()}`)
    holders.add(address.string())
    const coins = readCoins(balance.field('coins'))
    for (const coin of coins) setBalance(state, address.string(), coin)
    holdings.push(coins)
  }
  const total = sumCoins(holdings)
  const supplyNode = bank.field('supply')
  const supply = readCoins(supplyNode)
  if (supply.length > 0 && formatCoins(supply) !== formatCoins(total)) {
    supplyNode.fail(`is ${formatCoins(supply)}, but the balances add up to ${formatCoins(total)}`)
  }
  for (const coin of total) setSupply(state, coin)
  for (const node of bank.field('denom_metadata').items()) setMetadata(state, readMetadata(node))
}
