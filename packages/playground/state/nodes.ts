import { createClient, erc20Abi, type Hex, http } from 'viem'
import { readContract } from 'viem/actions'
import { tokens } from '../code/amount.ts'
import { baseUrl } from '../service.ts'
import { catalogue, tokenOf } from './catalogue.ts'

export const rpcOf = (chain: string) => `${baseUrl}/playground/rpc/${chain}`
export const hasNode = (chain: string) => catalogue.value?.nodes.includes(chain) ?? false
export const nodeOf = (chain: string) => createClient({ transport: http(rpcOf(chain)) })

/** Returns the balance of a token in the smallest unit. Undefined without a node or a contract. */
export async function balanceOf(chain: string, symbol: string, owner: string): Promise<bigint | undefined> {
  const address = tokenOf(chain, symbol)?.address
  if (!hasNode(chain) || !address) return undefined
  const call = { abi: erc20Abi, functionName: 'balanceOf', args: [owner as Hex] } as const
  return readContract(nodeOf(chain), { ...call, address: address as Hex })
}

/** Returns a balance for display. Undefined without a node or a contract. */
export async function balanceText(chain: string, symbol: string, owner: string): Promise<string | undefined> {
  const value = await balanceOf(chain, symbol, owner).catch(() => 'unknown')
  if (typeof value !== 'bigint') return value
  return tokens({ value: String(value), decimals: tokenOf(chain, symbol)?.decimals ?? 0 }, symbol)
}
