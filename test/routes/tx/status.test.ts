import type { FastifyInstance } from 'fastify'
import { build, startNetwork } from '../../helpers/app.ts'
import { json, serve } from '../../helpers/local-server.ts'
import { patientFetch } from '../../helpers/patient-fetch.ts'
import { t as root, test } from '../../helpers/tap.ts'
import { cardBody, ROUTE, submit, swapBody, TRANSFER, transferBody } from '../../helpers/transfer.ts'
import { until } from '../../helpers/until.ts'
import { throughProxy } from '../chain-api.ts'

const devnet = await startNetwork(root)
const server = await build(root, {}, { devnet })
const withoutIndex = await build(root, { SERVICE_BACKEND_NODE_PROVIDER_GRAPHQL: '' }, { devnet })

type StatusRecord = Record<string, string | number>

async function read(server: FastifyInstance, url: string): Promise<StatusRecord> {
  const response = await server.inject(url)
  const { data } = response.json<{ data?: Record<string, [StatusRecord]> }>()
  const [records] = Object.values(data ?? {})
  if (records === undefined) throw new Error(`${url} answered ${response.body}`)
  return records[0]
}

/** Reads the status until it is `Completed`. @returns the last record and all earlier statuses */
async function follow(server: FastifyInstance, url: string) {
  const seen = new Set<unknown>()
  const record = await until(async () => {
    const found = await read(server, url)
    if (found['txstatus'] === 'Completed') return found
    seen.add(found['txstatus'])
    return undefined
  }, `${url} is completed`)
  return { record, seen }
}

test('returns the same status of a transfer with and without an index', async t => {
  const { txId, transactionHash } = (await submit(server, await transferBody(server))).json()
  const url = `/tx/${txId}/status`
  const { record, seen } = await follow(server, url)
  const hashes = { servicehash: transactionHash, pullhash: /./, releasehash: /./, refundhash: '' }
  t.match(record, { tx_id: txId, ...hashes, failreason: '', pullfailcount: 0, releasefailcount: 0 })
  for (const status of seen) t.match(status, /^(Available|Pull_Confirmed|Pulled|Paid)$/)
  t.same((await follow(withoutIndex, url)).record, record)
  for (const path of ['/tx/lp/1/status', '/tx/lp/2/status'])
    t.same(await read(withoutIndex, path), await read(server, path))
})

test('returns a liquidity-pool transaction with the fields in interface 9.5', async t => {
  t.strictSame(await read(server, '/tx/lp/2/status'), {
    failreason: 'the allowance does not cover the pull',
    pullfailcount: 1,
    pullhash: '',
    releasefailcount: 0,
    releasehash: '',
    txstatus: 'FailedToPull',
    amount: '1250.5',
    creator: server.signer.address,
    chain: 'POL',
    providerchainaddress: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    refundhash: '',
    symbol: 'USDC',
    tx_id: 2,
    servicehash: 'B'.repeat(64)
  })
  const completed = { tx_id: 1, txstatus: 'Completed', pullhash: /./, releasehash: /./ }
  t.match((await server.inject('/tx/lp/1/status')).json().data, { liquidity_transaction_data: [completed] })
})

test('returns a swap on both routes, but only on its own in the widget format', async t => {
  const { txId } = (await submit(server, swapBody(), { path: '/submit/swap' })).json()
  const { record } = await follow(server, `/swap_tx/${txId}/status`)
  t.match(record, { tx_id: txId, amountIn: '100.5', amountOut: '99.9', dex: 'auto', slippage: '0.5' })
  const { originAddress: originaddress, targetSymbol: targetsymbol } = TRANSFER
  t.match(record, { originaddress, targetsymbol, refundhash: '', servicehash: /^[0-9A-F]{64}$/ })
  t.notOk('amount' in record)
  t.same(await read(withoutIndex, `/swap_tx/${txId}/status`), record)
  t.ok('swap_data' in (await server.inject(`/swap_tx/${txId}/status`)).json().data)
  const asTransfer = { ...record, amount: '100.5' }
  for (const app of [server, withoutIndex]) t.strictSame(await read(app, `/tx/${txId}/status`), asTransfer)
  t.ok('transaction_data' in (await server.inject(`/tx/${txId}/status`)).json().data)
  const widget = await build(t, { SERVICE_RESPONSE_FORMAT: 'widget' }, { devnet })
  for (const way of ['status', 'events'])
    t.equal((await widget.inject(`/tx/${txId}/${way}`)).statusCode, 404, way)
})

const NOT_FOUND = { code: 5, message: 'not found', details: [] }
const RECORDED = {
  ...ROUTE,
  creator: 'service1creator',
  status: 'Completed',
  amount: '3',
  amountIn: '1',
  amountOut: '2'
}

const found = (record: object) => ({ data: { transaction_data: [record] } })
const swapped = found({ amount: '1', amountOut: '2' })
const failed = { code: 'UPSTREAM_ERROR' }
const missing = { statusCode: 404, code: 'NOT_FOUND' }
type Kind = 'transfer' | 'swap'

