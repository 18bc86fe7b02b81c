import t, { test } from 'tap'
import { send } from '../faults/transfers.ts'
import { assertAnswersHold } from '../faults/verdict.ts'
import { replicaSite, untilReady } from './replicas.ts'
import { BOUND_MS, rounds, underLoad } from './under-load.ts'

t.setTimeout(3 * BOUND_MS)

test('replicas that start at once on an empty database share it, and one of them leads', async t => {
  const { network, start, leader } = await replicaSite(t)
  const replicas = await Promise.all([start(), start()])
  t.equal((await leader()).term, 1)
  await untilReady(replicas)
  const answers = new Map()
  for (const [index, { url }] of replicas.entries()) {
    const answer = await send(url, `fee-${index}`)
    t.equal(answer.status, 'committed')
    answers.set(`fee-${index}`, [answer])
  }
  await assertAnswersHold(t, network, replicas[0].url, answers)
})

test('the same quote that is sent to all replicas at once is one transaction', async t => {
  const { network, start } = await replicaSite(t)
  const replicas = await Promise.all([start(), start(), start()])
  await untilReady(replicas)
  const answers = new Map()
  for (let quote = 0; quote < 10; quote += 1) {
    const given = await Promise.all(replicas.map(({ url }) => send(url, `fee-${quote}`)))
    t.strictSame(given, [given[0], given[0], given[0]])
    answers.set(`fee-${quote}`, given)
  }
  await assertAnswersHold(t, network, replicas[0].url, answers)
})

test('an update of one replica after the other fails not one request', async t => {
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
