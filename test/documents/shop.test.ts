import { randomUUID } from 'node:crypto'
import Fastify, { type FastifyPluginAsync } from 'fastify'
import { Webhook } from 'standardwebhooks'
import { type Test, test } from '../helpers/tap.ts'

const paidTo = {
  targetChain: 'POL',
  targetSymbol: 'USDC',
  targetAddress: '0x8ba1f109551bD432803012645Ac136ddd64DBA72'
}
const webhookSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const signer = new Webhook(webhookSecret)

interface ShopOptions {
  paidTo: typeof paidTo
  webhookSecret: string
}

/** Starts the example shop with one quoted order, and a stub of the service that returns only quotes. */
async function startShop(t: Test) {
  const { default: shop }: { default: FastifyPluginAsync<ShopOptions> } = await import(
    new URL('../../docs/examples/shop/shop.mjs', import.meta.url).href
  )
  const server = Fastify()
  t.teardown(() => server.close())
  const feeId = randomUUID()
  server.get('/payments/submit/fees', async ({ query }) => ({ feeId, query }))
  server.register(shop, { paidTo, webhookSecret })

  const { orderId } = (await server.inject({ method: 'POST', url: '/orders', body: { price: 25 } })).json()
  const buyer = { originChain: 'ETH', originSymbol: 'USDT', originAddress: '0x1' }
  const quote = await server.inject({ method: 'POST', url: `/orders/${orderId}/quote`, body: buyer })
  const quoted = { ...buyer, ...paidTo, amount: '25' }
  t.match(quote.json(), { feeId, query: quoted }, 'the quote is for the order’s price and the shop’s address')

  const finished = (txstatus: string, change: object = {}) => ({
    type: 'transfer.finished',
    timestamp: new Date().toISOString(),
    data: {
      ...{ kind: 'transfer', submissionId: 'x', txId: 7, record: { txstatus } },
      request: { feeId, ...quoted, fee: '0.4', ...change }
    }
  })
  return {
    finished,
    order: async (body: object) => (await server.inject({ method: 'POST', url: '/orders', body })).statusCode,
    state: async () => (await server.inject(`/orders/${orderId}`)).json().state,
    async deliver(
      event: object,
      { id = `msg_${randomUUID()}`, at = new Date(), sent = JSON.stringify(event) } = {}
    ) {
      const signature = signer.sign(id, at, JSON.stringify(event))
      const seconds = String(Math.floor(at.getTime() / 1000))
      const { statusCode } = await server.inject({
        method: 'POST',
        url: '/webhooks',
        headers: {
          ...{ 'content-type': 'application/json', 'webhook-id': id },
          ...{ 'webhook-timestamp': seconds, 'webhook-signature': signature }
        },
        body: sent
      })
      return statusCode
    }
  }
}

test('the shop handles a repeated event only once', async t => {
  const { deliver, finished, state } = await startShop(t)
  t.equal(await deliver(finished('FailedToPull'), { id: 'msg_1' }), 204)
  t.equal(
    await deliver(finished('Completed'), { id: 'msg_1' }),
    204,
    'a repeated event gets the same response'
  )
  t.equal(await state(), 'open')
})

test('the shop rejects an event without a valid signature', async t => {
  const { deliver, finished, state } = await startShop(t)
  t.equal(await deliver(finished('FailedToPull'), { sent: JSON.stringify(finished('Completed')) }), 401)
  t.equal(await deliver(finished('Completed'), { at: new Date(Date.now() - 600_000) }), 401, 'too old')
  t.equal(await state(), 'open')
})

test('the shop does not accept a payment whose amount, token or address differs from the order', async t => {
  for (const change of [
    { amount: '24.5' },
    { targetSymbol: 'USDT' },
    { targetAddress: '0x2' },
    { amount: undefined }
  ]) {
    const { deliver, finished, state } = await startShop(t)
    await deliver(finished('Completed', change))
    t.equal(await state(), 'for a person to look at', JSON.stringify(change))
  }
  const { deliver, finished, state } = await startShop(t)
  await deliver(finished('Completed', { feeId: 'of another order' }))
  t.equal(await state(), 'open')
})
