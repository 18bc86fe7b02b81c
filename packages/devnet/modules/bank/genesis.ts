import { addressProblem } from '../../chain/addresses.ts'
import { type AppState, GenesisError } from '../../chain/genesis.ts'
import type { State } from '../../chain/state/state.ts'
import { setBalance } from './balances.ts'
import { type Coin, formatCoins, sumCoins } from './coins.ts'

type GenesisCoins = AppState['bank']['supply']

const readCoins = (coins: GenesisCoins): Coin[] =>
  (coins ?? [])
    .map(({ denom, amount }) => ({ denom, amount: BigInt(amount) }))
    .filter(({ amount }) => amount > 0n)

/** Writes the balances of `app_state.bank`, which must add up to its supply where it has one. */
export function initBankGenesis(state: State, { bank }: AppState, prefix: string): void {
  const balances = bank.balances ?? []
  if (new Set(balances.map(({ address }) => address)).size < balances.length) {
    throw new GenesisError('app_state.bank.balances has an address twice')
  }
  for (const { address, coins } of balances) {
    const problem = addressProblem(address, prefix)
    if (problem) throw new GenesisError(`${address} is not an address of this chain: ${problem}`)
    const held = readCoins(coins)
    if (sumCoins([held]).length < held.length) throw new GenesisError(`${address} holds a denomination twice`)
    for (const coin of held) setBalance(state, address, coin)
  }
  const total = sumCoins(balances.map(({ coins }) => readCoins(coins)))
  const supply = readCoins(bank.supply)
  if (supply.length > 0 && formatCoins(sumCoins([supply])) !== formatCoins(total)) {
    throw new GenesisError(
      `app_state.bank.supply is ${formatCoins(supply)}, but the balances add up to ${formatCoins(total)}`
    )
  }
}
