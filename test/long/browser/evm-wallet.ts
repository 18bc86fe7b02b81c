import type { Page } from 'playwright-core'
import { createWalletClient, http, isHex, parseAbiItem } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { EvmChain, EvmChains } from '../../../packages/devnet/evm/index.ts'

/**
 * Injects a wallet into a page: an EIP-1193 provider with the funded user's key, over real nodes. It begins on the last
 * chain. Pages get it as `window.ethereum` after the next navigation.
 */
export async function injectWallet(page: Page, { chains, user }: EvmChains): Promise<void> {
  const account = privateKeyToAccount(user.privateKey)
  let chain = chains.at(-1)

  async function request(method: string, params: unknown[] = []): Promise<unknown> {
    const [first, second] = params
    if (method === 'wallet_switchEthereumChain') {
      chain = chains.find(({ chainId }) => chainId === Number(Object(first).chainId))
      return null
    }
    if (chain === undefined) throw new Error('the wallet has no such chain')
    if (method === 'eth_requestAccounts') return [account.address]
    if (method === 'personal_sign' && isHex(first)) return account.signMessage({ message: { raw: first } })
    if (method === 'eth_signTypedData_v4') return account.signTypedData(JSON.parse(String(second)))
    if (method === 'eth_sendTransaction') {
      const { to, data } = Object(first)
      const wallet = createWalletClient({ account, transport: http(chain.url) })
      return wallet.sendTransaction({ to, data, chain: null })
    }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(chain.url, { method: 'POST', headers, body })
    const { result, error } = Object(await response.json())
    if (error !== undefined) throw new Error(Object(error).message)
    return result
  }

  await page.exposeFunction('askWallet', request)
  await page.addInitScript('window.ethereum = { request: ({ method, params }) => askWallet(method, params) }')
}

const EVENT = 'event Approval(address indexed owner, address indexed spender, uint256 value)'

/** Returns the amounts of all approvals of a token for a spender, in order. */
export async function approvedAmounts({ client, tokens }: EvmChain, symbol: string, spender: string) {
  const address = tokens[symbol]?.address
  if (address === undefined) throw new Error(symbol)
  const logs = await client.getLogs({ address, event: parseAbiItem(EVENT), fromBlock: 0n })
  return logs.flatMap(({ args }) =>
    args.spender?.toLowerCase() === spender.toLowerCase() && args.value !== undefined ? [args.value] : []
  )
}
