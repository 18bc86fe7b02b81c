import { CHAIN_ID, startNode } from '../../helpers/devnet/node.ts'
import { type Test, test } from '../../helpers/tap.ts'

/** A chain that stops at block 3, with a plain HTTP client. */
async function start(t: Test) {
  const node = await startNode(t, { blockTimeMs: 3_600_000 })
  while (node.chain.height < 3) node.chain.produceBlock()

  async function read(response: Response) {
    const text = await response.text()
    const isJson = response.headers.get('content-type') === 'application/json' && text !== ''
    const body: unknown = isJson ? JSON.parse(text) : text
    return { status: response.status, body }
  }
  return {
    ...node,
    get: async (path: string) => read(await fetch(`${node.url}${path}`)),
    post: async (body: unknown) =>
      read(
        await fetch(node.url, {
          method: 'POST',
          body: typeof body === 'string' ? body : JSON.stringify(body)
        })
      )
  }
}

const call = (method: string, params: unknown = {}, id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  params
})

test('a request is answered with its id', async t => {
  const { post } = await start(t)
  t.strictSame(await post(call('health')), { status: 200, body: { jsonrpc: '2.0', id: 1, result: {} } })
  t.strictSame(await post(call('health', [], 'text')), {
    status: 200,
    body: { jsonrpc: '2.0', id: 'text', result: {} }
  })
  t.match(await post(call('block', ['2'])), { body: { result: { block: { header: { height: '2' } } } } })
  t.match(await post(call('block', { height: '2' })), {
    body: { result: { block: { header: { height: '2' } } } }
  })
})

test('a batch is answered in order, a batch of one with a bare object, notifications not at all', async t => {
  const { post } = await start(t)
  const { body } = await post([
    call('health', {}, 1),
    { jsonrpc: '2.0', method: 'health' },
    call('nope', {}, 2)
  ])
  t.strictSame(body, [
    { jsonrpc: '2.0', id: 1, result: {} },
    { jsonrpc: '2.0', id: 2, error: { code: -32601, message: 'Method not found' } }
  ])
  t.strictSame(await post([call('health')]), { status: 200, body: { jsonrpc: '2.0', id: 1, result: {} } })
  t.strictSame(await post({ jsonrpc: '2.0', method: 'health' }), { status: 200, body: '' })
})

test('an error of a POST has status 200, unless it is no request', async t => {
  const { post } = await start(t)
  const error = (code: number, message: string, data: RegExp, status = 200) => ({
    status,
    body: { jsonrpc: '2.0', error: { code, message, data } }
  })
  const parseError = (data: RegExp) => error(-32700, 'Parse error. Invalid JSON', data, 500)
  t.match(await post('{"jsonrpc":'), parseError(/^error unmarshaling request: unexpected end of JSON input$/))
  t.match(await post('5'), parseError(/cannot unmarshal number into Go value of type struct/))
  t.match(await post([7, call('health')]), parseError(/cannot unmarshal array into Go value of type struct/))
  t.match(
    await post(call('health', {}, true)),
    parseError(/json-rpc ID \(true\) is of unknown type \(bool\)/)
  )
  t.match(await post({ id: 1, method: 5 }), parseError(/number into Go struct field .method of type string/))
  t.match(await post({ id: 1 }), { body: { id: 1, error: { code: -32601 } } })
  t.match(await post(call('health', {}, 1.5)), { body: { id: 1, result: {} } })
  t.match(await post({ id: 7, method: 'block' }), {
    status: 500,
    body: { id: -1, error: { code: -32603, data: 'reflect: Call with too few input arguments' } }
  })
  t.match(
    await post(call('block', { height: 2 })),
    error(-32602, 'Invalid params', /invalid 64-bit integer encoding "2", expected string/)
  )
  t.match(
    await post(call('block', { height: '4' })),
    error(-32603, 'Internal error', /height 4 must be less than/)
  )
  t.match(
    await post(call('tx_search', { query: 'nonsense' })),
    error(-32603, 'Internal error', /^offset 8: EOF$/)
  )
  t.match(
    await post(call('tx_search', { query: 'tx.height>0', order_by: 'up' })),
    error(-32603, 'Internal error', /expected order_by to be either `asc` or `desc` or empty/)
  )
  t.match(await post(call('subscribe', { query: "tm.event='Tx'" })), {
    status: 200,
    body: { error: { code: -32601, message: 'Method not found' } }
  })
  t.match(await post(call('constructor')), { body: { error: { code: -32601 } } })
})

