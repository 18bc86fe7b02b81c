import { setTimeout as delay } from 'node:timers/promises'
import { test } from '../../helpers/tap.ts'
import { repeatUnderLoad } from './replicas.ts'

/** A leader under load is killed after at most MOST_ANSWERS responses, plus at most MOST_MS milliseconds. */
const MOST_ANSWERS = 60
const MOST_MS = 150

test('kill -9 of the leader under load loses nothing and executes nothing twice', async t => {
  let killed = 0
  await repeatUnderLoad(t, async ({ start, stop, leader }, { moreAnswers, random }) => {
    const { replica, term } = await leader(killed)
    await moreAnswers(random.int(1, MOST_ANSWERS))
    await delay(random.next() * MOST_MS)
    await stop(replica, 'SIGKILL')
    killed = term
    await start()
  })
})

test('a leader suspended until its lock expired writes and sends nothing afterwards', t =>
  repeatUnderLoad(t, async ({ leader }, { door, moreAnswers }) => {
    const { replica, term } = await leader()
    door.close(replica.url)
    replica.kill('SIGSTOP')
    await leader(term)
    await moreAnswers(20)
    replica.kill('SIGCONT')
    door.open(replica.url)
    await moreAnswers(50)
  }))
