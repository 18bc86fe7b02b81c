import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { OTHER_WALLET } from '../../packages/devnet/wallets.ts'
import { build, startNetwork } from '../helpers/app.ts'
import { advanceClock, stopClock } from '../helpers/clock.ts'
import { json, serve } from '../helpers/local-server.ts'
import { test } from '../helpers/tap.ts'
import { until } from '../helpers/until.ts'

/** Waits until the service is ready, because it might lag behind the chain at first. */
const ready = (server: FastifyInstance) =>
  until(async () => {
    const response = await server.inject('/ready')
    return response.statusCode === 200 && response
  }, 'the service is ready')

test('/ready passes while all dependencies respond', async t => {
  const server = await build(t)
  const response = await ready(server)
  t.match(response.json(), {
    ready: true,
    checks: {
      store: { ok: true },
      rpc: { ok: true, detail: /^height \d+, \d+ s old, 1 of 1 nodes healthy$/ },
      chainApi: { ok: true },
      signer: { ok: true },
      engine: { ok: true, detail: /^height \d+, 0 unsettled$/ }
    }
  })
})

test('/ready fails for a wallet that is not whitelisted, before any submission', async t => {
  const server = await build(t, { SERVICE_BACKEND_MNEMONIC: OTHER_WALLET })
  const response = await until(async () => {
    const response = await server.inject('/ready')
    return response.statusCode !== 200 && response
  }, 'the service is not ready')
  t.equal(response.statusCode, 503)
  t.match(response.json(), {
    ready: false,
    checks: { rpc: { ok: true }, signer: { ok: false, detail: 'wallet-not-whitelisted' } }
  })
})

test('/ready reports a dependency that does not respond, and /health still returns ok', async t => {
  const devnet = await startNetwork(t)
  const server = await build(t, { SERVICE_BACKEND_NODE_PROVIDER_QUERY: 'http://127.0.0.1:1' }, { devnet })
  const response = await server.inject('/ready')
  t.equal(response.statusCode, 503)
  t.match(response.json(), {
    ready: false,
    checks: { chainApi: { ok: false, detail: 'unavailable' }, rpc: { ok: true }, store: { ok: true } }
  })
  t.equal((await server.inject('/health')).body, 'ok')

  await devnet.close()
  const checks = await until(async () => {
    const { checks } = (await server.inject('/ready')).json()
    return !checks.rpc.ok && checks
  }, 'the node counts as unhealthy')
  t.match(checks, { rpc: { ok: false, detail: '0 of 1 nodes healthy' } })
})

test('/ready calls the chain API only once for many concurrent requests', async t => {
  stopClock(t)
  const devnet = await startNetwork(t)
  const held: ServerResponse[] = []
  const chainApi = await serve(t, (_request, response) => held.push(response))
  const server = await build(t, { SERVICE_BACKEND_NODE_PROVIDER_QUERY: chainApi.url }, { devnet })
  const answers = Array.from({ length: 300 }, () => server.inject('/ready'))
  await until(() => held.length > 0, 'the chain API is called')
  for (const response of held) json(response, {})
  t.ok((await Promise.all(answers)).every(answer => answer.json().checks.chainApi.ok))
  t.match((await server.inject('/ready')).json(), { checks: { chainApi: { ok: true } } })
  t.equal(chainApi.seen.length, 1)
})

test('/ready reports the number of healthy nodes while one node is frozen', async t => {
  const devnet = await startNetwork(t, { blockTimeMs: 50, control: true })
  const { rpc, laggingRpc = '' } = devnet.urls
  devnet.control.setLag(0)
  const server = await build(t, { SERVICE_BACKEND_NODE_PROVIDER: `${laggingRpc},${rpc}` }, { devnet })
  const detailOf = async () => (await server.inject('/ready')).json().checks.rpc.detail
  await until(async () => /2 of 2 nodes healthy/.test(await detailOf()), 'both nodes are healthy')
  devnet.control.setFrozen(true, 'lagging')
  await until(
    async () => /1 of 2 nodes healthy/.test(await detailOf()),
    'the frozen node counts as unhealthy'
  )
  t.match((await ready(server)).json(), { ready: true })
})

test('/ready fails while the chain is halted', async t => {
  const devnet = await startNetwork(t, { control: true })
  devnet.control.pause()
  advanceClock(60)
  const server = await build(t, {}, { devnet })
  const response = await server.inject('/ready')
  t.equal(response.statusCode, 503)
  t.match(response.json(), {
    checks: { rpc: { ok: false, detail: /^height \d+, \d{2,} s old, 1 of 1 nodes healthy$/ } }
  })
  devnet.control.resume()
  t.match(
    (await ready(server)).json(),
    { checks: { rpc: { ok: true } } },
    'passes once the chain makes blocks'
  )
})
