import { openPostgresStore } from '../../../services/submission/store/postgres/index.ts'
import { migrations } from '../../../services/submission/store/postgres/schema.ts'
import { decided, send } from '../../faults/transfers.ts'
import { testEnv } from '../../helpers/app.ts'
import { keepingLog } from '../../helpers/keeping-log.ts'
import { patientFetch, patientPost } from '../../helpers/patient-fetch.ts'
import { addressOf } from '../../helpers/postgres/index.ts'
import { proxyFor } from '../../helpers/postgres/proxy.ts'
import { spawnServer } from '../../helpers/server-process.ts'
import { test } from '../../helpers/tap.ts'
import { submitBody } from '../../helpers/transfer.ts'
import { until } from '../../helpers/until.ts'
import { replicaSite, untilReady } from './replicas.ts'

const next = [...migrations, 'CREATE TABLE added (column_of_it INTEGER)']

test('servers whose database was upgraded while they were disconnected reject requests and report why', async t => {
  const { network, postgres, databaseUrl, start } = await replicaSite(t)
  const proxy = await proxyFor(t, databaseUrl)
  const env = { DATABASE_URL: proxy.url }
  const replicas = [await start(env), await start(env), await start(env)]
  await untilReady(replicas)
  const url = replicas[0]?.url ?? ''
  const answer = await decided(url, await send(url, 'fee-before'))
  if (answer.status !== 'committed') throw new Error(`the transfer is ${answer.status}`)

  proxy.moveTo(1)
  const owner = network.addresses.development
  const { log } = keepingLog()
  const newer = await openPostgresStore({ address: addressOf(databaseUrl), owner, log, migrations: next })
  t.teardown(() => newer.close())
  proxy.moveTo(postgres.port)

  for (const { url, saw } of replicas) {
    await saw(/was written by a newer version \(schema \d+\).*stopped using the database/)
    const refused = await patientPost(`${url}/submit`, submitBody('fee-after'))
    t.equal(refused.headers.get('retry-after'), '5')
    t.match(await refused.json(), { statusCode: 503, code: 'INTAKE_CLOSED' })
    const unread = await patientFetch(`${url}/submissions/${answer.submissionId}`)
    t.match(await unread.json(), { statusCode: 503, code: 'STORE_UNAVAILABLE' })
    await until(async () => {
      const { checks } = JSON.parse(await (await fetch(`${url}/ready`)).text())
      return checks.store.ok === false
    }, '/ready reports that the store is unavailable')
  }
  t.equal(await newer.countUnsettled(), 0)
  t.match(await newer.find(answer.submissionId), { status: 'committed' }, 'the old servers changed nothing')

  const again = await spawnServer(t, testEnv(t, network, { DATABASE_URL: databaseUrl }))
  t.equal(await again.exited, 1)
  t.match(again.output, /was written by a newer version \(schema \d+\): start that version/)
})
