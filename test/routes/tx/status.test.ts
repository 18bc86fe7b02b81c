import type { FastifyInstance } from 'fastify'
import type { Devnet } from '../../../packages/devnet/index.ts'
import { createMessageTypes } from '../../../services/messages/index.ts'
import { build, startNetwork } from '../../helpers/app.ts'
import { json, serve } from '../../helpers/local-server.ts'
import { type Test, test } from '../../helpers/tap.ts'
import { submit, TRANSFER, transferBody } from '../../helpers/transfer-flow.ts'
import { PATIENCE_MS } from '../../helpers/until.ts'

type StatusRecord = Record<string, string | number>

async function read(server: FastifyInstance, url: string): Promise<StatusRecord> {
  const response = await server.inject(url)
  const { data } = response.json<{ data?: Record<string, [StatusRecord]> }>()
  const [records] = Object.values(data ?? {})
  if (records === undefined) throw new Error(`${url} answered ${response.body}`)
  return records[0]
}

const nextBlock = ({ chain }: Devnet) =>
  new Promise<void>(resolve => {
    const unsubscribe = chain.onBlock(() => {
      unsubscribe()
      resolve()
    })
  })

/** Reads a status at each block until it is `final`. @returns the last record, and the statuses before it */
async function follow(server: FastifyInstance, devnet: Devnet, url: string, final: string) {
  const seen = new Set<string>()
  let record = await read(server, url)
  while (record['txstatus'] !== final) {
    seen.add(String(record['txstatus']))
    await nextBlock(devnet)
    record = await read(server, url)
  }
  return { record, seen }
}

async function withTransfer(t: Test, overrides: Record<string, string> = {}, targetAddress?: string) {
  const devnet = await startNetwork(t)
  const server = await build(t, overrides, { devnet })
  const body = await transferBody(server, targetAddress === undefined ? {} : { targetAddress })
  const { txId, transactionHash } = (await submit(server, body)).json()
  return { devnet, server, txId, transactionHash }
}

test('a transfer’s status can be polled until it is completed', async t => {
  const { devnet, server, txId, transactionHash } = await withTransfer(t)
  const { record, seen } = await follow(server, devnet, `/tx/${txId}/status`, 'Completed')
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
  for (const status of seen) t.match(status, /^(Available|Pull_Confirmed|Pulled|Paid)$/)
})

test('a refund shows its hash', async t => {
  const { devnet, server, txId } = await withTransfer(t, {}, `0x${'f3'.padStart(40, '0')}`)
  const { record } = await follow(server, devnet, `/tx/${txId}/status`, 'RefundCompleted')
  t.match(record['refundhash'], /./)
})

test('the answer is the same without an index', async t => {
  const { devnet, server, txId } = await withTransfer(t)
  const withoutIndex = await build(t, { SERVICE_BACKEND_NODE_PROVIDER_GRAPHQL: '' }, { devnet })
  const url = `/tx/${txId}/status`
  const { record } = await follow(server, devnet, url, 'Completed')
  t.same((await follow(withoutIndex, devnet, url, 'Completed')).record, record)
  for (const id of [1, 2]) {
    const path = `/tx/lp/${id}/status`
    t.same(await read(withoutIndex, path), await read(server, path))
  }
})

test('a liquidity-pool transaction has the fields of interface 9.5', async t => {
  const server = await build(t)
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
  t.match((await server.inject('/tx/lp/1/status')).json(), {
    data: {
      liquidity_transaction_data: [{ tx_id: 1, txstatus: 'Completed', pullhash: /./, releasehash: /./ }]
    }
  })
})

