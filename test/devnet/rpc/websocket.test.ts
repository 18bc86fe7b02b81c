import { once } from 'node:events'
import { WebSocket } from 'ws'
import { startNode } from '../../helpers/devnet/node.ts'
import { type Test, test } from '../../helpers/tap.ts'

/** A chain whose blocks the test makes, and a bare WebSocket connection to it. */
async function start(t: Test) {
  const node = await startNode(t, { blockTimeMs: 3_600_000 })
  const socket = new WebSocket(`${node.wsUrl}/websocket`)
  t.teardown(() => socket.terminate())
  const received: unknown[] = []
  let arrived = (): void => {}
  socket.on('message', data => {
    received.push(JSON.parse(String(data)))
    arrived()
  })
  await once(socket, 'open')

  return {
    ...node,
    socket,
    request: (method: string, params: unknown, id: unknown) =>
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params })),
    /** The next `count` messages. */
    async receive(count: number): Promise<unknown[]> {
      while (received.length < count) {
        await new Promise<void>(resolve => {
          arrived = resolve
        })
      }
      return received.splice(0, count)
    }
  }
}

const NEW_BLOCK = "tm.event='NewBlock'"
const ok = (id: unknown) => ({ jsonrpc: '2.0', id, result: {} })
const failed = (id: unknown, data: string | RegExp) => ({ jsonrpc: '2.0', id, error: { code: -32603, data } })

test('requests of one connection are answered in order', async t => {
  const { request, receive, socket, chain } = await start(t)
  chain.produceBlock()
  request('block', { height: '2' }, 'a')
  request('nope', {}, 'b')
  socket.send('{')
  socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'health' }))
  request('health', {}, 'c')
  t.match(await receive(4), [
    { id: 'a', result: { block: { header: { height: '2' } } } },
    { id: 'b', error: { code: -32601 } },
    { id: null, error: { code: -32700 } },
    { id: 'c', result: {} }
  ])
})

test('a query can be subscribed to once, pushes with the id of its request, and ends with unsubscribe', async t => {
  const { request, receive, chain } = await start(t)
  request('subscribe', { query: NEW_BLOCK }, 1)
  request('subscribe', { query: NEW_BLOCK }, 2)
  request('unsubscribe', { query: NEW_BLOCK }, 1)
  request('unsubscribe', { query: NEW_BLOCK }, 3)
  request('subscribe', { query: "tm.event='" }, 4)
  t.match(await receive(5), [
    ok(1),
    failed(2, 'already subscribed'),
    ok(1),
    failed(3, 'subscription not found'),
    failed(4, /failed to parse query/)
  ])

  request('subscribe', { query: NEW_BLOCK }, 5)
  request('subscribe', { query: "tm.event='NewBlockHeader'" }, 6)
  t.match(await receive(2), [ok(5), ok(6)])
  chain.produceBlock()
  const block = { header: { height: '2' } }
  t.match(await receive(2), [
    { id: 5, result: { query: NEW_BLOCK, data: { type: 'tendermint/event/NewBlock', value: { block } } } },
    { id: 6, result: { data: { type: 'tendermint/event/NewBlockHeader', value: block } } }
  ])
  request('unsubscribe_all', {}, 7)
  await receive(1)
  chain.produceBlock()
  request('health', {}, 8)
  t.match(await receive(1), [ok(8)], 'nothing was pushed')
})

test('a message above 1,000,000 bytes ends its connection and no other', async t => {
  const { socket, url } = await start(t)
  socket.send('x'.repeat(1_000_001))
  const [code] = await once(socket, 'close')
  t.equal(code, 1009)
  t.equal((await fetch(`${url}/health`)).status, 200)
})
