import { type Test, test } from '../helpers/tap.ts'
import { startNode } from './rpc-node.ts'

/** Starts a node whose chain stays at block 3, with a plain HTTP client. */
async function start(t: Test) {
  const node = await startNode(t, { blockTimeMs: 3_600_000 })
  while (node.chain.height < 3) node.chain.produceBlock()

  async function read(path: string, init?: RequestInit) {
    const response = await fetch(`${node.url}${path}`, init)
    const text = await response.text()
    const isJson = response.headers.get('content-type') === 'application/json'
    return { status: response.status, body: isJson ? JSON.parse(text) : text }
  }
  return {
    ...node,
    get: (path: string) => read(path),
    post: (body: unknown) =>
      read('/', { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) })
  }
}

const call = (method: string, params: unknown = {}, id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  params
})
test('returns RPC errors with status 200, but 500 for a body that is not a request', async t => {
  const { post } = await start(t)
  for (const body of ['{"jsonrpc":', '5', call('health', {}, true), { id: 1, method: 5 }]) {
    t.match(await post(body), { status: 500, body: { error: { code: -32700 } } })
  }
  const refused: [method: string, params: unknown, code: number, data?: RegExp][] = [
    ['block', { height: 2 }, -32602, /height must be a string/],
    ['block', { height: 'two' }, -32602, /height must be an integer in a string/],
    ['block', ['2'], -32602, /params must be an object/],
    ['tx', { hash: '#' }, -32602, /hash must be base64/],
    ['abci_query', { path: '/x', data: 'xy' }, -32602, /data must be hex/],
    [
      'block',
      { height: '4' },
      -32603,
      /height 4 must be less than or equal to the current blockchain height 3/
    ],
    ['tx_search', { query: 'nonsense' }, -32603, /failed to parse query/],
    ['subscribe', { query: "tm.event='Tx'" }, -32601],
    ['constructor', {}, -32601]
  ]
  for (const [method, params, code, data] of refused) {
    const error = { code, ...(data && { data }) }
    t.match(await post(call(method, params)), { status: 200, body: { id: 1, error } }, method)
  }
})

test('rejects a body above 1,000,000 bytes', async t => {
  const { post } = await start(t)
  const body = JSON.stringify(call('health'))
  t.match(await post(body.padEnd(1_000_000)), { status: 200, body: { result: {} } })
  t.match(await post(body.padEnd(1_000_001)), {
    status: 400,
    body: { error: { code: -32600, data: /request body too large/ } }
  })
})
