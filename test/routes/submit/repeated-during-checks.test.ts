import type { ServerResponse } from 'node:http'
import fp from 'fastify-plugin'
import { build, startNetwork } from '../../helpers/app.ts'
import { advanceClock } from '../../helpers/clock.ts'
import { messagesOn } from '../../helpers/devnet/chain-messages.ts'
import { json, serve } from '../../helpers/local-server.ts'
import { startPostgres } from '../../helpers/postgres/index.ts'
import { type Test, test } from '../../helpers/tap.ts'
import { TRANSFER, transferBody } from '../../helpers/transfer-flow.ts'
import { until } from '../../helpers/until.ts'

/** The time of the database, which `advanceClock` does not change. */
const realTime = () => performance.timeOrigin + performance.now()

/** How long a quote of the fee service holds in the test with two servers. */
const LIFETIME_MS = 2000

const unknown = { statusCode: 400, code: 'QUOTE_UNKNOWN' }

/** A compliance provider that answers when the test says so. */
async function lateProvider(t: Test) {
  const waiting: ServerResponse[] = []
  const { url, seen } = await serve(t, (_request, response) => waiting.push(response))
  return {
    url,
    /** Resolves when that many checks have begun. */
    asked: (count: number) => until(() => seen.length >= count, `${count} checks have begun`),
    /** Answers the oldest check that waits. */
    answer(risk_score: 'low' | 'high') {
      const response = waiting.shift()
      if (response === undefined) throw new Error('no check waits')
      const addresses = [TRANSFER.originAddress, TRANSFER.targetAddress]
      json(
        response,
        addresses.map(address => ({ address, risk_score }))
      )
    },
    get checks() {
      return seen.length
    }
  }
}

/** A server that listens, requires quotes, and counts the submissions that came. */
async function listening(
  t: Test,
  compliance: { url: string },
  devnet: Awaited<ReturnType<typeof startNetwork>>,
  settings = {}
) {
  let came = 0
  const counting = fp(async app => {
    app.addHook('preHandler', async ({ method }) => {
      if (method === 'POST') came += 1
    })
  })
  const server = await build(
    t,
    { SERVICE_QUOTE_CHECK: 'required', COMPLIANCE_URL: compliance.url, ...settings },
    { devnet, hooks: counting }
  )
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  return {
    server,
    came: (count: number) => until(() => came >= count, `${count} submissions came`),
    async submit(body: object, signal?: AbortSignal) {
      const response = await fetch(`${url}/submit`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        ...(signal && { signal })
      })
      return { status: response.status, body: await response.json() }
    }
  }
}

/** A first attempt whose client has left, and a retry of it, which both arrived while the provider did not answer. */
async function repeated(t: Test) {
  const devnet = await startNetwork(t)
  const provider = await lateProvider(t)
  const { server, came, submit } = await listening(t, provider, devnet)
  const body = await transferBody(server)
  const client = new AbortController()
  const first = t.rejects(submit(body, client.signal), { name: 'AbortError' })
  await provider.asked(1)
  client.abort()
  await first
  const retry = submit(body)
  await came(2)
  return { devnet, provider, server, submit, body, retry }
}

test('a retry that arrives during the checks of an earlier attempt joins it', async t => {
  const { devnet, provider, submit, body, retry } = await repeated(t)
  provider.answer('low')
  const answer = await retry
  t.match(answer, { status: 200, body: { txId: 1 } })
  t.same(await submit(body), answer)
  t.equal(provider.checks, 1, 'what is accepted is not checked again')
  t.equal(messagesOn(devnet).transfers.length, 1)
})

test('a retry of an attempt that was refused is checked itself', async t => {
  const { devnet, provider, retry } = await repeated(t)
  provider.answer('high')
  await provider.asked(2)
  provider.answer('low')
  t.match(await retry, { status: 200, body: { txId: 1 } })
  t.equal(messagesOn(devnet).transfers.length, 1)
})

test('other submissions do not wait for the checks of one', async t => {
  const { provider, server, submit, retry } = await repeated(t)
  const other = submit(await transferBody(server))
  await provider.asked(2)
  provider.answer('low')
  provider.answer('low')
  t.match([await retry, await other], [{ status: 200 }, { status: 200 }])
})

test('a quote that expires during the checks refuses every attempt', async t => {
  const { devnet, provider, server, submit, body, retry } = await repeated(t)
  advanceClock(601)
  provider.answer('low')
  t.match((await retry).body, unknown)
  t.match((await submit(body)).body, unknown)
  const another = submit(await transferBody(server))
  await provider.asked(2)
  provider.answer('low')
  t.match(await another, { body: { txId: 1 } }, 'the new quote is the only one that was executed')
  t.equal(messagesOn(devnet).transfers.length, 1)
})

test('once one server has refused an expired quote, no other server accepts it', async t => {
  const devnet = await startNetwork(t)
  const provider = await lateProvider(t)
  const { createDatabase } = await startPostgres(t)
  const quotes = await serve(t, async (request, response) => {
    const { method, url, headers, body } = request
    const { SERVICE_BACKEND_NODE_PROVIDER_QUERY: chainApi } = devnet.env()
    const contentType = String(headers['content-type'])
    const answer = await fetch(`${chainApi}${url}`, {
      method,
      headers: { 'content-type': contentType },
      body
    })
    json(response, {
      ...Object(await answer.json()),
      expiration: new Date(realTime() + LIFETIME_MS).toISOString()
    })
  })
  const settings = { DATABASE_URL: await createDatabase(), SERVICE_BACKEND_FEE_URL: quotes.url }
  const one = await listening(t, provider, devnet, settings)
  const other = await listening(t, provider, devnet, settings)
  const body = await transferBody(one.server)
  const first = one.submit(body)
  await provider.asked(1)
  const expired = realTime() + LIFETIME_MS
  await until(() => realTime() > expired, 'the quote has expired')
  t.match((await other.submit(body)).body, unknown)
  provider.answer('low')
  t.match((await first).body, unknown)
  t.equal(messagesOn(devnet).transfers.length, 0)
})