test('a body above 1,000,000 bytes is refused', async t => {
  const { post } = await start(t)
  const body = JSON.stringify(call('health'))
  t.match(await post(body.padEnd(1_000_000)), { status: 200, body: { result: {} } })
  t.match(await post(body.padEnd(1_000_001)), {
    status: 400,
    body: { error: { code: -32600, data: /request body too large/ } }
  })
})

test('methods can be called by path', async t => {
  const { get, chain } = await start(t)
  t.match(await get('/status'), {
    status: 200,
    body: { id: -1, result: { node_info: { network: CHAIN_ID } } }
  })
  t.match(await get('/block?height=2'), { body: { result: { block: { header: { height: '2' } } } } })
  const hash = chain.block(2)?.hash
  t.match(await get(`/block_by_hash?hash=0x${hash}`), {
    body: { result: { block: { header: { height: '2' } } } }
  })
  t.match(await get(`/block_by_hash?hash=0x${'00'.repeat(32)}`), {
    body: { result: { block_id: { hash: '' }, block: null } }
  })
  t.match(await get('/block_search?query="block.height<3"&order_by="asc"&per_page=1'), {
    body: { result: { total_count: '2', blocks: [{ block: { header: { height: '1' } } }] } }
  })
  t.match(await get('/block?height=two'), {
    status: 500,
    body: {
      id: -1,
      error: {
        code: -32602,
        message: 'Invalid params',
        data: 'error converting http params to arguments: invalid 64-bit integer encoding "two", expected string'
      }
    }
  })
  t.match(await get('/block?height=9'), { status: 500, body: { error: { code: -32603 } } })
  t.match(await get('/subscribe?query="x"'), { status: 404 })
  t.match(await get('/nothing'), { status: 404 })
})

test('a wrong escape is refused in a path, and its field is ignored in a query', async t => {
  const { get } = await start(t)
  t.strictSame(await get('/%zz'), { status: 400, body: '400 Bad Request' })
  t.match(await get('/block?height=%zz'), {
    status: 200,
    body: { result: { block: { header: { height: '3' } } } }
  })
})

test('JSON that is nested too deeply is refused', async t => {
  const { post } = await start(t)
  const data = "error unmarshaling request: invalid character '[' exceeded max depth"
  t.match(await post('['.repeat(20_000)), { status: 500, body: { error: { code: -32700, data } } })
})

test('the root lists the methods', async t => {
  const { get, url } = await start(t)
  const { body } = await get('/')
  const host = url.replace('http:', '')
  t.match(body, `<a href="${host}/status?">${host}/status?</a>`)
  t.match(body, `<a href="${host}/tx?hash=_&prove=_">`)
  t.match(body, `<a href="${host}/subscribe?query=_">`)
})

test('methods and fields that CosmJS does not read', async t => {
  const { get } = await start(t)
  t.match(await get('/consensus_params'), {
    body: {
      result: {
        block_height: '4',
        consensus_params: { block: { max_gas: '40000000' }, validator: { pub_key_types: ['ed25519'] } }
      }
    }
  })
  t.strictSame((await get('/unconfirmed_txs?limit=5')).body, {
    jsonrpc: '2.0',
    id: -1,
    result: { n_txs: '0', total: '0', total_bytes: '0', txs: [] }
  })
})
