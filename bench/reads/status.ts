import type { Benchmark } from '../lab.ts'
import { poolFor, submitTo } from '../load/clients.ts'
import { startNetwork } from '../processes/network.ts'
import { startServer } from '../processes/server.ts'
import { comparison } from '../report/chart/compare.ts'
import { answerOf } from './answers.ts'
import { CONDITIONS, compare, ratesOf } from './compare.ts'
import { startBare } from './subjects.ts'

const NETWORK = { blockTimeMs: 1000, maxBlockGas: 40_000_000 }

/** How many polls of one transfer the server answers, compared with a bare Fastify that sends the same bytes. */
export const status: Benchmark = async lab => {
  const { teardown, isShort } = lab
  const network = await startNetwork(lab, NETWORK)
  teardown(network.stop)
  const own = await startServer(network, { ...lab, env: { LOG_LEVEL: 'info' } })
  teardown(own.stop)
  const pool = poolFor(own.url, 1)
  const { txId } = await submitTo(pool)
  await pool.close()
  const path = `/tx/${txId}/status`
  const { bare, logging } = await startBare(lab, [await answerOf(own.url, path)])
  const figures = await compare({ own, bare, logging }, { name: 'status', path, isShort }, { bare: 0.5 })
  return {
    name: 'status',
    conditions: `${CONDITIONS}; the index is asked once a second`,
    figures,
    charts: [comparison('status', 'Polls of a status per second', ratesOf(figures))],
    notes: ['Bare is a Fastify without plugins that sends the same headers and bodies.']
  }
}
