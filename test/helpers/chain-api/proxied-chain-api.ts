import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { build, startNetwork, untilReached } from '../app.ts'
import { json, type SeenRequest, serve } from '../local-server.ts'

const MODULES = '/service-finance/service-blockchain'

export interface ProxiedChainApi {
  server: FastifyInstance
  /** Log lines of level warn and above, parsed. */
  log: { msg: string; err?: { message: string } }[]
  /** The paths that the application requested, below the path of the brand's modules. */
  asked(): string[]
  /** Responds as the chain API. When undefined, requests are forwarded to the development network. */
  answer: ((response: ServerResponse, request: SeenRequest) => void) | undefined
  /** Closes the chain API and its connections. */
  die(): void
}

/** Builds the application with a proxy in front of its development network's chain API. */
export async function throughProxy(t: Test): Promise<ProxiedChainApi> {
  const devnet = await startNetwork(t)
  const log: ProxiedChainApi['log'] = []
  const proxy = await serve(t, async (request, response) => {
    if (api.answer !== undefined) return api.answer(response, request)
    const passedOn = await fetch(`${devnet.urls.rest}${request.url}`)
    json(response, await passedOn.json(), passedOn.status)
  })
  const server = await build(
    t,
    { SERVICE_BACKEND_NODE_PROVIDER_QUERY: proxy.url, LOG_LEVEL: 'warn' },
    { devnet, logTo: line => log.push(JSON.parse(line)) }
  )
  await untilReached(server)
  const api: ProxiedChainApi = {
    server,
    log,
    asked: () => proxy.seen.map(({ url }) => url.slice(MODULES.length)),
    answer: undefined,
    die: proxy.close
  }
  return api
}

/** Every path that is served from the chain API. */
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
