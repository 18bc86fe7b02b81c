import type { FastifyInstance } from 'fastify'
import { build } from '../../helpers/app.ts'
import { json, serve } from '../../helpers/local-server.ts'
import { submit, swapBody, transferBody } from '../../helpers/transfer-flow.ts'
import { until } from '../../helpers/until.ts'
import { testEachBuild } from '../harness/builds.ts'
import { startServiceNetwork } from './service-network.ts'

/** Paths that the real chain serves. The development network serves the rest. */
const RECORDS = /\/(transaction_data|swap_data)\//

const STATES = ['Available', 'Pull_Confirmed', 'Pulled', 'Paid', 'Completed']

/** Waits until a transaction is completed and returns its record. Asserts that its states occur in order. */
async function completed(server: FastifyInstance, url: string, list: string) {
  const states: string[] = []
  const record = await until(async () => {
    const [latest] = (await server.inject({ url })).json().data[list]
    states.push(latest.txstatus)
    return latest.txstatus === 'Completed' && latest
  }, `${url} is completed`)
  const order = states.map(state => STATES.indexOf(state))
  return { record, inOrder: order.every((place, index) => place >= (order[index - 1] ?? 0)) }
}

testEachBuild("reads the states of transfers and swaps from the chain's own records", async (t, sdk) => {
  const { chain, services } = await startServiceNetwork(t, { sdk })
  const chainApi = await serve(t, async (request, response) => {
    const base = RECORDS.test(request.url) ? chain.urls.rest : services.urls.rest
    const answer = await fetch(`${base}${request.url}`)
    json(response, await answer.json(), answer.status)
  })
  const nodes = {
    SERVICE_BACKEND_NODE_PROVIDER: chain.urls.rpc,
    SERVICE_BACKEND_NODE_PROVIDER_QUERY: chainApi.url,
    SERVICE_BACKEND_FEE_URL: services.urls.rest,
    // The index contains only the development network's transactions.
    SERVICE_BACKEND_NODE_PROVIDER_GRAPHQL: ''
  }
  const server = await build(t, nodes, { devnet: services })

  const transfer = (await submit(server, await transferBody(server))).json()
  const swap = (await submit(server, swapBody(), { path: '/submit/swap' })).json()

  const ofTransfer = await completed(server, `/tx/${transfer.txId}/status`, 'transaction_data')
  t.ok(ofTransfer.inOrder)
  t.match(ofTransfer.record, { tx_id: transfer.txId, servicehash: transfer.transactionHash })
  const ofSwap = await completed(server, `/swap_tx/${swap.txId}/status`, 'swap_data')
  t.ok(ofSwap.inOrder)
  t.match(ofSwap.record, { tx_id: swap.txId, servicehash: swap.transactionHash, amountIn: '100.5' })
  t.equal((await server.inject({ url: '/tx/999999/status' })).statusCode, 404)
})
