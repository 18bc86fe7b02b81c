import { computed, signal } from '@preact/signals'
import { type BrowserWallet, openBrowserWallet } from '../keys/browser-wallet.ts'
import {
  createBitcoinKey,
  createEvmKey,
  createSolanaKey,
  createTronKey,
  type Key
} from '../keys/throw-away.ts'
import { familyOf } from './catalogue.ts'
import { createLoader } from './loadable.ts'
import { isRail, transfer } from './transfer.ts'

/** Keys that exist only in this page's memory. */
const evmKey = createEvmKey()
const tronKey = createTronKey()
const bitcoinKey = createBitcoinKey()
const solanaKey = signal<Key | undefined>(undefined)

createSolanaKey().then(
  key => {
    solanaKey.value = key
  },
  () => {}
)

export const canSign = (chain: string) => familyOf(chain) !== 'SOL' || solanaKey.value !== undefined

const loader = createLoader<{ wallet: BrowserWallet; key: Key }>()
const opened = loader.value
export const walletState = loader.state

const asked = signal<BrowserWallet | undefined>(undefined)

/** The wallet that is asking the user to share an account with this page. */
export const askedWallet = computed(() => (walletState.value.status === 'loading' ? asked.value : undefined))

export async function chooseBrowserWallet(wallet: BrowserWallet): Promise<void> {
  asked.value = wallet
  await loader.load(async () => ({ wallet, key: await openBrowserWallet(wallet) }))
}

/** Returns to the key of this page, and ignores the response of a wallet that is still asking the user. */
export const chooseThrowAwayKey = loader.reset

/** The family of keys that can sign on the origin chain. Browser wallets sign only on EVM chains. */
export const originFamily = computed(() => {
  const family = familyOf(transfer.originChain.value)
  return family === 'SOL' || family === 'TRX' || family === 'BTC' ? family : 'EVM'
})

/** The browser wallet that pays and signs, if any. */
export const chosenWallet = computed(() => (originFamily.value === 'EVM' ? opened.value?.wallet : undefined))

/**
 * The kind of signer that approves the transfer: a key of this page by its family, a browser wallet, or the payment of
 * a rail.
 */
export const signer = computed(() => {
  if (isRail.value) return 'rail'
  return chosenWallet.value === undefined ? originFamily.value : 'browser'
})

/** The key that pays and signs. */
export const payer = computed<Key>(() => {
  if (originFamily.value === 'TRX') return tronKey
  if (originFamily.value === 'BTC') return bitcoinKey
  if (originFamily.value === 'SOL') return solanaKey.value ?? evmKey
  return opened.value?.key ?? evmKey
})
