import { setTimeout as delay } from 'node:timers/promises'
import { startWire, type Traffic, type Wire } from '../../test/helpers/postgres/wire.ts'
import type { Benchmark } from '../lab.ts'
import { type Answer, during, isCommitted, runClients, serviceClients } from '../load/clients.ts'
import { startNetwork } from '../processes/network.ts'
import { startDatabaseServer, walPosition } from '../processes/postgres.ts'
import { createReplicas } from '../processes/replicas.ts'
import type { Figure } from '../report/figures.ts'

/** About 170 submissions fit into a block. */
const NETWORK = { blockTimeMs: 1000, maxBlockGas: 8_000_000 }

/** Each with its clients and its replicas. */
const CASES = [
  { name: '1 client, 1 replica', clients: 1, replicas: 1 },
  { name: '256 clients, 1 replica', clients: 256, replicas: 1 },
  { name: '256 clients, 3 replicas', clients: 256, replicas: 3 }
]

/** How long nothing is measured, so that what happens only after a start is over, and how long is measured then. */
const TIMES = { quietMs: 3000, measuredMs: 15_000 }
const SHORT_TIMES = { quietMs: 500, measuredMs: 1500 }

/** What a time without submissions, or with some, has cost the database. */
interface Cost extends Traffic {
  walBytes: number
  seconds: number
}

async function costOf(work: () => Promise<unknown>, wire: Wire, databaseUrl: string): Promise<Cost> {
  const [startedAt, walBefore, before] = [Date.now(), await walPosition(databaseUrl), wire.traffic()]
  await work()
  const after = wire.traffic()
  return {
    statements: after.statements - before.statements,
    roundTrips: after.roundTrips - before.roundTrips,
    transactions: after.transactions - before.transactions,
    walBytes: (await walPosition(databaseUrl)) - walBefore,
    seconds: (Date.now() - startedAt) / 1000
  }
}

const UNITS: [keyof Traffic | 'walBytes', string, string][] = [
  ['statements', 'statements', ''],
  ['roundTrips', 'round trips', ''],
  ['transactions', 'transactions', ''],
  ['walBytes', 'bytes of the write-ahead log', 'B']
]

/** What a submission costs the database, counted between the replicas and their database. */
export const cost: Benchmark = async lab => {
  const database = await startDatabaseServer(lab)
  const network = await startNetwork(lab, NETWORK)
  lab.teardown(network.stop)
  const databaseUrl = await database.createDatabase()
  const wire = await startWire(lab, databaseUrl)
  const { running, start } = createReplicas(lab, network, wire.url)
  const { quietMs, measuredMs } = lab.isShort ? SHORT_TIMES : TIMES
  const figures: Figure[] = []
  let failed = 0
  for (const { name, clients, replicas } of CASES) {
    while (running.length < replicas) await start()
    await delay(quietMs)
    const idle = await costOf(() => delay(measuredMs), wire, databaseUrl)
    let answers: Answer[] = []
    const busy = await costOf(
      async () => {
        answers = await submitFor(
          measuredMs,
          running.map(({ url }) => url),
          clients
        )
      },
      wire,
      databaseUrl
    )
    failed += answers.filter(answer => !isCommitted(answer)).length
    figures.push(
      ...UNITS.map(
        ([unit, words, sign]): Figure => ({
          name: `${words} for each submission, ${name}`,
          unit: sign,
          value: busy[unit] / answers.length,
          beside: [
            {
              label: 'without submissions',
              value: (idle[unit] * busy.seconds) / idle.seconds / answers.length
            }
          ]
        })
      )
    )
  }
  return {
    name: 'cost',
    conditions:
      `what passes between the replicas and their database over HTTP submissions; blocks of ${NETWORK.blockTimeMs} ms and ` +
      `${NETWORK.maxBlockGas} gas; beside it what the same time costs without submissions`,
    figures: [...figures, { name: 'failed', unit: '', value: failed, target: { atMost: 0 } }],
    notes: []
  }
}

async function submitFor(ms: number, urls: readonly string[], clients: number): Promise<Answer[]> {
  const { submit, close } = serviceClients(urls, clients)
  const answers = await runClients(clients, submit, during(ms))
  await close()
  return answers
}
