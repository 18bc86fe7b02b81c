import { setTimeout as delay } from 'node:timers/promises'
import { LOCKS } from '../../../services/submission/store/postgres/connection.ts'
import { assertEventsHold, WEBHOOK } from '../../faults/events.ts'
import { runSql } from '../../helpers/postgres/index.ts'
import { test } from '../../helpers/tap.ts'
import { replicaSite } from './replicas.ts'
import { rounds, underLoad } from './under-load.ts'

/** A leader under load is killed after at most MOST_ANSWERS responses, plus at most MOST_MS milliseconds. */
const MOST_ANSWERS = 60
const MOST_MS = 150

test('repeated kill -9 of the leader under load loses nothing and executes nothing twice', async t => {
  const site = await replicaSite(t, { env: WEBHOOK })
  const { start, stop, leader } = site
  await Promise.all([start(), start(), start()])
  let killed = 0
  await underLoad(t, site, async (load, random) => {
    for (let round = 1; round <= rounds; round += 1) {
      const { replica, term } = await leader(killed)
      await load.moreAnswers(random.int(1, MOST_ANSWERS))
      await delay(random.next() * MOST_MS)
      await stop(replica, 'SIGKILL')
      killed = term
      await start()
    }
  })
  await assertEventsHold(t, site.network, { DATABASE_URL: site.databaseUrl })
})

test('a leader that was suspended until its lock expired writes and sends nothing when it resumes', async t => {
  const site = await replicaSite(t, { env: WEBHOOK })
  const { door, start, leader } = site
  await Promise.all([start(), start(), start()])
  await underLoad(t, site, async load => {
    for (let round = 1; round <= rounds; round += 1) {
      const { replica, term } = await leader()
      door.close(replica.url)
      replica.kill('SIGSTOP')
      await leader(term)
      await load.moreAnswers(20)
      replica.kill('SIGCONT')
      door.open(replica.url)
      await load.moreAnswers(50)
    }
  })
  await assertEventsHold(t, site.network, { DATABASE_URL: site.databaseUrl })
})

const END_LOCK = `SELECT pg_terminate_backend(pid) FROM pg_locks
  WHERE locktype = 'advisory' AND granted AND classid = ${LOCKS.lead}`

test('a new term begins when the database ends the session that holds the lock', async t => {
  const site = await replicaSite(t, { env: WEBHOOK })
  const { start, leader, databaseUrl } = site
  await Promise.all([start(), start(), start()])
  await underLoad(t, site, async (load, random) => {
    for (let round = 1; round <= rounds; round += 1) {
      const { term } = await leader()
      await load.moreAnswers(random.int(1, MOST_ANSWERS))
      await runSql(databaseUrl, END_LOCK)
      await leader(term)
    }
  })
  await assertEventsHold(t, site.network, { DATABASE_URL: site.databaseUrl })
})
