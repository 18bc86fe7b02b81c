import { send } from '../../faults/transfers.ts'
import { assertAnswersHold } from '../../faults/verdict.ts'
import { untilReady } from '../../helpers/app.ts'
import { test } from '../../helpers/tap.ts'
import { replicaSite } from './replicas.ts'
import { rounds, underLoad } from './under-load.ts'

test('replicas that start together on an empty database execute a quote only once', async t => {
  // Long enough for a submission to get its result on a busy machine.
  const { network, start, leader } = await replicaSite(t, { SERVICE_SUBMIT_TIMEOUT: '250000' })
  const replicas = await Promise.all([start(), start(), start()])
  t.equal((await leader()).term, 1)
  for (const { url } of replicas) await untilReady(url)
  const answers = new Map()
  for (let quote = 0; quote < 10; quote += 1) {
    const given = await Promise.all(replicas.map(({ url }) => send(url, `fee-${quote}`)))
    t.equal(given[0]?.status, 'committed')
    t.strictSame(given, [given[0], given[0], given[0]])
    answers.set(`fee-${quote}`, given)
  }
  await assertAnswersHold(t, network, replicas[0].url, answers)
})

test('no request fails during a rolling update', async t => {
  const site = await replicaSite(t)
  const { running, start, retire } = site
  await Promise.all([start(), start(), start()])
  const load = await underLoad(t, site, async load => {
    for (let update = 1; update <= 2 * rounds; update += 1) {
      await start()
      const [oldest] = running
      if (oldest) t.equal(await retire(oldest), 0)
      await load.moreAnswers(20)
    }
  })
  t.strictSame(load.failed, [])
})
