import type { ServerResponse } from 'node:http'
import type { Test } from 'tap'
import type { Devnet } from '../../../packages/devnet/index.ts'
import { DEVELOPMENT_KYC_KEY } from '../../../packages/devnet/kyc/index.ts'
import { type SeenRequest, serve } from '../../helpers/local-server.ts'

function targetsAt({ urls }: Devnet): Record<string, string> {
  return {
    SERVICE_BACKEND_NODE_PROVIDER: urls.rpc,
    SERVICE_BACKEND_NODE_PROVIDER_QUERY: urls.rest,
    SERVICE_BACKEND_NODE_PROVIDER_GRAPHQL: urls.graphql,
    SERVICE_BACKEND_FEE_URL: urls.fees,
    COMPLIANCE_URL: urls.compliance,
    KYC_URL: urls.kyc
  }
}

/**
 * Starts a server in front of all upstreams of a development network and records the requests. The path of each
 * upstream is the name of its variable.
 * @param options.decorate changes the URL that a variable is set to
 * @param options.plain removes from a request's URL what `decorate` added
 * @param options.fault returns true if it responded in place of the upstream
 */
export async function forwardingTo(
  t: Test,
  devnet: Devnet,
  options: {
    decorate?: (url: string, variable: string) => string
    plain?: (url: string) => string
    fault?: (request: SeenRequest, response: ServerResponse) => boolean
  } = {}
) {
  const { decorate = url => url, plain = url => url, fault } = options
  const targets = targetsAt(devnet)

  async function forward(request: SeenRequest, response: ServerResponse): Promise<void> {
    const [, name = '', rest = ''] = /^\/(\w+)(.*)$/.exec(plain(request.url)) ?? []
    const { method, body } = request
    const answer = await fetch(`${targets[name]}${rest}`, {
      method,
      headers: { 'content-type': 'application/json', authorization: DEVELOPMENT_KYC_KEY },
      ...(method !== 'GET' && { body })
    })
    const type = answer.headers.get('content-type') ?? 'application/json'
    response.writeHead(answer.status, { 'content-type': type }).end(await answer.text())
  }

  const server = await serve(t, (request, response) => {
    if (fault?.(request, response)) return
    forward(request, response).catch(() => response.destroy())
  })
  const env = Object.fromEntries(
    Object.keys(targets).map(variable => [variable, decorate(`${server.url}/${variable}`, variable)])
  )
  return Object.assign(server, { env })
}
