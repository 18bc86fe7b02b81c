import { test } from 'tap'
import { build, startNetwork } from '../../helper.ts'
import { json, serve } from '../../services/local-server.ts'
import { submit, transferBody } from '../transfer-flow.ts'

test('a transfer is followed by its id until it is completed', async t => {
  const server = await build(t)
  const { txId, transactionHash } = (await submit(server, await transferBody(server))).json()
  const seen = new Set<string>()
  let record = { txstatus: '' }
  while (record.txstatus !== 'Completed') {
    const response = await server.inject(`/tx/${txId}/status`)
    t.equal(response.statusCode, 200)
    record = response.json().data.transaction_data[0]
    seen.add(record.txstatus)
  }
  t.match(record, {
    tx_id: txId,
    servicehash: transactionHash,
    pullhash: /./,
    releasehash: /./,
    failreason: '',
    pullfailcount: 0,
    releasefailcount: 0,
    refundhash: ''
  })
  for (const status of seen) t.match(status, /^(Available|Pull_Confirmed|Pulled|Paid|Completed)$/)
})

test('a refund shows its hash', async t => {
  const server = await build(t)
  const body = await transferBody(server, { targetAddress: `0x${'f3'.padStart(40, '0')}` })
  const { txId } = (await submit(server, body)).json()
  let record = { txstatus: '', refundhash: '' }
  while (record.txstatus !== 'RefundCompleted') {
    record = (await server.inject(`/tx/${txId}/status`)).json().data.transaction_data[0]
  }
  t.match(record.refundhash, /./)
})

test('the answer is the same without an index', async t => {
  const devnet = await startNetwork(t)
  const withIndex = await build(t, {}, { devnet })
  const withoutIndex = await build(t, { SERVICE_BACKEND_NODE_PROVIDER_GRAPHQL: '' }, { devnet })
  const { txId } = (await submit(withIndex, await transferBody(withIndex))).json()
  const read = async (server: typeof withIndex) =>
    (await server.inject(`/tx/${txId}/status`)).json().data.transaction_data[0]
  while ((await read(withIndex)).txstatus !== 'Completed') t.equal((await read(withoutIndex)).tx_id, txId)
  t.same(await read(withoutIndex), await read(withIndex))
})

test('SERVICE_STATUS_FORMAT=object answers the bare record', async t => {
  const server = await build(t, { SERVICE_STATUS_FORMAT: 'object' })
  const { txId } = (await submit(server, await transferBody(server))).json()
  const { data } = (await server.inject(`/tx/${txId}/status`)).json()
  t.match(data, { transaction_data: { tx_id: txId, txstatus: /./ } })
})

test('the hash carries the brand', async t => {
  const devnet = await startNetwork(t, { brand: 'acme' })
  const server = await build(t, {}, { devnet })
  const { txId, transactionHash } = (await submit(server, await transferBody(server))).json()
  const [record] = (await server.inject(`/tx/${txId}/status`)).json().data.transaction_data
  t.match(record, { acmehash: transactionHash, creator: /^acme1/ })
  t.notOk('servicehash' in record)
})

test('an id that the chain does not know is a 404', async t => {
  const server = await build(t)
  for (const id of ['1', '999', '9007199254740993']) {
    t.match((await server.inject(`/tx/${id}/status`)).json(), { statusCode: 404, code: 'NOT_FOUND' }, id)
  }
})

test('anything but a positive integer is a 400', async t => {
  const server = await build(t)
  for (const id of ['0', '-1', '1.5', '1e3', '01', 'abc', '%20', '0x1', 'AB'.repeat(32)]) {
    const response = await server.inject(`/tx/${id}/status`)
    t.match(response.json(), { statusCode: 400, code: 'VALIDATION', details: [{ path: '/txId' }] }, id)
  }
})

test('a chain API that fails is a 502 that tells nothing of it', async t => {
  const broken = await serve(t, (_request, response) => json(response, { message: 'internal detail' }, 500))
  const server = await build(t, {
    SERVICE_BACKEND_NODE_PROVIDER_QUERY: broken.url,
    SERVICE_BACKEND_NODE_PROVIDER_GRAPHQL: ''
  })
  const response = await server.inject('/tx/1/status')
  t.match(response.json(), { statusCode: 502, code: 'UPSTREAM_ERROR' })
  t.notMatch(response.body, /internal detail|chain API/)
})
