import type { Benchmark } from '../lab.ts'
import { startNetwork } from '../processes/network.ts'
import { startServer } from '../processes/server.ts'
import { comparison } from '../report/chart/compare.ts'
import type { Figure } from '../report/figures.ts'
import { answerOf } from './answers.ts'
import { CONDITIONS, compare, ratesOf } from './compare.ts'
import { startBare, startSubject } from './subjects.ts'

const NETWORK = { blockTimeMs: 1000, maxBlockGas: 40_000_000 }

const FROM_CACHE = { bare: 0.7, logging: 0.9 }
const TARGETS = {
  '/health': { bare: 0.6, logging: 0.85 },
  '/chains': FROM_CACHE,
  '/chains/pool': FROM_CACHE,
  '/chains/env': FROM_CACHE
}

/** How many answers from memory the server sends, compared with a bare Fastify that sends the same bytes. */
export const cached: Benchmark = async lab => {
  const { teardown, isShort } = lab
  const network = await startNetwork(lab, NETWORK)
  teardown(network.stop)
  const own = await startServer(network, { ...lab, env: { LOG_LEVEL: 'info' } })
  teardown(own.stop)
  const answers = await Promise.all(Object.keys(TARGETS).map(path => answerOf(own.url, path)))
  const { file, ...bare } = await startBare(lab, answers)
  const subjects = { own, ...bare, express: await startSubject(lab, 'express', file) }
  const figures: Figure[] = []
  for (const [name, targets] of Object.entries(TARGETS)) {
    figures.push(...(await compare(subjects, { name, isShort }, targets)))
  }
  const { rss } = await own.usage({ collect: true })
  figures.push({ name: 'memory after load', unit: 'MB', value: rss / 1e6, target: { atMost: 130 } })
  return {
    name: 'cached',
    conditions: CONDITIONS,
    figures,
    charts: [comparison('rates', 'Answers from memory per second', ratesOf(figures))],
    notes: [
      'Bare is a Fastify without plugins that sends the same headers and bodies; Express 4 sends them with `res.json`.'
    ]
  }
}
