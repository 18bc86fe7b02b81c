import { computed, signal } from '@preact/signals'
import { openBrowserWallet } from '../keys/browser-wallet.ts'
import { createEvmKey } from '../keys/evm.ts'
import type { Key } from '../keys/key.ts'
import { createSolanaKey } from '../keys/solana.ts'
import { createTronKey } from '../keys/tron.ts'
import { familyOf } from './catalogue.ts'
import { isRail, transfer } from './transfer.ts'

/** Keys that exist in the memory of this page only, and are gone with it. */
const evmKey = createEvmKey()
const tronKey = createTronKey()
const solanaKey = signal<Key | undefined>(undefined)

createSolanaKey().then(
  key => {
    solanaKey.value = key
  },
  () => {}
)

/** Whether this page can sign on a chain. */
export const canSign = (chain: string) => familyOf(chain) !== 'SOL' || solanaKey.value !== undefined

const browserWallet = signal<Key | undefined>(undefined)

/** Which wallets can sign on the origin chain; browser wallets are those of EVM chains. */
export const originFamily = computed(() => {
  const family = familyOf(transfer.originChain.value)
  return family === 'SOL' || family === 'TRX' ? family : 'EVM'
})

export const isBrowserWallet = computed(
  () => browserWallet.value !== undefined && originFamily.value === 'EVM'
)

/** Whether the code beside the steps can make a key like the one that pays: viem makes those of EVM chains. */
export const isEvmKey = computed(
  () => !isRail.value && originFamily.value === 'EVM' && !isBrowserWallet.value
)

/** Who pays and signs. */
export const payer = computed<Key>(() => {
  if (originFamily.value === 'TRX') return tronKey
  if (originFamily.value === 'SOL') return solanaKey.value ?? evmKey
  return browserWallet.value ?? evmKey
})

/** How often the user has chosen: a wallet that answers late does not undo a later choice. */
let choices = 0

export function chooseThrowAwayKey(): void {
  choices += 1
  browserWallet.value = undefined
}

/** @throws Problem when the user or the wallet refuses */
export async function chooseBrowserWallet(): Promise<void> {
  choices += 1
  const own = choices
  const key = await openBrowserWallet()
  if (own === choices) browserWallet.value = key
}
