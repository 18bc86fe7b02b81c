import type { ServerResponse } from 'node:http'
import type { Test } from 'tap'
import { chains, type RegistryChain } from '../../packages/devnet/registry/chains.ts'
import { poolKeys } from '../../packages/devnet/registry/pools.ts'
import { build, startNetwork, type Variables } from '../helpers/app.ts'
import { forward, json, type SeenRequest, serve } from '../helpers/local-server.ts'

const MODULES = '/service-finance/service-blockchain'

type Answer = (response: ServerResponse, request: SeenRequest) => void

/**
 * Builds the application on a new development network, with a proxy in front of the chain API.
 * @param answer the initial value of `answer` in the result
 */
export async function throughProxy(t: Test, answer?: Answer, variables: Variables = {}) {
  const devnet = await startNetwork(t)
  /** Parsed log lines with level warn or higher. */
  const log: { msg: string; err?: { message: string } }[] = []
  const now = {
    /** Handles chain API requests. While it is undefined, requests are forwarded to the development network. */
    answer
  }
  const proxy = await serve(t, async (request, response) => {
    if (now.answer !== undefined) return now.answer(response, request)
    const { status, body } = await forward(`${devnet.urls.rest}${request.url}`, request)
    json(response, body, status)
  })
  const server = await build(
    t,
    { SERVICE_BACKEND_NODE_PROVIDER_QUERY: proxy.url, LOG_LEVEL: 'warn', ...variables },
    { devnet, logTo: line => log.push(JSON.parse(line)) }
  )
  return Object.assign(now, {
    server,
    devnet,
    log,
    /** Returns the paths that the application requested from the chain API, without the prefix `MODULES`. */
    asked: () => proxy.seen.map(({ url }) => url.slice(MODULES.length)),
    /** Stops the proxy and closes its connections. */
    die: proxy.close
  })
}

/** Builds the application with a chain API that returns the development network's registry with one chain changed. */
export function withChanged(
  t: Test,
  shortName: string,
  change: (chain: RegistryChain) => Partial<RegistryChain>,
  variables?: Variables
) {
  const changed = chains.map(chain => (chain.symbol === shortName ? { ...chain, ...change(chain) } : chain))
  const lists = { Chain: changed, tssPubkey: [poolKeys], pagination: null }
  return throughProxy(t, response => json(response, lists), variables)
}
