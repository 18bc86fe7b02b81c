import type { ServerResponse } from 'node:http'
import type { Test } from 'tap'
import { chains, type RegistryChain, type RegistryToken } from '../../../packages/devnet/registry/chains.ts'
import { build, startNetwork, type Variables } from '../app.ts'
import { json, serve } from '../local-server.ts'

/** Returns the development network's registry with one chain changed. */
export function changed(
  shortName: string,
  change: (chain: RegistryChain) => Partial<RegistryChain>
): RegistryChain[] {
  return chains.map(chain => (chain.symbol === shortName ? { ...chain, ...change(chain) } : chain))
}

export function tokenOf(symbol: string, decimals: number): RegistryToken {
  return { symbol, address: `0x${'0'.repeat(39)}1`, decimals: String(decimals), peggedTo: 'USD' }
}

/** Builds the application with a chain API that responds with this registry, or as the function does. */
export async function withRegistry(
  t: Test,
  registry: RegistryChain[] | ((response: ServerResponse) => void),
  overrides: Variables = {}
) {
  const devnet = await startNetwork(t)
  const chainApi = await serve(t, (_request, response) => {
    if (typeof registry === 'function') registry(response)
    else json(response, { Chain: registry, pagination: null })
  })
  const env = { SERVICE_BACKEND_NODE_PROVIDER_QUERY: chainApi.url, ...overrides }
  const server = await build(t, env, { devnet })
  return { devnet, server }
}
