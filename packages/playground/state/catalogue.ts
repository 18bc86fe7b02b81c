import { computed } from '@preact/signals'
import type { schemas } from '../../client/index.ts'
import { askPlayground, client, dataOf, Problem, unreadable } from '../service.ts'
import { createLoader } from './loadable.ts'

/** What the page needs from the service before the first step, loaded when the page loads. */
const loader = createLoader<{
  chains: schemas.Chain[]
  environment: schemas.Environment
  pools: schemas.Pool[]
  /** The EVM chains whose nodes the server passes calls to (SERVICE_EVM_RPC). */
  nodes: string[]
}>()

export const { state: catalogueState, value: catalogue } = loader

export function loadCatalogue(): Promise<void> {
  return loader.load(async signal => {
    const [chains, environment, pools, nodes] = await Promise.all([
      dataOf(client.api.GET('/chains', { signal })),
      dataOf(client.api.GET('/chains/env', { signal })),
      dataOf(client.api.GET('/chains/pool', { signal })),
      askPlayground<string[]>('rpc', undefined, signal)
    ])
    if (!Array.isArray(chains)) throw unreadable()
    if (chains.length === 0) throw new Problem({ code: 'NO_CHAINS', message: 'The service lists no chains.' })
    return { chains, environment, pools, nodes }
  })
}

export const chains = computed(() => catalogue.value?.chains ?? [])

export const environment = computed(() => catalogue.value?.environment)

/** A chain's pool. Its address is the spender to approve, unless Permit2 moves the tokens (interface 4.18). */
export const poolOf = (chain: string) => catalogue.value?.pools.find(({ chainName }) => chainName === chain)

/** The explorer of the service's own chain. The field name contains the brand (interface 2.3). */
export const ownExplorer = computed(() => {
  const [, url] = Object.entries(environment.value ?? {}).find(([name]) => name.endsWith('Explorer')) ?? []
  return typeof url === 'string' ? url : undefined
})

export function chainOf(shortName: string): schemas.Chain | undefined {
  return chains.value.find(chain => chain.shortName === shortName)
}

/** Returns the family of chains with the same address and signature format: `EVM`, `SOL`, `TRX`, `BTC` or a rail. */
export function familyOf(shortName: string): string {
  const { compatibility = 'EVM' } = chainOf(shortName) ?? {}
  return compatibility === 'SELF' ? shortName : compatibility
}

export function tokensAt(shortName: string, end: 'origin' | 'target') {
  const isAt = ({ supportedLocations = [] }: { supportedLocations?: string[] }) =>
    supportedLocations.length === 0 || supportedLocations.includes(end)
  return (chainOf(shortName)?.supportedTokens ?? []).filter(isAt)
}

export const tokenOf = (shortName: string, symbol: string) =>
  chainOf(shortName)?.supportedTokens.find(token => token.symbol === symbol)
