import { test } from '../../helpers/tap.ts'
import { replicaSite } from './replicas.ts'
import { rounds, underLoad } from './under-load.ts'

for (const [signal, what] of [
  ['SIGINT', 'restarted'],
  ['SIGKILL', 'killed']
] as const) {
  test(`replicas lose no submission when the database is ${what} under load`, async t => {
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
