import type { ServerResponse } from 'node:http'
import { createStatusService } from '../../../services/status/index.ts'
import { createChainApi } from '../../../services/upstream/chain-api.ts'
import { advanceClock, stopClock } from '../../helpers/clock.ts'
import { keepingLog } from '../../helpers/keeping-log.ts'
import { json, type LocalServer, type SeenRequest, serve } from '../../helpers/local-server.ts'
import { type Test, test } from '../../helpers/tap.ts'

const REST = {
  index: '42',
  creator: 'acme1creator',
  originChain: 'ETH',
  originAddress: '0x01',
  originSymbol: 'USDT',
  targetChain: 'POL',
  targetAddress: '0x02',
  targetSymbol: 'USDC',
  amount: '100.5',
  status: 'FailedToPay',
  tssPullHash: '0xpull',
  tssReleaseHash: '',
  tssRefundHash: '',
  failReason: 'no liquidity',
  pullFailCount: '0',
  releaseFailCount: '3',
  acmeTxHash: 'AB12'
}
/** The same record in the index, which has no `refundhash` (interface 9.12). */
const INDEXED = {
  failreason: 'no liquidity',
  pullfailcount: 0,
  pullhash: '0xpull',
  releasefailcount: 3,
  releasehash: '',
  txstatus: 'FailedToPay',
  amount: '100.5',
  creator: 'acme1creator',
  originaddress: '0x01',
  originchain: 'ETH',
  originsymbol: 'USDT',
  targetsymbol: 'USDC',
  targetaddress: '0x02',
  targetchain: 'POL',
  tx_id: 42,
  acmehash: 'AB12'
}

/** The same record as returned to a client. */
const RECORD = { ...INDEXED, refundhash: '' }
const REFUNDED = { ...REST, status: 'RefundCompleted', tssRefundHash: '0xrefund' }

type Answering = (request: SeenRequest, response: ServerResponse) => void

const found: Answering = (_q, r) => json(r, { transactionData: REST })
const unknown: Answering = (_q, r) => json(r, { code: 5, message: 'not found', details: [] }, 404)
const indexed =
  (...records: object[]): Answering =>
  (_q, r) =>
    json(r, { data: { transaction_data: records } })

async function statusFrom(t: Test, chain: Answering, index?: Answering) {
  const rest = await serve(t, chain)
  const graphql: LocalServer | undefined = index && (await serve(t, index))
  const chainApi = createChainApi({ baseUrl: rest.url, modulePath: '/acme-finance/acme-blockchain' })
  const { log, entries } = keepingLog()
  const indexUrl = graphql && `${graphql.url}/v1/graphql`
  const status = createStatusService({ brand: 'acme', chainApi, indexUrl, log })
  t.teardown(() => Promise.all([status.close(), chainApi.close()]))
  return { status, entries, rest, graphql }
}

test('without an index the record comes from the REST API, under the names of the interface', async t => {
  const { status, rest } = await statusFrom(t, found)
  t.strictSame(await status.find('transfer', '42'), RECORD)
  t.equal(rest.seen[0]?.url, '/acme-finance/acme-blockchain/transaction/transaction_data/42')
})

test('the index is asked first, with the query of interface 9.10', async t => {
  const { status, rest, graphql } = await statusFrom(t, found, indexed(INDEXED))
  t.strictSame(await status.find('transfer', '42'), RECORD)
  t.same(rest.seen, [])
  const [asked] = graphql?.seen ?? []
  t.match(asked, { method: 'POST', url: '/v1/graphql', headers: { 'content-type': 'application/json' } })
  const { query, variables } = JSON.parse(asked?.body ?? '')
  t.same(variables, { txId: '42' })
  t.match(query, '$txId: String')
  t.match(query, 'transaction_data(where: { tx_id: { _eq: $txId } }, limit: 1)')
  const selected = query.slice(query.lastIndexOf(') {') + 3).match(/\w+/g)
  t.same(selected.sort(), Object.keys(INDEXED).sort())
})

test('numbers as text and nulls of an index give the same record', async t => {
  const loose = { ...INDEXED, tx_id: '42', pullfailcount: null, releasefailcount: '3', releasehash: null }
  const { status } = await statusFrom(t, unknown, indexed(loose))
  t.strictSame(await status.find('transfer', '42'), RECORD)
})

const INDEX_FAULTS: [string, Answering, message?: RegExp][] = [
  ['has nothing', indexed()],
  ['answers 500', (_q, r) => json(r, { message: 'down' }, 500)],
  ['answers HTML', (_q, r) => r.end('<html>')],
  ['answers half a JSON', (_q, r) => r.end('{"data":{')],
  [
    'answers errors beside data',
    (_q, r) => json(r, { data: { transaction_data: [INDEXED] }, errors: [{ message: 'a node is behind' }] })
  ],
  ['answers errors', (_q, r) => json(r, { data: null, errors: [{ message: 'field "acmehash" not found' }] })],
  ['answers something else', (_q, r) => json(r, { data: { other: [] } })],
  ['answers another transaction', indexed({ ...INDEXED, tx_id: 43 })],
  ['answers numbers that are none', indexed({ ...INDEXED, pullfailcount: 'many' })],
  ['answers a hex number as a count', indexed({ ...INDEXED, pullfailcount: '0x10' })],
  ['answers a count in blanks', indexed({ ...INDEXED, pullfailcount: ' 1 ' })],
  ['answers a fraction as a count', indexed({ ...INDEXED, pullfailcount: 1.5 })],
  ['answers a negative count', indexed({ ...INDEXED, pullfailcount: -1 })],
  ['answers a boolean as a count', indexed({ ...INDEXED, pullfailcount: false })],
  ['answers an amount as a float', indexed({ ...INDEXED, amount: 100.5 })],
  ['answers no status', indexed({ ...INDEXED, txstatus: null })],
  ['hangs up', (_q, r) => r.destroy()],
  ['hangs', () => {}, /no response within 2000 ms/]
]
for (const [name, index, message = /^GraphQL index: /] of INDEX_FAULTS) {
  test(`when the index ${name}, the chain is asked`, async t => {
    const { status, entries } = await statusFrom(t, found, index)
    t.strictSame(await status.find('transfer', '42'), RECORD)
    if (name === 'has nothing') t.same(entries, [])
    else
      t.match(entries, [
        { level: 'warn', fields: { err: { upstream: 'GraphQL index', message }, txId: '42' } }
      ])
  })
}

