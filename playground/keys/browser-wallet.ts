import { isAddress, isHex, stringToHex } from 'viem/utils'
import { Problem } from '../problem.ts'
import type { Key } from './key.ts'

/** What EIP-1193 says that a browser wallet has. */
interface Provider {
  request(call: { method: string; params?: unknown[] }): Promise<unknown>
}

declare global {
  interface Window {
    readonly ethereum?: Provider
  }
}

export const hasBrowserWallet = window.ethereum !== undefined

/**
 * Asks the browser's wallet for the account that it shows to this page.
 * @throws Problem when the user or the wallet refuses; signing does too
 */
export async function openBrowserWallet(): Promise<Key> {
  const accounts = await ask('eth_requestAccounts')
  const [address] = Array.isArray(accounts) ? accounts : []
  if (typeof address !== 'string' || !isAddress(address, { strict: false }))
    throw refusal('it has no account for this page')
  return {
    address,
    async sign(message) {
      const signature = await ask('personal_sign', [stringToHex(message), address])
      if (!isHex(signature) || signature === '0x') throw refusal('what it returned is no signature')
      return signature
    }
  }
}

async function ask(method: string, params?: unknown[]): Promise<unknown> {
  if (window.ethereum === undefined) throw refusal('there is none')
  try {
    return await window.ethereum.request({ method, ...(params && { params }) })
  } catch (error) {
    throw refusal(reasonOf(error))
  }
}

/** Wallets may throw anything. */
function reasonOf(error: unknown): string {
  if (typeof error === 'string') return error
  if (error instanceof Object && 'message' in error && typeof error.message === 'string') return error.message
  return 'it gave no reason'
}

function refusal(reason: string): Problem {
  return new Problem({ code: 'WALLET', message: `The wallet did not do it: ${reason}` })
}
