import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import t, { test } from 'tap'
import { startLoad } from '../faults/load.ts'
import { assertAnswersHold } from '../faults/verdict.ts'
import { createRandom } from '../simulation/random.ts'
import { replicaSite } from './replicas.ts'

const rounds = Number(process.env['ROUNDS']) || 5
const seed = Number(process.env['SEED']) || randomInt(2 ** 31)

/** A leader under load lives for up to this many answers, then for up to this long. */
const MOST_ANSWERS = 60
const MOST_MS = 150

t.setTimeout(120_000 + rounds * 20_000)

test('kill -9 of the leader under load, many times, loses nothing and repeats nothing', async t => {
  t.comment(`SEED=${seed} ROUNDS=${rounds}`)
  const { network, door, start, stop, leader } = await replicaSite(t)
  await Promise.all([start(), start(), start()])
  const random = createRandom(seed, 'kills')
  const load = startLoad(door, seed)
  let killed = 0
  for (let round = 1; round <= rounds; round += 1) {
    const { replica, term } = await leader(killed)
    await load.moreAnswers(random.int(1, MOST_ANSWERS))
    await delay(random.next() * MOST_MS)
    await stop(replica, 'SIGKILL')
    killed = term
    await start()
  }
  const { replica } = await leader(killed)
  await load.finish()
  t.comment(`${load.answers.size} transfers, ${load.failed} failed requests`)
  await assertAnswersHold(t, network, replica.url, load.answers)
})
