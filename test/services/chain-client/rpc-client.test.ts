import type { ServerResponse } from 'node:http'
import { type Test, test } from 'tap'
import { createNodeRpcClient } from '../../../services/chain-client/rpc-client.ts'
import { json, serve } from '../../helpers/local-server.ts'

const request = { jsonrpc: '2.0', id: 1, method: 'status', params: {} } as const
const result = (response: ServerResponse, name: string, status = 200) =>
  json(response, { jsonrpc: '2.0', id: 1, result: { name } }, status)

/** A node that answers with its name. */
const node = (t: Test, name: string) => serve(t, (_, response) => result(response, name))

function clientOf(t: Test, nodes: string[], timeoutMs = 2000) {
  const client = createNodeRpcClient(nodes, timeoutMs)
  t.teardown(() => client.close())
  let changes = 0
  client.onChange(() => {
    changes += 1
  })
  const ask = async () => (await client.execute(request)).result.name
  return { client, ask, changes: () => changes }
}

test('calls that fail together switch to the next node once, and are not repeated', async t => {
  const [down, second, third] = [await node(t, 'first'), await node(t, 'second'), await node(t, 'third')]
  down.close()
  const { ask, changes } = clientOf(t, [down.url, second.url, third.url])
  for (const outcome of await Promise.allSettled([ask(), ask(), ask()])) {
    t.match(outcome, { status: 'rejected', reason: { name: 'NodeUnavailableError' } })
  }
  t.equal(changes(), 1)
  t.equal(second.seen.length + third.seen.length, 0)
  t.equal(await ask(), 'second')
})

test('after the last node comes the first', async t => {
  const [first, second] = [await node(t, 'first'), await node(t, 'second')]
  const { ask, client } = clientOf(t, [first.url, second.url])
  t.equal(client.current().host, new URL(first.url).host)
  first.close()
  await t.rejects(ask())
  t.equal(await ask(), 'second')
  second.close()
  await t.rejects(ask())
  t.equal(client.current().host, new URL(first.url).host)
})

test('an HTTP error, an unreadable body and silence are failures of the node', async t => {
  const bad: ((response: ServerResponse) => void)[] = [
    response => result(response, 'an answer all the same', 503),
    response => response.end('<html>'),
    response => json(response, { result: 'no JSON-RPC' }),
    () => {}
  ]
  for (const answer of bad) {
    const { url } = await serve(t, (_, response) => answer(response))
    const { ask, changes } = clientOf(t, [url, (await node(t, 'second')).url], 100)
    await t.rejects(ask(), { name: 'NodeUnavailableError' })
    t.equal(changes(), 1)
    t.equal(await ask(), 'second')
  }
})

test('a JSON-RPC error is an answer: the node stays', async t => {
  const error = { code: -32603, message: 'Internal error', data: 'tx already exists in cache' }
  const { url } = await serve(t, (_, response) => json(response, { jsonrpc: '2.0', id: 1, error }))
  const { ask, changes } = clientOf(t, [url, (await node(t, 'second')).url])
  await t.rejects(ask(), { name: 'RpcError', code: -32603, data: 'tx already exists in cache' })
  t.equal(changes(), 0)
})

test('a single node is asked again, and an error names its host alone', async t => {
  const { url, close } = await node(t, 'only')
  close()
  const { ask, changes } = clientOf(t, [`${url}/a-key?token=secret`])
  const error = await ask().catch(caught => caught)
  t.match(error, { name: 'NodeUnavailableError', host: new URL(url).host })
  t.notMatch(String(error), /a-key|secret/)
  t.equal(changes(), 0)
})
