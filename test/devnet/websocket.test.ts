import { once } from 'node:events'
import { WebSocket } from 'ws'
import { type Test, test } from '../helpers/tap.ts'
import { startNode } from './rpc-node.ts'

/** Starts a node whose blocks the test produces, and a plain WebSocket connection to it. */
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
    /** Resolves with the next `count` messages. */
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

const QUERY = "tm.event='NewBlockHeader'"
const ok = (id: unknown) => ({ jsonrpc: '2.0', id, result: {} })
const failed = (id: unknown, data: string | RegExp) => ({ jsonrpc: '2.0', id, error: { code: -32603, data } })

test('a connection can subscribe to new blocks once, and gets their headers with the subscription’s request id', async t => {
  const { request, receive, chain } = await start(t)
  request('subscribe', { query: "tm.event='" }, 1)
  request('subscribe', { query: QUERY }, 2)
  request('subscribe', { query: QUERY }, 3)
  t.match(await receive(3), [failed(1, /failed to parse query/), ok(2), failed(3, 'already subscribed')])
  chain.produceBlock()
  const value = { header: { height: '2' }, num_txs: '0' }
  t.match(await receive(1), [
    { id: 2, result: { query: QUERY, data: { type: 'tendermint/event/NewBlockHeader', value } } }
  ])
})
