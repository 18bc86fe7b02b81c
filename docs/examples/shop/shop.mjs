import { randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'

/** As the service writes amounts, so that the amount of a payment can be compared with it: '25' or '25.5', not '25.50'. */
const price = { type: 'string', pattern: '^(0|[1-9][0-9]*)(\\.[0-9]*[1-9])?$' }
const text = { type: 'string' }

const orderSchema = { body: { type: 'object', required: ['price'], properties: { price } } }
const quoteSchema = {
  body: {
    type: 'object',
    required: ['originChain', 'originSymbol', 'originAddress'],
    properties: { originChain: text, originSymbol: text, originAddress: text }
  }
}

/**
 * The orders of a shop whose buyers pay through the service under `/payments`. Orders are in memory, to keep the example
 * short: a shop has them in its database, with the ids of the webhooks that it has handled.
 * @param options.paidTo `targetChain`, `targetSymbol` and `targetAddress` of the shop
 * @param options.webhookSecret the SERVICE_WEBHOOK_SECRET of the service
 */
export default async function shop(app, { paidTo, webhookSecret }) {
  const orders = new Map()
  const orderOf = new Map() // by the feeId of each quote
  const handled = new Set() // ids of webhooks
  const webhook = new Webhook(webhookSecret)

  app.post('/orders', { schema: orderSchema }, async ({ body: { price } }, reply) => {
    const order = { orderId: randomUUID(), price, state: 'open' }
    orders.set(order.orderId, order)
    return reply.code(201).send(order)
  })

  app.get('/orders/:orderId', async ({ params: { orderId } }, reply) => {
    return orders.get(orderId) ?? reply.code(404).send({ message: 'There is no such order' })
  })

  // The shop asks for the quote, not the page: so it knows which order each feeId belongs to. The page lets the buyer sign,
  // and submits to /payments/submit/transfer.
  app.post('/orders/:orderId/quote', { schema: quoteSchema }, async ({ params, body, ip }, reply) => {
    const order = orders.get(params.orderId)
    if (order?.state !== 'open') return reply.code(409).send({ message: 'This order cannot be paid' })
    const { originChain, originSymbol, originAddress } = body
    const query = { originChain, originSymbol, originAddress, ...paidTo, amount: order.price }
    const quote = await app.inject({ url: '/payments/submit/fees', query, remoteAddress: ip })
    if (quote.statusCode === 200) orderOf.set(quote.json().feeId, order)
    return reply.code(quote.statusCode).type('application/json').send(quote.body)
  })

  app.register(async receiver => {
    // The signature is over the body as it came.
    receiver.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) =>
      done(null, body)
    )
    receiver.post('/webhooks', async ({ headers, body }, reply) => {
      let event
      try {
        event = webhook.verify(body, headers)
      } catch {
        return reply
          .code(401)
          .header('www-authenticate', 'Webhook-Signature')
          .send({ message: 'The signature is wrong or too old' })
      }
      // The same event may come several times. In a database, both lines are one transaction.
      const id = headers['webhook-id']
      if (!handled.has(id)) settle(event)
      handled.add(id)
      return reply.code(204).send()
    })
  })

  function settle({ type, data }) {
    const order = type === 'transfer.finished' ? orderOf.get(data.request.feeId) : undefined
    if (order?.state !== 'open') return
    // Not `Completed`: the money did not arrive, and the order can be paid again.
    if (data.record.txstatus !== 'Completed') return
    order.state = isFor(order, data.request) ? 'paid' : 'for a person to look at'
    order.txId = data.txId
  }

  /** Whether what arrived is the price in the shop's token. Amounts are decimal texts of whole tokens; a swap has none. */
  function isFor({ price }, request) {
    const isOurs = Object.entries(paidTo).every(([field, value]) => request[field] === value)
    return isOurs && request.amount === price
  }
}
