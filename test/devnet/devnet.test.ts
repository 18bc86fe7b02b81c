import { type Devnet, startDevnet } from '../../packages/devnet/index.ts'
import { type Test, test } from '../helpers/tap.ts'
import { sign, transfer } from './transactions.ts'

const API = '/service-finance/service-blockchain'

/** Starts a network whose blocks the test produces. */
async function start(t: Test): Promise<Devnet> {
  const devnet = await startDevnet()
  t.teardown(() => devnet.close())
  devnet.chain.pause()
  return devnet
}

async function rest(devnet: Devnet, path: string) {
  const response = await fetch(devnet.urls.rest + API + path)
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

async function index(devnet: Devnet, field: string, selection: string, txId: string): Promise<unknown> {
  const query = `query Status($txId: String) { ${field}(where: { tx_id: { _eq: $txId } }, limit: 1) { ${selection} } }`
  const response = await fetch(devnet.urls.graphql, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables: { txId } })
  })
  return response.json()
}

test('a signed transfer progresses to Completed block by block, in the REST API and in the index', async t => {
  const devnet = await start(t)
  const bytes = await sign(devnet, [transfer(devnet.addresses.development)])
  t.match(devnet.chain.submitTx(bytes), { code: 0 })
  const [tx] = devnet.chain.produceBlock().txs
  t.match(tx?.result, { code: 0 })

  const seen: unknown[] = []
  for (let block = 0; block < 6; block++) {
    const { body } = await rest(devnet, '/transaction/transaction_data/1')
    const answer = await index(devnet, 'transaction_data', 'txstatus', '1')
    seen.push(
      [body['transactionData'], answer].map(value => JSON.stringify(value).match(/tatus":"(\w+)/)?.[1])
    )
    devnet.chain.produceBlock()
  }
  t.strictSame(seen, [
    ['Available', undefined],
    ['Pull_Confirmed', 'Available'],
    ['Pulled', 'Pull_Confirmed'],
    ['Paid', 'Pulled'],
    ['Completed', 'Paid'],
    ['Completed', 'Completed']
  ])

  t.match(await rest(devnet, '/transaction/transaction_data/1'), {
    status: 200,
    body: {
      transactionData: {
        index: '1',
        creator: devnet.addresses.development,
        originChain: 'ETH',
        targetSymbol: 'USDC',
        amount: '100.5',
        status: 'Completed',
        tssPullHash: /^0x[0-9a-f]{64}$/,
        tssReleaseHash: /^0x[0-9a-f]{64}$/,
        tssRefundHash: '',
        serviceTxHash: tx?.hash,
        failReason: '',
        pullFailCount: '0',
        releaseFailCount: '0'
      }
    }
  })
  const fields = 'failreason pullfailcount pullhash releasefailcount releasehash amount creator originaddress'
  const more = 'originchain originsymbol targetsymbol targetaddress targetchain tx_id servicehash'
  t.match(await index(devnet, 'transaction_data', `${fields} ${more}`, '1'), {
    data: {
      transaction_data: [
        {
          failreason: '',
          pullfailcount: 0,
          pullhash: /^0x/,
          amount: '100.5',
          tx_id: 1,
          servicehash: tx?.hash
        }
      ]
    }
  })
})

test('formats REST errors as the gRPC gateway does', async t => {
  const devnet = await start(t)
  const cases: [path: string, status: number, code: number][] = [
    ['/transaction/transaction_data/1', 404, 5],
    ['/transaction/transaction_data/x', 400, 3],
    ['/none', 501, 12]
  ]
  for (const [path, status, code] of cases) {
    t.match(await rest(devnet, path), { status, body: { code, message: /./, details: [] } })
  }
})

test('serves fee quotes on the REST port too', async t => {
  const devnet = await start(t)
  for (const version of ['v2', 'v3']) {
    const fees = await fetch(`${devnet.urls.rest}/${version}/fees/calculate`, { method: 'POST' })
    t.equal(fees.status, 400, version)
  }
})
