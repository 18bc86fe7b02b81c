import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import type { Devnet } from '../../packages/devnet/index.ts'
import { chains, type RegistryChain } from '../../packages/devnet/registry/chains.ts'
import { build, startNetwork, untilReached } from './app.ts'
import { forward, json, type SeenRequest, serve } from './local-server.ts'

const MODULES = '/service-finance/service-blockchain'

export interface ProxiedChainApi {
  server: FastifyInstance
  devnet: Devnet
  /** Log lines of level warn and above, parsed. */
  log: { msg: string; err?: { message: string } }[]
  /** Returns the paths that the application requested, relative to the path of the brand's modules. */
  asked(): string[]
  /** Handles chain API requests. When undefined, they are forwarded to the development network. */
  answer: ((response: ServerResponse, request: SeenRequest) => void) | undefined
  /** Closes the chain API and its connections. */
  die(): void
}

/**
 * Builds the application with a proxy in front of its development network's chain API.
 * @param answer the initial value of `answer` in the result
 */
export async function throughProxy(t: Test, answer?: ProxiedChainApi['answer']): Promise<ProxiedChainApi> {
  const devnet = await startNetwork(t)
  const log: ProxiedChainApi['log'] = []
  const now = { answer }
  const proxy = await serve(t, async (request, response) => {
    if (now.answer !== undefined) return now.answer(response, request)
    const { status, body } = await forward(`${devnet.urls.rest}${request.url}`, request)
    json(response, body, status)
  })
  const server = await build(
    t,
    { SERVICE_BACKEND_NODE_PROVIDER_QUERY: proxy.url, LOG_LEVEL: 'warn' },
    { devnet, logTo: line => log.push(JSON.parse(line)) }
  )
  await untilReached(server)
  return Object.assign(now, {
    server,
    devnet,
    log,
    asked: () => proxy.seen.map(({ url }) => url.slice(MODULES.length)),
    die: proxy.close
  })
}

/** Builds the application with the development network's registry, in which one chain is changed. */
export function withChanged(
  t: Test,
  shortName: string,
  change: (chain: RegistryChain) => Partial<RegistryChain>
): Promise<ProxiedChainApi> {
  const changed = chains.map(chain => (chain.symbol === shortName ? { ...chain, ...change(chain) } : chain))
  return throughProxy(t, response => json(response, { Chain: changed, pagination: null }))
}

/** Every listing path that is served from the chain API. */
export const LISTINGS = [
  '/chains',
  '/chains/names',
  '/chains/chain',
  '/chains/get_available_chains/POL',
  '/chains/get_currencies/ETH/POL',
  '/chains/pool',
  '/chains/pool_balance',
  '/chains/tss_pubkey'
]
