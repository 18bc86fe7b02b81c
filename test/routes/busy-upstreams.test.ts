import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { build, startNetwork } from '../helpers/app.ts'
import { stretchTimers } from '../helpers/clock.ts'
import { json, serve } from '../helpers/local-server.ts'
import { test } from '../helpers/tap.ts'
import { until } from '../helpers/until.ts'

/** The most calls to an upstream that run or wait (interface 19.15). */
const CALLS = 1024

const ADDRESS = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const UUID = '3b241101-e2bb-4255-8caf-4136c566a962'
const TRANSFER = {
  amount: '1',
  originAddress: ADDRESS,
  originChain: 'ETH',
  originSymbol: 'USDC',
  targetAddress: ADDRESS,
  targetChain: 'POL',
  targetSymbol: 'USDC'
}

/** By upstream: a call that needs it, with a number that makes calls different, and the requests that need it. */
const UPSTREAMS: Record<
  string,
  { call: (app: FastifyInstance, number: number) => Promise<unknown>; urls: string[] }
> = {
  'fee service': {
    call: app => app.fees.quote(TRANSFER),
    urls: ['/submit/fees', '/submit/fee'].map(url => `${url}?${new URLSearchParams(TRANSFER)}`)
  },
  'chain API': {
    call: async (app, number) => app.status.find('transfer', String(number)),
    urls: ['/tx/9999/status', '/tx/lp/9999/status', '/swap_tx/9999/status']
  },
  'compliance provider': {
    call: (app, number) => app.compliance.check([`address-${number}`]),
    urls: [`/compliant?address=${ADDRESS}`]
  },
  'KYC provider': { call: app => app.kyc.records(UUID), urls: ['/kyc'] }
}

test('while 1,024 calls to an upstream are not answered, requests that need it get 503 at once', async t => {
  // None of the calls times out.
  stretchTimers(t)
  const devnet = await startNetwork(t)
  const held: ServerResponse[] = []
  const upstream = await serve(t, async ({ url }, response) => {
    if (url.includes('/chains/')) json(response, await (await fetch(devnet.urls.rest + url)).json())
    else held.push(response)
  })
  const server = await build(
    t,
    {
      SERVICE_BACKEND_NODE_PROVIDER_QUERY: upstream.url,
      SERVICE_BACKEND_NODE_PROVIDER_GRAPHQL: '',
      SERVICE_BACKEND_FEE_URL: upstream.url,
      COMPLIANCE_URL: upstream.url,
      KYC_URL: upstream.url
    },
    { devnet }
  )
  const ask = (url: string) =>
    server.inject(url === '/kyc' ? { method: 'POST', url, payload: { uuid: UUID } } : url)
  await ask('/chains')

  for (const [name, { call, urls }] of Object.entries(UPSTREAMS)) {
    held.length = 0
    const ends: unknown[] = []
    for (let number = 1; number <= CALLS; number += 1) {
      call(server, number).catch(error => ends.push(error))
      if (number % 64 === 0) await new Promise(resolve => setImmediate(resolve))
    }
    await until(() => held.length > 0, 'calls are made')
    for (const url of urls) {
      const answer = await ask(url)
      t.match(answer.json(), { statusCode: 503, code: 'UPSTREAM_BUSY', error: 'Service Unavailable' }, url)
      t.equal(answer.headers['retry-after'], '1')
    }
    t.same(ends, [], `${name}: all others wait`)
  }
  await t.rejects(
    server.compliance.assertCompliant({ originAddress: ADDRESS }),
    { statusCode: 503, code: 'COMPLIANCE_UNAVAILABLE' },
    'no submission passes unchecked'
  )
})
