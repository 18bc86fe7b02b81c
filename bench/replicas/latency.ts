import { readFile } from 'node:fs/promises'
import { until } from '../../test/helpers/until.ts'
import type { Benchmark } from '../lab.ts'
import { type Answer, isCommitted, poolFor, runClients, submitTo } from '../load/clients.ts'
import { type BlockFacts, startNetwork } from '../processes/network.ts'
import { startDatabaseServer } from '../processes/postgres.ts'
import { createReplicas, findLeader } from '../processes/replicas.ts'
import type { Server } from '../processes/server.ts'
import type { Figure } from '../report/figures.ts'
import { percentile } from '../statistics.ts'

const NETWORK = { blockTimeMs: 250, maxBlockGas: 40_000_000 }
const SUBMISSIONS = 100
const SHORT_SUBMISSIONS = 5

/** When the leader had stored the results of each block, in milliseconds since the epoch of the clock. */
async function commitTimes({ logPath }: Server): Promise<Map<number, number>> {
  const log = await readFile(logPath, 'utf8')
  const lines = log.matchAll(/"time":(\d+).*"height":(\d+).*"msg":"slot resolved"/g)
  return new Map([...lines].map(([, time, height]) => [Number(height), Number(time)]))
}

const timesOf = (blocks: readonly BlockFacts[]) =>
  new Map(blocks.map(({ height, committedAt }) => [height, committedAt]))

/** How long after the leader's commit a client gets its answer from the leader, and from another replica. */
export const latency: Benchmark = async lab => {
  const database = await startDatabaseServer(lab)
  const network = await startNetwork(lab, NETWORK)
  lab.teardown(network.stop)
  const { running, start } = createReplicas(lab, network, await database.createDatabase())
  await Promise.all([start(), start()])
  const leader = await until(() => findLeader(running), 'a replica leads')
  const other = running.find(replica => replica !== leader) ?? leader
  const count = lab.isShort ? SHORT_SUBMISSIONS : SUBMISSIONS

  async function submissionsTo({ url }: Server): Promise<Answer[]> {
    const pool = poolFor(url, 1)
    const answers = await runClients(
      1,
      () => submitTo(pool),
      ({ length }) => length < count
    )
    await pool.close()
    return answers
  }

  // At the same time, so that both have the same machine.
  const [byLeader, byOther] = await Promise.all([submissionsTo(leader), submissionsTo(other)])
  const heights = [...byLeader, ...byOther].flatMap(({ height }) => height ?? [])
  const committed = await until(async () => {
    const times = await commitTimes(leader)
    return heights.every(height => times.has(height)) && times
  }, 'the log has every block')
  const blocks = timesOf(network.blocks)
  const after = (times: Map<number, number>, answers: Answer[]) =>
    answers
      .filter(isCommitted)
      .map(({ answeredAt, height = 0 }) => answeredAt - (times.get(height) ?? Number.NaN))
  const figure = (words: string, times: Map<number, number>, part: number): Figure => ({
    name: words,
    unit: 'ms',
    value: percentile(after(times, byOther), part),
    beside: [{ label: 'by the leader', value: percentile(after(times, byLeader), part) }]
  })
  return {
    name: 'latency',
    conditions:
      `one client at the leader and one at another replica, ${count} submissions each, one after the other; blocks of ` +
      `${NETWORK.blockTimeMs} ms`,
    figures: [
      { ...figure('answer after the leader’s commit, median', committed, 0.5), target: { atMost: 50 } },
      figure('answer after the leader’s commit, 99 of 100', committed, 0.99),
      figure('answer after the leader’s commit, longest', committed, 1),
      { ...figure('answer after its block, median', blocks, 0.5), target: { atMost: 50 } },
      figure('answer after its block, 99 of 100', blocks, 0.99),
      {
        name: 'failed',
        unit: '',
        value: [...byLeader, ...byOther].filter(answer => !isCommitted(answer)).length,
        target: { atMost: 0 }
      }
    ],
    notes: []
  }
}
