import { setTimeout as delay } from 'node:timers/promises'
import type { Load } from '../../faults/load.ts'
import { assertEventsHold } from '../../faults/verdict.ts'
import { type Test, test } from '../../helpers/tap.ts'
import { AWAY_WEBHOOK } from '../../helpers/webhook-receiver.ts'
import type { Random } from '../../simulation/random.ts'
import { replicaSite } from './replicas.ts'
import { rounds, type Site, underLoad } from './under-load.ts'

/** A leader under load is killed after at most MOST_ANSWERS responses, plus at most MOST_MS milliseconds. */
const MOST_ANSWERS = 60
const MOST_MS = 150

async function repeat(t: Test, fault: (site: Site, load: Load, random: Random) => Promise<void>) {
  const site = await replicaSite(t, AWAY_WEBHOOK)
  const { start, network, databaseUrl } = site
  await Promise.all([start(), start(), start()])
  await underLoad(t, site, async (load, random) => {
    for (let round = 1; round <= rounds; round += 1) await fault(site, load, random)
  })
  await assertEventsHold(t, network, { DATABASE_URL: databaseUrl })
}

test('kill -9 of the leader under load loses nothing and executes nothing twice', async t => {
  let killed = 0
  await repeat(t, async ({ start, stop, leader }, load, random) => {
    const { replica, term } = await leader(killed)
    await load.moreAnswers(random.int(1, MOST_ANSWERS))
    await delay(random.next() * MOST_MS)
    await stop(replica, 'SIGKILL')
    killed = term
    await start()
  })
})

test('a leader suspended until its lock expired writes and sends nothing afterwards', t =>
  repeat(t, async ({ door, leader }, load) => {
    const { replica, term } = await leader()
    door.close(replica.url)
    replica.kill('SIGSTOP')
    await leader(term)
    await load.moreAnswers(20)
    replica.kill('SIGCONT')
    door.open(replica.url)
    await load.moreAnswers(50)
  }))
