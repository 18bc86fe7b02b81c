import { randomInt } from 'node:crypto'
import type { Test } from 'tap'
import { type Load, startLoad } from '../../faults/load.ts'
import { assertAnswersHold } from '../../faults/verdict.ts'
import { createRandom, type Random } from '../../simulation/random.ts'
import type { replicaSite } from './replicas.ts'

export const rounds = Number(process.env['ROUNDS']) || 3
const seed = Number(process.env['SEED']) || randomInt(2 ** 31)

export type Site = Awaited<ReturnType<typeof replicaSite>>

export async function underLoad(
  t: Test,
  site: Site,
  faults: (load: Load, random: Random) => Promise<void>
): Promise<Load> {
  t.comment(`SEED=${seed} ROUNDS=${rounds}`)
  const load = startLoad(site.door, seed)
  await load.moreAnswers(20)
  await faults(load, createRandom(seed, 'faults'))
  await load.moreAnswers(50)
  await load.finish()
  t.comment(`${load.answers.size} transfers, ${load.failed.length} failed requests`)
  const [survivor] = site.running
  await assertAnswersHold(t, site.network, survivor?.url ?? '', load.answers)
  return load
}