test('a swap has both amounts and is not a transfer', async t => {
  const devnet = await startNetwork(t)
  const server = await build(t, {}, { devnet })
  const { typeUrl, encode } = createMessageTypes('service').requestSwapTransaction
  const { amount: _whole, ...route } = TRANSFER
  const content = {
    ...route,
    creator: server.signer.address,
    amountIn: '100.5',
    amountOut: '100.25',
    fee: '0.05',
    dex: 'curve',
    slippage: '0.5',
    htlcExpirationTimestamp: '',
    htlcCreationHash: '',
    htlcCreationVout: 0,
    htlcVersion: '',
    senderPubKey: new Uint8Array(),
    options: '{"feeId":"f-1","signature":"0xsigned"}'
  }
  const { submissionId } = await server.submissions.submit({
    identities: [{ kind: 'fee', value: 'f-1' }],
    typeUrl,
    message: encode(content).finish()
  })
  const { txId } = { txId: 0, ...(await server.submissions.settled(submissionId, PATIENCE_MS)) }
  const { record } = await follow(server, devnet, `/swap_tx/${txId}/status`, 'Completed')
  t.match(record, {
    tx_id: txId,
    amountIn: '100.5',
    amountOut: '100.25',
    dex: 'curve',
    slippage: '0.5',
    originaddress: TRANSFER.originAddress,
    targetsymbol: TRANSFER.targetSymbol,
    refundhash: '',
    servicehash: /^[0-9A-F]{64}$/
  })
  t.notOk('amount' in record)
  t.ok('swap_data' in (await server.inject(`/swap_tx/${txId}/status`)).json().data)
  t.equal((await server.inject(`/tx/${txId}/status`)).statusCode, 404)
})

test('SERVICE_RESPONSE_FORMAT=widget answers the record itself', async t => {
  const { devnet, txId } = await withTransfer(t)
  const server = await build(t, { SERVICE_RESPONSE_FORMAT: 'widget' }, { devnet })
  const { data } = (await server.inject(`/tx/${txId}/status`)).json()
  const { tx_id, amount, txstatus } = data.transaction_data
  t.strictSame({ tx_id, amount }, { tx_id: String(txId), amount: Number(TRANSFER.amount) })
  t.match(txstatus, /./)
  const liquidity = (await server.inject('/tx/lp/1/status')).json()
  const { chain, symbol, providerchainaddress, ...pool } = liquidity.data.liquidity_transaction_data
  t.match(pool, {
    ...{ tx_id: '1', originchain: chain, targetchain: chain, originsymbol: symbol, targetsymbol: symbol },
    ...{ originaddress: providerchainaddress, refundhash: '' }
  })
  t.type(pool.amount, 'number')
})

const PATHS = ['/tx', '/tx/lp', '/swap_tx']

test('an id that the chain does not know is a 404', async t => {
  const server = await build(t)
  for (const path of PATHS) {
    for (const id of ['999', '9007199254740993', '9'.repeat(19)]) {
      const response = await server.inject(`${path}/${id}/status`)
      t.match(response.json(), { statusCode: 404, code: 'NOT_FOUND' }, `${path} ${id}`)
    }
  }
})

test('anything but a positive integer is a 400', async t => {
  const server = await build(t)
  const huge = ['9'.repeat(20), '9'.repeat(101), '9'.repeat(8_000)]
  for (const path of PATHS) {
    for (const id of ['0', '-1', '1.5', '1e3', '01', 'abc', '%20', '%00', '0x1', 'AB'.repeat(32), ...huge]) {
      const response = await server.inject(`${path}/${id}/status`)
      const expected = { statusCode: 400, code: 'VALIDATION', details: [{ path: '/txId' }] }
      t.match(response.json(), expected, `${path} ${id.slice(0, 80)}`)
    }
  }
})

test('a failing chain API is a 502 without any detail of it', async t => {
  const broken = await serve(t, (_request, response) => json(response, { message: 'internal detail' }, 500))
  const server = await build(t, {
    SERVICE_BACKEND_NODE_PROVIDER_QUERY: broken.url,
    SERVICE_BACKEND_NODE_PROVIDER_GRAPHQL: ''
  })
  for (const path of PATHS) {
    const response = await server.inject(`${path}/1/status`)
    t.match(response.json(), { statusCode: 502, code: 'UPSTREAM_ERROR' })
    t.notMatch(response.body, /internal detail|chain API/)
  }
})
