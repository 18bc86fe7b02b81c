import { computed, signal } from '@preact/signals'
import { type BrowserWallet, openBrowserWallet } from '../keys/browser-wallet.ts'
import { createEvmKey, createSolanaKey, createTronKey, type Key } from '../keys/throw-away.ts'
import { familyOf } from './catalogue.ts'
import { isRail, transfer } from './transfer.ts'

/** Keys that exist only in this page's memory. */
const evmKey = createEvmKey()
const tronKey = createTronKey()
const solanaKey = signal<Key | undefined>(undefined)

createSolanaKey().then(
  key => {
    solanaKey.value = key
  },
  () => {}
)

/** Returns whether this page can sign on a chain. */
export const canSign = (chain: string) => familyOf(chain) !== 'SOL' || solanaKey.value !== undefined

const opened = signal<{ wallet: BrowserWallet; key: Key } | undefined>(undefined)

/** The wallet that is asking the user to share an account with this page. */
export const askedWallet = signal<BrowserWallet | undefined>(undefined)

/** The family of keys that can sign on the origin chain. Browser wallets sign only on EVM chains. */
export const originFamily = computed(() => {
  const family = familyOf(transfer.originChain.value)
  return family === 'SOL' || family === 'TRX' ? family : 'EVM'
})

/** The browser wallet that pays and signs, if any. */
export const chosenWallet = computed(() => (originFamily.value === 'EVM' ? opened.value?.wallet : undefined))

/** The signer in the code samples. */
export const signer = computed(() => (chosenWallet.value === undefined ? originFamily.value : 'browser'))

/** Whether the code samples can create a key like the payer's. viem supports only EVM keys. */
export const isEvmKey = computed(
  () => !isRail.value && originFamily.value === 'EVM' && chosenWallet.value === undefined
)

/** The key that pays and signs. */
export const payer = computed<Key>(() => {
  if (originFamily.value === 'TRX') return tronKey
  if (originFamily.value === 'SOL') return solanaKey.value ?? evmKey
  return opened.value?.key ?? evmKey
})

/** Counts the user's choices, so that a late wallet response cannot undo a newer choice. */
let choices = 0

export function chooseThrowAwayKey(): void {
  stopAsking()
  opened.value = undefined
}

/** Makes the page ignore pending wallet responses. */
export function stopAsking(): void {
  choices += 1
  askedWallet.value = undefined
}

/** Opens a browser wallet to pay and sign. @throws Problem when the user or the wallet refuses */
export async function chooseBrowserWallet(wallet: BrowserWallet): Promise<void> {
  stopAsking()
  const own = choices
  askedWallet.value = wallet
  try {
    const key = await openBrowserWallet(wallet)
    if (own === choices) opened.value = { wallet, key }
  } catch (error) {
    if (own === choices) throw error
  } finally {
    if (own === choices) askedWallet.value = undefined
  }
}
