import { computed, signal } from '@preact/signals'
import { createWalletClient, custom } from 'viem'
import { isAddress, isHex, numberToHex, stringToHex } from 'viem/utils'
import { Problem } from '../service.ts'
import type { Key } from './throw-away.ts'

/** The EIP-1193 interface of a browser wallet. */
interface Provider {
  request(call: { method: string; params?: unknown[] }): Promise<unknown>
}

/** A wallet installed in the browser. */
export interface BrowserWallet {
  readonly id: string
  readonly name: string
  readonly provider: Provider
}

declare global {
  interface Window {
    readonly ethereum?: Provider
  }
}

const announced = signal<readonly BrowserWallet[]>([])

/** The announced wallets (EIP-6963), and the injected one if it has not announced itself, as older wallets do not. */
export const browserWallets = computed<readonly BrowserWallet[]>(() => {
  const { ethereum: provider } = window
  if (provider === undefined || announced.value.some(each => each.provider === provider))
    return announced.value
  return [...announced.value, { id: 'injected', name: 'Browser wallet', provider }]
})

// A wallet announces itself when it loads, and again on request.
window.addEventListener('eip6963:announceProvider', event => {
  const wallet = announcedBy(event)
  if (wallet === undefined || announced.value.some(({ id }) => id === wallet.id)) return
  announced.value = [...announced.value, wallet]
})
window.dispatchEvent(new Event('eip6963:requestProvider'))

/** Validates an announcement, because a wallet might send anything. */
function announcedBy(event: Event): BrowserWallet | undefined {
  const { info, provider } = Object(event instanceof CustomEvent ? event.detail : undefined)
  const { uuid, name } = Object(info)
  if (typeof uuid !== 'string' || typeof name !== 'string' || typeof provider?.request !== 'function')
    return undefined
  return { id: uuid, name, provider }
}

/**
 * Requests the account that a wallet exposes to this page.
 * @throws Problem when the user or the wallet refuses. The key's `sign` throws a Problem in the same cases
 */
export async function openBrowserWallet({ provider }: BrowserWallet): Promise<Key> {
  const accounts = await ask(provider, 'eth_requestAccounts')
  const [address] = Array.isArray(accounts) ? accounts : []
  if (typeof address !== 'string' || !isAddress(address, { strict: false }))
    throw refusal('it exposes no account to this page')
  return {
    address,
    async sign(message) {
      const signature = await ask(provider, 'personal_sign', [stringToHex(message), address])
      if (!isHex(signature) || signature === '0x') throw refusal('it returned no signature')
      return signature
    },
    async openWallet(chainId) {
      await ask(provider, 'wallet_switchEthereumChain', [{ chainId: numberToHex(chainId) }])
      const request = ({ method, params }: { method: string; params?: unknown[] }) =>
        ask(provider, method, params)
      return createWalletClient({ account: address, transport: custom({ request }) })
    }
  }
}

async function ask(provider: Provider, method: string, params?: unknown[]): Promise<unknown> {
  try {
    return await provider.request({ method, ...(params && { params }) })
  } catch (error) {
    throw refusal(reasonOf(error))
  }
}

/** Extracts the reason from a thrown value. Wallets might throw anything. */
function reasonOf(error: unknown): string {
  if (typeof error === 'string') return error
  if (error instanceof Object && 'message' in error && typeof error.message === 'string') return error.message
  return 'it gave no reason'
}

function refusal(reason: string): Problem {
  return new Problem({ code: 'WALLET', message: `The wallet failed: ${reason}` })
}
