import type { ServerResponse } from 'node:http'
import { build, startNetwork } from '../helpers/app.ts'
import { json, type SeenRequest, serve } from '../helpers/local-server.ts'
import { test } from '../helpers/tap.ts'
import { TRANSFER } from '../helpers/transfer-flow.ts'
import { until } from '../helpers/until.ts'

const CREDENTIALS = 'sealed-user:sealed"password'
const AUTHORIZATION = `Basic ${Buffer.from(CREDENTIALS).toString('base64')}`
/** `sealed` and what follows it, as a URL and as JSON write it; and the credentials as a header has them. */
const SECRET = new RegExp(`sealed|${AUTHORIZATION.slice('Basic '.length)}`)

/** All that an upstream knows of the URL that it was asked at. */
const echo = ({ method, url, headers: { authorization = '' } }: SeenRequest) =>
  `${method} ${url} as ${authorization}, ${Buffer.from(authorization.slice('Basic '.length), 'base64')}`

const idOf = ({ body }: SeenRequest) => (body.startsWith('{"jsonrpc"') ? JSON.parse(body).id : 1)

const FAULTS: [string, (request: SeenRequest, response: ServerResponse) => void][] = [
  ['a refusal', (q, r) => json(r, { code: 12, message: echo(q) }, 404)],
  ['a refusal of the request', (q, r) => json(r, { message: echo(q) }, 400)],
  ['a failure', (q, r) => json(r, { error: echo(q) }, 500)],
  [
    'a failure in other escapes',
    (q, r) => r.writeHead(500).end(JSON.stringify({ error: echo(q) }).replaceAll('seal', '\\u0073eal'))
  ],
  ['HTML', (q, r) => r.end(`<html>${echo(q)}</html>`)],
  ['bare text', (q, r) => r.end(q.url)],
  ['another shape', (q, r) => json(r, { [echo(q)]: echo(q), data: { [echo(q)]: 5 } })],
  ['an error of the index', (q, r) => json(r, { errors: [{ message: echo(q) }] })],
  [
    'an error of the node',
    (q, r) => {
      const error = { code: -32603, message: echo(q), data: echo(q) }
      json(r, { jsonrpc: '2.0', id: idOf(q), error })
    }
  ],
  [
    'an error of the node with more data',
    (q, r) => {
      const error = { code: -32603, message: 'Internal error', data: { asked: echo(q) } }
      json(r, { jsonrpc: '2.0', id: idOf(q), error })
    }
  ],
  ['a redirect', (q, r) => r.writeHead(302, { location: `https://elsewhere.example${q.url}` }).end()],
  ['a closed connection', (_q, r) => r.destroy()]
]

const ROUTES = [
  '/ready',
  '/metrics',
  `/submit/fees?${new URLSearchParams(TRANSFER)}`,
  '/chains',
  '/chains/env',
  '/chains/get_currencies/ETH/POL',
  `/compliant?address=${TRANSFER.originAddress}`
]

test('no answer and no log holds what is secret in the URL of an upstream', async t => {
  let fault = 0
  const upstream = await serve(t, (request, response) => FAULTS[fault]?.[1](request, response))
  const { host } = new URL(upstream.url)
  const secretUrl = (name: string, credentials = 'sealed-user:sealed%22password@') =>
    `http://${credentials}${host}/${name}/sealed-path/x?key=sealed%20query`
  const lines: string[] = []
  const app = await build(
    t,
    {
      SERVICE_BACKEND_NODE_PROVIDER: `${secretUrl('rpc')},${secretUrl('rpc2')}`,
      SERVICE_BACKEND_NODE_PROVIDER_QUERY: secretUrl('rest'),
      SERVICE_BACKEND_NODE_PROVIDER_GRAPHQL: secretUrl('index'),
      SERVICE_BACKEND_FEE_URL: secretUrl('fees'),
      COMPLIANCE_URL: secretUrl('compliance'),
      KYC_URL: secretUrl('kyc', ''),
      KYC_API_KEY: 'sealed key',
      LOG_LEVEL: 'trace'
    },
    { devnet: await startNetwork(t), logTo: line => lines.push(line) }
  )
  const uuid = '2f1c6d1e-6a0f-4b5e-9a54-0a4f2f0f6c11'
  for (const [name] of FAULTS) {
    const answers = await Promise.all([
      ...[...ROUTES, `/tx/${fault + 1}/status`].map(url => app.inject({ url })),
      app.inject({ method: 'POST', url: '/kyc', body: { uuid } })
    ])
    for (const { statusCode, body } of answers) {
      t.notMatch(body, SECRET, name)
      t.match(statusCode, /^(200|400|50[23])$/)
    }
    fault += 1
  }
  const { seen } = upstream
  const asked = (path: string) => seen.some(({ url }) => url.startsWith(path))
  const isWebSocket = ({ url }: SeenRequest) => /^\/rpc2?\/sealed-path\/x\/websocket\?/.test(url)
  await until(async () => seen.some(isWebSocket), 'the WebSocket')
  await app.close()
  t.ok(lines.some(line => line.includes(`RPC node ${host} is unavailable`)))
  for (const line of lines) t.notMatch(line, SECRET)

  for (const name of ['rpc', 'rpc2', 'rest', 'index', 'fees', 'compliance', 'kyc']) {
    t.ok(asked(`/${name}/sealed-path/x`), name)
  }
  for (const { url, headers } of seen) {
    t.match(url, /[?&]key=sealed%20query$/)
    t.equal(headers.authorization, url.startsWith('/kyc/') ? 'sealed key' : AUTHORIZATION, url)
  }
})
