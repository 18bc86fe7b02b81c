import type { ServerResponse } from 'node:http'
import { build } from '../../helpers/app.ts'
import { stretchTimers } from '../../helpers/clock.ts'
import { json, type SeenRequest, serve } from '../../helpers/local-server.ts'
import { type Test, test } from '../../helpers/tap.ts'

const POLLS = 100

/** Builds the application with a separate chain API and index. */
async function withUpstreams(t: Test, answer: (request: SeenRequest, response: ServerResponse) => void) {
  const chainApi = await serve(t, answer)
  const index = await serve(t, (_request, response) => json(response, { data: { transaction_data: [] } }))
  const server = await build(t, {
    SERVICE_BACKEND_NODE_PROVIDER_QUERY: chainApi.url,
    SERVICE_BACKEND_NODE_PROVIDER_GRAPHQL: index.url
  })
  /** Number of requests for that id at each upstream. */
  const asked = (id: number) => ({
    chain: chainApi.seen.filter(({ url }) => url.endsWith(`/transaction_data/${id}`)).length,
    index: index.seen.filter(({ body }) => JSON.parse(body).variables.txId === String(id)).length
  })
  const poll = (id: number) => server.inject(`/tx/${id}/status`)
  return { poll, asked }
}

const RECORD = {
  status: 'Pulled',
  creator: 'service1creator',
  originChain: 'ETH',
  originSymbol: 'USDT',
  targetChain: 'POL',
  targetAddress: '0x02',
  targetSymbol: 'USDC',
  amount: '100.5'
}

const ANSWERS = {
  'a record': { status: 200, body: (id: string) => ({ transactionData: { ...RECORD, index: id } }) },
  'an unknown id': { status: 404, body: () => ({ code: 5, message: 'not found', details: [] }) },
  'a chain API that fails': { status: 502, body: () => ({ message: 'down' }) }
}

for (const [name, { status, body }] of Object.entries(ANSWERS)) {
  test(`100 simultaneous polls of ${name} cause one request to each upstream`, async t => {
    stretchTimers(t)
    const waiting: (() => void)[] = []
    const { poll, asked } = await withUpstreams(t, ({ url }, response) => {
      const id = url.slice(url.lastIndexOf('/') + 1)
      waiting.push(() => json(response, body(id), status))
      if (waiting.length === 2) for (const answer of waiting) answer()
    })
    // The chain API responds once it gets a request for a second id. All polls of the first id have arrived by then.
    const first = Array.from({ length: POLLS }, () => poll(1))
    const answers = await Promise.all([...first, poll(2)])
    for (const answer of answers) t.equal(answer.statusCode, status)
    t.same(asked(1), { chain: 1, index: 1 })
    t.same(asked(2), { chain: 1, index: 1 })
  })
}
