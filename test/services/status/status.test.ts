import type { ServerResponse } from 'node:http'
import { addSecrets } from '../../../services/secrets.ts'
import { createStatusService } from '../../../services/status/index.ts'
import { createChainApi } from '../../../services/upstream/chain-api.ts'
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
  failReason: 'no liquidity at sealed-letter',
  pullFailCount: '0',
  releaseFailCount: '3',
  acmeTxHash: 'AB12'
}
/** The record above as stored in the index, which has no `refundhash` (interface 9.12). */
const INDEXED = {
  failreason: 'no liquidity at sealed-letter',
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

addSecrets(['sealed-letter'])

/** The record above as returned to a client. */
const RECORD = { ...INDEXED, refundhash: '', failreason: 'no liquidity at [secret]' }
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
  const find = async (txId: string) => (await status.find('transfer', txId))?.record
  return { find, entries, rest, graphql }
}

test('queries the index first, as interface 9.10 describes', async t => {
  const { find, rest, graphql } = await statusFrom(t, found, indexed(INDEXED))
  t.strictSame(await find('42'), RECORD)
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

/** Index responses that are ignored. */
const INDEX_FAULTS: Record<string, Answering> = {
  'responds with errors and data': (_q, r) =>
    json(r, { data: { transaction_data: [INDEXED] }, errors: [{ message: 'node is behind' }] }),
  'responds with another root': (_q, r) => json(r, { data: { other: [] } }),
  'has another transaction': indexed({ ...INDEXED, tx_id: 43 }),
  'has a count in hex': indexed({ ...INDEXED, pullfailcount: '0x10' }),
  'has a fraction as a count': indexed({ ...INDEXED, pullfailcount: 1.5 }),
  'has a negative count': indexed({ ...INDEXED, pullfailcount: -1 }),
  'has a number as an amount': indexed({ ...INDEXED, amount: 100.5 }),
  'has no status': indexed({ ...INDEXED, txstatus: null })
}

test('reads the record from the REST API when the index fails, and logs why', async t => {
  for (const [name, index] of Object.entries(INDEX_FAULTS)) {
    const { find, entries } = await statusFrom(t, found, index)
    t.strictSame(await find('42'), RECORD, `the index ${name}`)
    const err = { message: /^GraphQL index: / }
    t.match(entries, [{ level: 'warn', fields: { err, txId: '42' } }], name)
  }
  const { find, entries } = await statusFrom(t, found, indexed())
  t.strictSame(await find('42'), RECORD, 'the index has no record')
  t.same(entries, [])
})

test('reads a refund’s hash from the REST API', async t => {
  const refunding = indexed({ ...INDEXED, txstatus: 'RefundStart' })
  const { find } = await statusFrom(t, (_q, r) => json(r, { transactionData: REFUNDED }), refunding)
  t.match(await find('42'), { txstatus: 'RefundCompleted', refundhash: '0xrefund' })

  const refunded = indexed({ ...INDEXED, txstatus: 'RefundCompleted' })
  const alone = await statusFrom(t, (_q, r) => r.destroy(), refunded)
  t.match(await alone.find('42'), { txstatus: 'RefundCompleted', refundhash: '' })
  const fields = { err: { message: /^chain API: / }, txId: '42' }
  t.match(alone.entries, [{ level: 'warn', fields }])

  const behind = await statusFrom(t, unknown, refunding)
  t.match(await behind.find('42'), { txstatus: 'RefundStart' }, 'the REST API has no record')
})

const REQUIRED = Object.keys(REST).filter(
  name => !/^(tss|failReason|pullFail|releaseFail|originAddress|acmeTxHash)/.test(name)
)
test('rejects a REST API record of another id, or without a required value', async t => {
  let record: object = { ...REST, index: '43' }
  const { find } = await statusFrom(t, (_q, r) => json(r, { transactionData: record }), indexed())
  const faulty = { statusCode: 502, message: /^chain API: / }
  await t.rejects(find('42'), faulty, 'another record does not mean that this one is unknown')
  t.equal(REQUIRED.length, 9)
  // Failures are cached, so each read uses a new id.
  for (const [at, name] of REQUIRED.entries()) {
    const id = String(100 + at)
    record = { ...REST, index: id, [name]: '' }
    await t.rejects(find(id), { ...faulty, message: /^chain API: a record has no \w+$/ }, name)
  }
})
