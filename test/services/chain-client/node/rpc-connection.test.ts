import type { ServerResponse } from 'node:http'
import { createAnswerBounds, createTimeLimits } from '../../../../services/chain-client/node/limits.ts'
import { createRpcConnection, type RpcMethod } from '../../../../services/chain-client/node/rpc-connection.ts'
import { systemClock } from '../../../../services/clock.ts'
import { parseUpstreamUrl } from '../../../../services/upstream/url.ts'
import { json, serve } from '../../../helpers/local-server.ts'
import { type Test, test } from '../../../helpers/tap.ts'

const MIB = 1024 * 1024

const result = (response: ServerResponse, status = 200) =>
  json(response, { jsonrpc: '2.0', id: 1, result: { name: 'node' } }, status)

function connectionTo(t: Test, url: string, { timeoutMs = 600_000, bounds = createAnswerBounds() } = {}) {
  const connection = createRpcConnection(parseUpstreamUrl(url), { timeoutMs, bounds, clock: systemClock })
  t.teardown(() => connection.close())
  return (method: RpcMethod = 'status') => connection.call(method)
}

test('an HTTP error, an unreadable body and silence are failures of the node', async t => {
  const bad: [answer: (response: ServerResponse) => void, late: boolean][] = [
    [response => result(response, 503), false],
    [response => response.end('<html>'), false],
    [response => json(response, { result: 'no JSON-RPC' }), false],
    [() => {}, true]
  ]
  for (const [answer, late] of bad) {
    const { url } = await serve(t, (_, response) => answer(response))
    await t.rejects(connectionTo(t, url, { timeoutMs: late ? 100 : 600_000 })(), {
      name: 'NodeUnavailableError',
      late
    })
  }
})

test('a JSON-RPC error has its code and its text', async t => {
  const error = { code: -32603, message: 'Internal error', data: 'tx already exists in cache' }
  const { url } = await serve(t, (_, response) => json(response, { jsonrpc: '2.0', id: 1, error }))
  const texts = { name: 'RpcError', code: -32603, data: 'tx already exists in cache' }
  await t.rejects(connectionTo(t, url)(), texts)
})

test('a JSON-RPC error as large as an answer keeps both ends of its text', async t => {
  const data = `height 5 ${'x'.repeat(500_000)} is wrong`
  const error = { code: -32603, message: 'm'.repeat(400_000), data }
  const { url } = await serve(t, (_, response) => json(response, { jsonrpc: '2.0', id: 1, error }))
  const caught = await connectionTo(t, url)().catch(reason => reason)
  t.match(caught, { name: 'RpcError', data: /^height 5 x+ … \d+ characters … x+ is wrong$/ })
  t.ok(caught instanceof Error && caught.message.length < 10_000)
})

test('an error names the host alone', async t => {
  const { url, close } = await serve(t, (_, response) => result(response))
  close()
  const error = await connectionTo(t, `${url}/a-key?token=secret`)().catch(caught => caught)
  t.match(error, { name: 'NodeUnavailableError', host: new URL(url).host })
  t.notMatch(String(error), /a-key|secret/)
})

test('a call that takes too long is given twice the time, up to a minute, and less again when it is quick', t => {
  const limits = createTimeLimits(5000)
  t.equal(limits.of('block_results'), 5000)
  const growth = [1, 2, 3, 4, 5].map(() => {
    limits.late('block_results', limits.of('block_results'))
    return limits.of('block_results')
  })
  t.strictSame(growth, [10_000, 20_000, 40_000, 60_000, 60_000])
  t.equal(limits.of('block'), 5000, 'each call by itself')
  limits.answered('block_results', 8000)
  t.equal(limits.of('block_results'), 16_000)
  limits.answered('block_results', 20)
  t.equal(limits.of('block_results'), 5000)
  limits.late('block_results', 5000)
  limits.late('block_results', 5000)
  t.equal(limits.of('block_results'), 10_000, 'calls that were late together count once')
  for (const short of ['status', 'broadcast_tx_sync'] as const) {
    limits.late(short, 5000)
    t.equal(limits.of(short), 5000, `${short} is not given more`)
  }
  t.end()
})

test('a slow node answers when it is given more time', async t => {
  const { url } = await serve(t, (_, response) => setTimeout(() => result(response), 300))
  const ask = connectionTo(t, url, { timeoutMs: 50 })
  let failures = 0
  while (!(await ask('block_results').catch(() => undefined))) failures += 1
  t.ok(failures >= 2, `${failures} were too slow before`)
})

/** A node whose answer never ends. */
async function endlessNode(t: Test) {
  let sent = 0
  const chunk = Buffer.alloc(MIB, ' ')
  const node = await serve(t, async (_, response) => {
    while (!response.destroyed) {
      sent += chunk.length
      if (!response.write(chunk)) await Promise.race([once(response, 'drain'), once(response, 'close')])
    }
  })
  return { ...node, sent: () => sent }
}

const once = (response: ServerResponse, event: string) =>
  new Promise<void>(resolve => response.once(event, () => resolve()))

const BOUNDS: [method: RpcMethod, mebibytes: number][] = [
  ['status', 1],
  ['consensus_params', 1],
  ['broadcast_tx_sync', 1],
  ['abci_query', 1],
  ['block', 29],
  ['block_results', 64]
]
/** What the two ends of a connection hold between them. */
const BUFFERED_MIB = 16

for (const [method, mebibytes] of BOUNDS) {
  test(`an endless answer to ${method} is cut off`, async t => {
    const node = await endlessNode(t)
    await t.rejects(connectionTo(t, node.url)(method), {
      name: 'NodeUnavailableError',
      message: /is larger than \d+ bytes/,
      late: false
    })
    t.ok(node.sent() <= (mebibytes + BUFFERED_MIB) * MIB, `${node.sent()} bytes were sent`)
  })
}

test('the bound of a block follows the chain’s parameters', async t => {
  const bounds = createAnswerBounds()
  bounds.setBlockBytes(3 * MIB)
  const node = await endlessNode(t)
  await t.rejects(connectionTo(t, node.url, { bounds })('block'))
  t.ok(node.sent() <= (5 + BUFFERED_MIB) * MIB, `${node.sent()} bytes were sent`)
})

test('the answers that are read at the same time are bounded together', t => {
  const bounds = createAnswerBounds()
  const [first, second] = [bounds.start('block_results'), bounds.start('block_results')]
  first.add(60 * MIB)
  t.throws(() => second.add(60 * MIB), { name: 'AnswerTooLargeError' })
  second.end()
  first.end()
  const third = bounds.start('block_results')
  third.add(60 * MIB)
  t.throws(() => third.add(60 * MIB), { name: 'AnswerTooLargeError' })
  t.end()
})
