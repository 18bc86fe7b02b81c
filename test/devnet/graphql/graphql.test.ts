import { startDevnet } from '../../../packages/devnet/index.ts'
import { sign, swap, transfer } from '../../helpers/devnet/transactions.ts'
import { type Test, test } from '../../helpers/tap.ts'

/** An index over two transfers and a swap. */
async function serve(t: Test) {
  const devnet = await startDevnet({ indexLagBlocks: 0 })
  t.teardown(() => devnet.close())
  devnet.chain.pause()
  const { development } = devnet.addresses
  const messages = [transfer(development), swap(development), transfer(development, { amount: '7' })]
  devnet.chain.submitTx(await sign(devnet, messages))
  devnet.chain.produceBlock()
  return async (body: unknown) => {
    const response = await fetch(devnet.urls.graphql, {
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
  for (const txId of ['2', '99', 'three']) {
    t.strictSame(await find(txId), { data: { transaction_data: [] } }, txId)
  }
})

test('errors have the form of Hasura', async t => {
  const ask = await serve(t)
  const cases: [unknown, message: RegExp, code: string][] = [
    [{ query: '{ none { tx_id } }' }, /none/, 'validation-failed'],
    [{ query: '{ transaction_data {' }, /Syntax Error/, 'validation-failed'],
    [{ query: BY_ID, variables: { txId: 3 } }, /txId/, 'validation-failed'],
    [{}, /query/, 'parse-failed'],
    ['{', /JSON/, 'parse-failed']
  ]
  for (const [body, message, code] of cases) {
    t.match(await ask(body), { errors: [{ message, extensions: { path: '$', code } }] })
  }
})
