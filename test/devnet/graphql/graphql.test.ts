import { createIndexServer } from '../../../devnet/graphql/index.ts'
import { createLedger } from '../../../devnet/ledger.ts'
import { liquidityRecords } from '../../../devnet/modules/transfer/liquidity.ts'
import { type Test, test } from '../../helpers/tap.ts'
import { CREATOR, createBench } from '../modules/transfer/module-bench.ts'

/** An index over two transfers and a swap, one block behind. */
async function serve(t: Test, brand = 'service') {
  const bench = createBench()
  bench.transfer({})
  bench.swap({})
  bench.transfer({ amount: '7' })
  bench.endBlock()
  const ledger = createLedger({ height: 2 }, bench.module.records, liquidityRecords(CREATOR))
  const server = await createIndexServer(ledger, brand, 1, { host: '127.0.0.1', port: 0 })
  t.teardown(() => server.close())
  return async (body: unknown) => {
    const response = await fetch(server.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body)
    })
    t.equal(response.status, 200)
    return response.json()
  }
}

const BY_ID = `query Status($txId: String) {
  transaction_data(where: { tx_id: { _eq: $txId } }, limit: 1) { tx_id amount }
}`

test('records are found by their id as text', async t => {
  const ask = await serve(t)
  const find = (txId: unknown) => ask({ query: BY_ID, variables: { txId } })
  t.strictSame(await find('3'), { data: { transaction_data: [{ tx_id: 3, amount: '7' }] } })
  t.strictSame(await find('2'), { data: { transaction_data: [] } }, 'a swap')
  t.strictSame(await find('99'), { data: { transaction_data: [] } })
  t.strictSame(await find('three'), { data: { transaction_data: [] } })
})

test('without a filter all records are listed, up to the limit', async t => {
  const ask = await serve(t)
  t.strictSame(await ask({ query: '{ transaction_data { tx_id } swap_data { tx_id } }' }), {
    data: { transaction_data: [{ tx_id: 1 }, { tx_id: 3 }], swap_data: [{ tx_id: 2 }] }
  })
  t.strictSame(await ask({ query: '{ transaction_data(limit: 1) { tx_id } }' }), {
    data: { transaction_data: [{ tx_id: 1 }] }
  })
})

test('the hash carries the brand', async t => {
  const ask = await serve(t, 'acme')
  t.match(await ask({ query: '{ transaction_data(limit: 1) { acmehash } }' }), {
    data: { transaction_data: [{ acmehash: /^C{64}$/ }] }
  })
})

test('errors have the form of Hasura', async t => {
  const ask = await serve(t)
  const cases: [unknown, { message: RegExp; path: string; code: string }][] = [
    [
      { query: '{ none { tx_id } }' },
      { message: /none/, path: '$.selectionSet.none', code: 'validation-failed' }
    ],
    [
      { query: '{ transaction_data {' },
      { message: /not a valid/, path: '$.query', code: 'validation-failed' }
    ],
    [
      { query: BY_ID, variables: { txId: 3 } },
      { message: /txId/, path: '$', code: 'validation-failed' }
    ],
    [
      { query: BY_ID, variables: { txId: null } },
      { message: /null/, path: '$.selectionSet.transaction_data.args.where', code: 'validation-failed' }
    ],
    [
      { query: '{ transaction_data(limit: -1) { tx_id } }' },
      { message: /negative/, path: '$.selectionSet.transaction_data.args.limit', code: 'validation-failed' }
    ],
    [{}, { message: /'query'/, path: '$', code: 'parse-failed' }],
    ['{', { message: /JSON/, path: '$', code: 'invalid-json' }]
  ]
  for (const [body, { message, path, code }] of cases) {
    t.match(await ask(body), { errors: [{ message, extensions: { path, code } }] })
  }
})