/** What the chain's REST API responds for both kinds, what `/tx/ID` returns, what is read for it, and what is stored. */
type Row = [name: string, transfer: number, swap: number, expected: object, reads: Kind[], stored?: Kind]
const KINDS: Row[] = [
  // The stored ones have the first ids of the chain.
  ['a stored transfer, which the API does not know yet', 404, 200, missing, ['transfer'], 'transfer'],
  ['a stored swap with the id of somebody else’s transfer', 200, 200, swapped, ['swap'], 'swap'],
  ['both exist: the transfer wins', 200, 200, found({ amount: '3' }), ['transfer']],
  ['neither exists', 404, 404, missing, ['transfer', 'swap']],
  ['transfers cannot be read', 500, 200, failed, ['transfer']],
  ['swaps cannot be read', 404, 500, failed, ['transfer', 'swap']]
]

test('never returns a record of the wrong kind, and reads each source once', async t => {
  const index = await serve(t, ({ body }, response) => {
    const root = body.includes('swap_data') ? 'swap_data' : 'transaction_data'
    json(response, { data: { [root]: [] } })
  })
  const proxy = await throughProxy(t, undefined, { SERVICE_BACKEND_NODE_PROVIDER_GRAPHQL: index.url })
  const { server } = proxy
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  for (const [at, [, , , , , stored]] of KINDS.entries()) {
    if (stored === undefined) continue
    const [path, body] = stored === 'swap' ? ['/submit/swap', swapBody()] : ['/submit', cardBody()]
    t.match((await submit(server, body, { path })).json(), { txId: at + 1 })
  }
  const kindsOf = (texts: string[]) => texts.map(text => (text.includes('swap_data') ? 'swap' : 'transfer'))
  for (const [at, [name, transfer, swap, expected, reads]] of KINDS.entries()) {
    const id = at + 1
    const before = index.seen.length
    proxy.answer = (response, { url }) => {
      const isSwap = url.includes('/swap_data/')
      const status = isSwap ? swap : transfer
      const record = { ...RECORDED, index: String(id) }
      if (status === 200) json(response, isSwap ? { swapData: record } : { transactionData: record })
      else json(response, status === 404 ? NOT_FOUND : { message: 'internal' }, status)
    }
    const get = async () => (await patientFetch(`${url}/tx/${id}/status`)).json()
    for (const body of await Promise.all([get(), get(), get()])) t.match(body, expected, name)
    const asked = proxy.asked().filter(path => path.endsWith(`_data/${id}`))
    t.same(kindsOf(asked), reads, name)
    const fromIndex = index.seen.slice(before).filter(({ body }) => body.includes(`"${id}"`))
    t.same(kindsOf(fromIndex.map(({ body }) => body)), reads, `index: ${name}`)
  }
})

/** Responses of the chain API’s gateway, and whether they mean that there is no record. */
const GATEWAY: [status: number, body: object, isMissing: boolean][] = [
  [404, NOT_FOUND, true],
  [400, { code: 3, message: 'type mismatch, parameter: id, error: value out of range', details: [] }, true],
  [500, { code: 2, message: 'codespace sdk code 38: key not found', details: [] }, true],
  [500, { code: 2, message: `transaction ${'7'.repeat(400)}: key not found`, details: [] }, true],
  [200, { other: { index: '7' } }, false],
  // A proxy's response.
  [404, { message: 'Not Found' }, false],
  // A cache's response.
  [404, { message: 'key not found' }, false],
  [404, { code: 'NotFound', message: 'key not found' }, false],
  [501, { code: 12, message: 'Not Implemented', details: [] }, false]
]

test('returns 404 only for a gateway response about a missing record', async t => {
  const proxy = await throughProxy(t, undefined, { SERVICE_BACKEND_NODE_PROVIDER_GRAPHQL: '' })
  const targets = ['ARB', 'AVX', 'BASE', 'BSC', 'CFX', 'ETH', 'OPT', 'POL', 'SOL']
  for (const [at, [status, body, isMissing]] of GATEWAY.entries()) {
    proxy.answer = response => json(response, body, status)
    const get = async (url: string) => (await proxy.server.inject(url)).json()
    const what = `${status} ${JSON.stringify(body)}`
    t.match(await get(`/tx/lp/${at + 1}/status`), isMissing ? missing : { ...failed, statusCode: 502 }, what)
    const listed = await get(`/chains/get_available_chains/${targets[at]}`)
    t.match(listed, isMissing ? { Chains: [] } : failed, what)
  }
})

test('returns 404 for an unknown transaction id, and 400 for an invalid one', async t => {
  const unknown = ['9007199254740993', '9'.repeat(19)]
  const invalid = ['0', '-1', '1.5', '01', '%00', '0x1', '9'.repeat(20)]
  for (const path of ['/tx', '/tx/lp', '/swap_tx']) {
    for (const way of ['status', 'events']) {
      const ask = async (id: string) => (await server.inject(`${path}/${id}/${way}`)).json()
      for (const id of unknown) t.match(await ask(id), missing, `${path} ${id} ${way}`)
      const expected = { statusCode: 400, code: 'VALIDATION', details: [{ path: '/txId' }] }
      for (const id of invalid) t.match(await ask(id), expected, `${path} ${id} ${way}`)
    }
  }
})