test('the hash of a refund comes from the REST API', async t => {
  const refunding = indexed({ ...INDEXED, txstatus: 'RefundStart' })
  const { status } = await statusFrom(t, (_q, r) => json(r, { transactionData: REFUNDED }), refunding)
  t.match(await status.find('transfer', '42'), { txstatus: 'RefundCompleted', refundhash: '0xrefund' })

  const alone = await statusFrom(t, (_q, r) => r.destroy(), refunding)
  t.match(await alone.status.find('transfer', '42'), { txstatus: 'RefundStart', refundhash: '' })
  t.match(alone.entries, [{ level: 'warn', fields: { err: { upstream: 'chain API' } } }])
})

test('a refund that only the index has is answered from the index', async t => {
  const refunding = indexed({ ...INDEXED, txstatus: 'RefundCompleted' })
  const { status } = await statusFrom(t, unknown, refunding)
  t.strictSame(await status.find('transfer', '42'), { ...RECORD, txstatus: 'RefundCompleted' })
})

const REQUIRED = Object.keys(REST).filter(
  name => !/^(tss|failReason|pullFail|releaseFail|originAddress|acmeTxHash)/.test(name)
)
for (const missing of [undefined, null, '']) {
  test(`a record of the REST API with ${JSON.stringify(missing)} for a required value is a 502`, async t => {
    t.same(REQUIRED.length, 9)
    for (const name of REQUIRED) {
      const { status } = await statusFrom(t, (_q, r) =>
        json(r, { transactionData: { ...REST, [name]: missing } })
      )
      await t.rejects(async () => status.find('transfer', '42'), {
        statusCode: 502,
        message: /^chain API: no \w+ in a record$/
      })
    }
  })
}

test('values that are not known yet are empty texts or zeros', async t => {
  const { index, creator, originChain, originSymbol, targetChain, targetAddress, targetSymbol, amount } = REST
  const early = {
    ...{ index, creator, originChain, originSymbol, targetChain, targetAddress, targetSymbol, amount },
    status: 'Available',
    pullFailCount: ''
  }
  const { status } = await statusFrom(t, (_q, r) => json(r, { transactionData: early }))
  t.strictSame(await status.find('transfer', '42'), {
    ...RECORD,
    txstatus: 'Available',
    originaddress: '',
    failreason: '',
    pullhash: '',
    releasefailcount: 0,
    acmehash: ''
  })
})

test('swaps and liquidity-pool transactions are read field by field', async t => {
  const { amount, originChain: _o, ...rest } = REST
  const swapData = { ...REST, amountIn: '1', amountOut: '2', dex: 'curve', slippage: '0.5' }
  const swaps = await statusFrom(t, (_q, r) => json(r, { swapData }))
  const { amount: _amount, ...route } = RECORD
  t.strictSame(await swaps.status.find('swap', '42'), {
    ...route,
    amountIn: '1',
    amountOut: '2',
    dex: 'curve',
    slippage: '0.5'
  })
  t.equal(swaps.rest.seen[0]?.url, '/acme-finance/acme-blockchain/swap/swap_data/42')
  const LiquidityTransactionData = {
    ...rest,
    amount,
    chain: 'POL',
    symbol: 'USDC',
    providerChainAddress: '0x03'
  }
  const pool = await statusFrom(t, (_q, r) => json(r, { LiquidityTransactionData }))
  t.match(await pool.status.find('liquidity', '42'), {
    amount: '100.5',
    chain: 'POL',
    symbol: 'USDC',
    providerchainaddress: '0x03'
  })
  t.match(pool.rest.seen[0]?.url, /\/transaction\/liquidity_transaction_data\/42$/)
})

test('a transaction is only unknown when the REST API reports it as unknown', async t => {
  for (const index of [undefined, indexed(), INDEX_FAULTS[1]?.[1]]) {
    const { status } = await statusFrom(t, unknown, index)
    t.equal(await status.find('transfer', '42'), undefined)
  }
})

test('a failure of the REST API does not make a transaction unknown', async t => {
  const broken: Answering = (_q, r) => json(r, { code: 13, message: 'internal', details: [] }, 500)
  for (const chain of [
    broken,
    (_q: unknown, r: ServerResponse) => json(r, { transactionData: { ...REST, index: '43' } })
  ]) {
    const { status } = await statusFrom(t, chain, indexed())
    await t.rejects(async () => status.find('transfer', '42'), { statusCode: 502, message: /^chain API: / })
  }
})

test('polls share a failure for a second, like a record', async t => {
  stopClock(t)
  const { status, rest } = await statusFrom(t, (_q, r) => json(r, { message: 'down' }, 502))
  for (const calls of [1, 1, 2]) {
    await t.rejects(status.find('transfer', '42'), { statusCode: 502, message: /^chain API: / })
    t.equal(rest.seen.length, calls)
    advanceClock(0.6)
  }
})
