import { send } from '../../faults/transfers.ts'
import { assertAnswersHold } from '../../faults/verdict.ts'
import { untilReady } from '../../helpers/app.ts'
import { test } from '../../helpers/tap.ts'
import { repeatUnderLoad, replicaSite } from './replicas.ts'

test('replicas that start together on an empty database execute a quote only once', async t => {
  // Long enough for a submission to get its result on a busy machine.
  const { network, running, leader } = await replicaSite(t, { SERVICE_SUBMIT_TIMEOUT: '250000' })
  t.equal((await leader()).term, 1)
  for (const { url } of running) await untilReady(url)
  const answers = new Map()
  for (let quote = 0; quote < 10; quote += 1) {
    const given = await Promise.all(running.map(({ url }) => send(url, `fee-${quote}`)))
    t.equal(given[0]?.status, 'committed')
    t.strictSame(given, [given[0], given[0], given[0]])
    answers.set(`fee-${quote}`, given)
  }
  await assertAnswersHold(t, network, running[0]?.url ?? '', answers)
})

test('no request fails during a rolling update', async t => {
  const { failed } = await repeatUnderLoad(t, async ({ running, start, retire }, load) => {
    for (const oldest of running.slice(0, 2)) {
      await start()
      t.equal(await retire(oldest), 0)
      await load.moreAnswers(20)
    }
  })
  t.strictSame(failed, [])
})
