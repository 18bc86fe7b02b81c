import { atOneHeight, type Conversation, type Note } from '../conversation.ts'
import type { HttpRequest, Network } from '../network.ts'

const request = (id: unknown, method = 'health', params: unknown = {}) => ({
  jsonrpc: '2.0',
  id,
  method,
  params
})
const BLOCK = { jsonrpc: '2.0', id: 1, method: 'block' }

/** Requests that a client gets wrong, and the forms that are allowed. */
export const malformed: Conversation = {
  name: 'malformed requests',
  play: (network, note) => atOneHeight(network, note, noteHere => playAll(network, noteHere))
}

async function playAll(network: Network, note: Note): Promise<void> {
  const post = async (step: string, body: unknown, options: HttpRequest = {}) =>
    note(
      step,
      await network.http('/', {
        method: 'POST',
        ...options,
        body: typeof body === 'string' ? body : JSON.stringify(body)
      })
    )
  const get = async (path: string, options: HttpRequest = {}) =>
    note(`${options.method ?? 'GET'} ${path}`, await network.http(path, options))

  await post('no JSON', 'hello')
  await post('cut off', '{"jsonrpc":"2.0","id":1')
  await post('a number', '5')
  await post('a text', '"health"')
  await post('null', 'null')
  await post('true', 'true')
  await post('an empty object', '{}')
  await post('text behind the request', '{"jsonrpc":"2.0","id":1,"method":"health"} x')
  await post('spaces around', ' {"jsonrpc":"2.0","id":1,"method":"health"} \n')
  await post('an empty array', '[]')
  await post('a batch of one', [request(1)])
  await post('a batch of two', [request(1), request('b', 'block', { height: '1' })])
  await post('a batch with errors', [request(1, 'nothing'), request(2), request(3, 'block', { height: 'x' })])
  await post(
    'a batch of ten',
    Array.from({ length: 10 }, (_, index) => request(index))
  )
  await post(
    'a batch of eleven',
    Array.from({ length: 11 }, (_, index) => request(index))
  )
  await post('a batch of a number', '[5]')
  await post('a batch of a number and a request', [5, request(1)])
  await post('a batch with a notification', [{ jsonrpc: '2.0', method: 'health' }, request(1)])
  await post('a batch of notifications', [{ jsonrpc: '2.0', method: 'health' }, request(null)])
  await post('a notification', { jsonrpc: '2.0', method: 'health' })
  await post('a notification of an unknown method', { jsonrpc: '2.0', method: 'nothing' })
  for (const id of [0, -5, 1.5, 1e20, '', 'text', '7', null, true, {}, [], ['a']]) {
    await post(`the id ${JSON.stringify(id)}`, request(id))
  }
  await post('no version', { id: 1, method: 'health' })
  await post('version 1.0', { jsonrpc: '1.0', id: 1, method: 'health' })
  await post('a version that is a number', { jsonrpc: 2, id: 1, method: 'health' })
  await post('no method', { jsonrpc: '2.0', id: 1 })
  await post('an empty method', request(1, ''))
  await post('an unknown method', request(1, 'nothing'))
  await post('a method in upper case', request(1, 'HEALTH'))
  await post('a method that is a number', { jsonrpc: '2.0', id: 1, method: 5 })
  await post('no params', { ...BLOCK, method: 'health' })
  await post('params null', { ...BLOCK, method: 'health', params: null })
  await post('params null of a method with params', { ...BLOCK, method: 'abci_query', params: null })
  await post('no params of a method with params', { ...BLOCK, method: 'tx' })
  await post('params in an empty array', { ...BLOCK, method: 'health', params: [] })
  await post('params by position', { ...BLOCK, params: ['1'] })
  await post('too many params', { ...BLOCK, params: ['1', '2'] })
  await post('too few params', { ...BLOCK, method: 'blockchain', params: ['1'] })
  await post('params that do not exist', { ...BLOCK, params: { height: '1', width: '5' } })
  await post('params in a text', { ...BLOCK, params: '1' })
  await post('params in a number', { ...BLOCK, params: 1 })
  await post('params false', { ...BLOCK, params: false })
  for (const height of [
    1,
    null,
    '',
    'x',
    ' 1',
    '1.0',
    '0x1',
    '+1',
    '01',
    '1e3',
    '99999999999999999999',
    true,
    {},
    ['1']
  ]) {
    await post(`the height ${JSON.stringify(height)}`, { ...BLOCK, params: { height } })
  }
  await post('a path that is a number', request(1, 'abci_query', { path: 5 }))
  await post('a flag that is a text', request(1, 'abci_query', { path: '/x', prove: 'true' }))
  await post('an unknown field', { ...request(1), more: 5 })
  await post('a content type', request(1), { headers: { 'content-type': 'text/plain' } })
  await post('too large', `{"jsonrpc":"2.0","id":1,"method":"health","x":"${'a'.repeat(1_000_000)}"}`)
  await post('as large as allowed', `{"jsonrpc":"2.0","id":1,"method":"health","x":"${'a'.repeat(999_000)}"}`)

  await get('/', { method: 'POST' })
  await get('/', { method: 'HEAD' })
  for (const method of ['PUT', 'DELETE', 'OPTIONS']) {
    await get('/', { method, body: JSON.stringify(request(1)) })
  }
  await get('/health', { method: 'POST' })
  await get('/health', { method: 'PUT' })
  await get('/block', {
    method: 'POST',
    body: 'height=1',
    headers: { 'content-type': 'application/x-www-form-urlencoded' }
  })
  for (const path of PATHS) await get(path)
}

const PATHS = [
  '/health',
  '/health/',
  '/health?',
  '/health?x=1',
  '/nothing',
  '/nothing/more',
  '/HEALTH',
  '//health',
  '/favicon.ico',
  '/v1/health',
  '/block?height=1',
  '/block?height="1"',
  "/block?height='1'",
  '/block?height=',
  '/block?height=""',
  '/block?height=x',
  '/block?height="x"',
  '/block?height=-1',
  '/block?height=0',
  '/block?height=0x1',
  '/block?height=1.5',
  '/block?height=99999999999999999999',
  '/block?height=1&height=2',
  '/block?Height=1',
  '/block_results?height=1',
  '/blockchain?minHeight=1&maxHeight=2',
  '/blockchain?minHeight="1"&maxHeight="2"',
  '/validators?height=1&page=1&per_page=1',
  '/genesis_chunked?chunk=0',
  '/genesis_chunked?chunk=-1',
  '/genesis_chunked?chunk=x',
  '/abci_query?path=nothing',
  '/abci_query?path="nothing"',
  '/abci_query?path="nothing',
  '/abci_query?path=0x2f61',
  '/abci_query?path="/x"&data=zz',
  '/abci_query?path="/x"&data="zz"',
  '/abci_query?path="/x"&prove=maybe',
  '/abci_query?path="/x"&prove="true"',
  '/abci_query?path="/x"&prove=true',
  '/num_unconfirmed_txs',
  '/unconfirmed_txs?limit=1',
  '/unconfirmed_txs?limit=x'
]
