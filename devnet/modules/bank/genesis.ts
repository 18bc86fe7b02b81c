import { Metadata } from 'cosmjs-types/cosmos/bank/v1beta1/bank'
import { addressProblem } from '../../chain/addresses.ts'
import { type AppState, GenesisError } from '../../chain/genesis.ts'
import type { State } from '../../chain/state/state.ts'
import { setBalance } from './balances.ts'
import { type Coin, formatCoins, sumCoins } from './coins.ts'
import { setMetadata, setSupply } from './supply.ts'

type GenesisCoins = AppState['bank']['supply']

const readCoins = (coins: GenesisCoins): Coin[] =>
  (coins ?? [])
    .map(({ denom, amount }) => ({ denom, amount: BigInt(amount) }))
    .filter(({ amount }) => amount > 0n)

/** Writes balances, supply and metadata of `app_state.bank`. A missing supply is the sum of the balances. */
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
  for (const coin of total) setSupply(state, coin)
  for (const { base, display, name, symbol, description, denom_units } of bank.denom_metadata ?? []) {
    const denomUnits = denom_units?.map(({ denom, exponent }) => ({ denom, exponent: Number(exponent ?? 0) }))
    const texts = { display: display ?? '', name: name ?? '', symbol: symbol ?? '' }
    setMetadata(
      state,
      Metadata.fromPartial({
        base,
        ...texts,
        description: description ?? '',
        denomUnits: denomUnits ?? []
      })
    )
  }
}
