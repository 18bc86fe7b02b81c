import type { Readiness } from '../../../schemas/readiness.ts'
import { startFaultProxy } from '../../faults/fault-proxy.ts'
import { runSql } from '../../helpers/postgres/index.ts'
import { proxyFor } from '../../helpers/postgres/proxy.ts'
import { startStandby } from '../../helpers/postgres/standby.ts'
import { test } from '../../helpers/tap.ts'
import { until } from '../../helpers/until.ts'
import { replicaSite } from './replicas.ts'
import { rounds, underLoad } from './under-load.ts'

async function readiness(url: string): Promise<Readiness> {
  const response = await fetch(`${url}/ready`)
  return (await response.json()) as Readiness
}

for (const [signal, what] of [
  ['SIGINT', 'restarted'],
  ['SIGKILL', 'killed']
] as const) {
  test(`no submission is lost when the database is ${what} under load, and the replicas continue`, async t => {
    const site = await replicaSite(t)
    const { start, postgres } = site
    await Promise.all([start(), start(), start()])
    await underLoad(t, site, async (load, random) => {
      for (let round = 1; round <= rounds; round += 1) {
        await load.moreAnswers(random.int(1, 60))
        await postgres.stop(signal)
        await postgres.start()
        await load.moreAnswers(30)
      }
    })
  })
}

test('a standby that replaces a killed database has every accepted submission', async t => {
  const site = await replicaSite(t)
  const { start, postgres, databaseUrl } = site
  const standby = await startStandby(t, postgres)
  const proxy = await proxyFor(t, databaseUrl)
  const env = { DATABASE_URL: proxy.url }
  await Promise.all([start(env), start(env), start(env)])
  await underLoad(t, site, async load => {
    await load.moreAnswers(50)
    await postgres.stop('SIGKILL')
    const standbyUrl = new URL(databaseUrl)
    standbyUrl.port = String(standby.port)
    await runSql(standbyUrl.href, 'SELECT pg_promote()')
    proxy.moveTo(standby.port)
    await load.moreAnswers(50)
  })
})

test('a leader that loses its database connection is replaced, and recovers once reconnected', async t => {
  const site = await replicaSite(t)
  const { door, start, leader, databaseUrl } = site
  const proxy = await proxyFor(t, databaseUrl)
  const lonely = await start({ DATABASE_URL: proxy.url })
  const { term } = await leader()
  await Promise.all([start(), start()])
  await underLoad(t, site, async load => {
    door.close(lonely.url)
    proxy.silence(true)
    await leader(term)
    await load.moreAnswers(50)
    await until(
      async () => (await readiness(lonely.url)).checks.store.ok === false,
      '/ready reports that the store is unavailable'
    )
    proxy.silence(false)
    await until(async () => (await readiness(lonely.url)).ready, 'the replica is ready')
    door.open(lonely.url)
  })
})

test('a leader that loses its connection to the chain is replaced, but still serves its clients', async t => {
  const site = await replicaSite(t)
  const { network, start, leader } = site
  const proxy = await startFaultProxy(t, network.urls.rpc)
  await start({ SERVICE_BACKEND_NODE_PROVIDER: proxy.url })
  const { term } = await leader()
  await Promise.all([start(), start()])
  await underLoad(t, site, async load => {
    await proxy.goDown()
    await leader(term)
    await load.moreAnswers(50)
    await proxy.comeBack()
  })
})
