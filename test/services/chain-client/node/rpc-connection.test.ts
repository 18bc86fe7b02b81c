import type { ServerResponse } from 'node:http'
import { Type } from '@sinclair/typebox'
import { createRpcConnection } from '../../../../services/chain-client/node/rpc-connection.ts'
import { systemClock } from '../../../../services/clock.ts'
import { checkFor } from '../../../../services/schema-check.ts'
import { parseUpstreamUrl } from '../../../../services/upstream/url.ts'
import { json, serve } from '../../../helpers/local-server.ts'
import { type Test, test } from '../../../helpers/tap.ts'

const MIB = 1024 * 1024

const Anything = checkFor(Type.Unknown())

function connectionTo(t: Test, url: string, timeoutMs = 600_000) {
  const connection = createRpcConnection(parseUpstreamUrl(url), { timeoutMs, clock: systemClock })
  t.teardown(() => connection.close())
  return { ask: (method = 'status', path?: string) => connection.call(method, Anything, { path }) }
}

test('a node is unavailable after an error, an unreadable or incomplete body, or no response', async t => {
  const bad: [answer: (response: ServerResponse) => void, timedOut: boolean][] = [
    [response => json(response, { jsonrpc: '2.0', id: 1, result: {} }, 503), false],
    [response => response.end('<html>'), false],
    [response => json(response, { result: 'no JSON-RPC' }), false],
    [response => response.destroy(), false],
    [
      response => response.writeHead(200, { 'content-length': 9 }).write('{', () => response.destroy()),
      false
    ],
    [() => {}, true]
  ]
  for (const [answer, timedOut] of bad) {
    const { url } = await serve(t, (_, response) => answer(response))
    const { ask } = connectionTo(t, url, timedOut ? 100 : 600_000)
    await t.rejects(ask(), { name: 'NodeUnavailableError', timedOut })
  }
})

test('sends the URL’s credentials, and redacts them in an error’s message and data', async t => {
  const data = `POST /k3y0123456789 ${'x'.repeat(500_000)}`
  const error = { code: -32603, message: 'no plan for k3y0123456789', data }
  const { url, seen } = await serve(t, (_, response) => json(response, { jsonrpc: '2.0', id: 1, error }))
  const secret = `${url.replace('//', '//user:word@')}/k3y0123456789`
  const caught = await connectionTo(t, secret).ask().catch(String)
  const authorization = `Basic ${Buffer.from('user:word').toString('base64')}`
  t.match(seen, [{ url: '/k3y0123456789', headers: { authorization } }])
  t.match(caught, /^RpcError: no plan for .* \(-32603\): POST /)
  t.notMatch(caught, 'k3y')
  t.ok(String(caught).length < 10_000, 'a large error is shortened')
})

async function endlessNode(t: Test) {
  let sent = 0
  const chunk = Buffer.alloc(MIB, ' ')
  const node = await serve(t, (_, response) => {
    function send(): void {
      let hasRoom = true
      while (hasRoom && !response.destroyed) {
        sent += chunk.length
        hasRoom = response.write(chunk)
      }
    }
    response.on('drain', send)
    send()
  })
  return { ...node, sent: () => sent }
}

/** Upper bound for the data buffered at both ends of a connection. */
const BUFFERED_MIB = 16

for (const [method, mebibytes, path] of [
  ['abci_query', 1, '/cosmos.auth.v1beta1.Query/Account'],
  ['abci_query', 96, '/cosmos.tx.v1beta1.Service/Simulate'],
  ['block', 96],
  ['block_results', 96]
] as const) {
  test(`aborts an endless response to ${path ?? method}`, async t => {
    const node = await endlessNode(t)
    const tooLarge = { name: 'NodeUnavailableError', message: /is larger than \d+ bytes/, timedOut: false }
    await t.rejects(connectionTo(t, node.url).ask(method, path), tooLarge)
    t.ok(node.sent() > mebibytes * MIB, `${node.sent()} bytes were sent`)
    t.ok(node.sent() <= (mebibytes + BUFFERED_MIB) * MIB, `${node.sent()} bytes were sent`)
  })
}

test('limits the total size of concurrent responses', async t => {
  const node = await endlessNode(t)
  const { ask } = connectionTo(t, node.url)
  const calls = Array.from({ length: 4 }, () => ask('block_results'))
  await t.rejects(Promise.race(calls), { message: /is larger than/ })
  t.ok(node.sent() <= (96 + 4 * BUFFERED_MIB) * MIB, `${node.sent()} bytes were sent`)
  await Promise.allSettled(calls)
  await t.rejects(ask('status'), { message: /is larger than 1\d{6} bytes/ }, 'they no longer count')
})
