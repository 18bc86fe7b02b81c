import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Test } from 'tap'
import { createFrontDoor } from '../../faults/front-door.ts'
import { type Load, startLoad } from '../../faults/load.ts'
import { assertAnswersHold, assertEventsHold } from '../../faults/verdict.ts'
import { startNetwork, testEnv, type Variables } from '../../helpers/app.ts'
import { startPostgres } from '../../helpers/postgres/index.ts'
import { startServer } from '../../helpers/server-process.ts'
import { until } from '../../helpers/until.ts'
import { AWAY_WEBHOOK } from '../../helpers/webhook-receiver.ts'
import { createRandom, type Random } from '../../simulation/random.ts'

const BALANCER_MS = 1000
const rounds = Number(process.env['ROUNDS']) || 3
const seed = Number(process.env['SEED']) || randomInt(2 ** 31)

type Replica = Awaited<ReturnType<typeof startServer>>
type Site = Awaited<ReturnType<typeof replicaSite>>

function newestTerm({ output }: Replica): number {
  const [last] = [...output.matchAll(/"epoch":(\d+),"msg":"engine ready"/g)].slice(-1)
  return Number(last?.[1] ?? 0)
}

/** Starts three replicas on one database. */
export async function replicaSite(t: Test, variables: Variables = {}) {
  const network = await startNetwork(t, { blockTimeMs: 200 })
  const postgres = await startPostgres(t)
  const databaseUrl = await postgres.createDatabase()
  const door = createFrontDoor()
  t.teardown(() => door.close())
  const running: Replica[] = []

  async function start(): Promise<Replica> {
    const shared = { DATABASE_URL: databaseUrl, SERVICE_SUBMIT_TIMEOUT: '5000', ...AWAY_WEBHOOK }
    const replica = await startServer(t, testEnv(t, network, { ...shared, ...variables }))
    running.push(replica)
    door.open(replica.url)
    return replica
  }

  async function stop(replica: Replica, signal: NodeJS.Signals): Promise<number | null> {
    door.close(replica.url)
    running.splice(running.indexOf(replica), 1)
    return replica.stop(signal)
  }

  /** Ends a replica with SIGTERM. Clients are routed to it until the load balancer's next check of `/ready`. */
  async function retire(replica: Replica): Promise<number | null> {
    running.splice(running.indexOf(replica), 1)
    const exited = replica.stop('SIGTERM')
    do await delay(BALANCER_MS)
    while ((await fetch(`${replica.url}/ready`)).ok)
    door.close(replica.url)
    return exited
  }

  /** Waits for a term newer than `after`. */
  async function leader(after = 0): Promise<{ replica: Replica; term: number }> {
    return until(() => {
      const terms = running.map(replica => ({ replica, term: newestTerm(replica) }))
      return terms.sort((one, other) => other.term - one.term).find(({ term }) => term > after)
    }, `a term after ${after} begins`)
  }

  await Promise.all([start(), start(), start()])
  return { network, postgres, databaseUrl, door, running, start, stop, retire, leader }
}

/**
 * Repeats a fault of three replicas under load. Then compares all responses with the chain, and the webhook events with
 * the submissions.
 */
export async function repeatUnderLoad(
  t: Test,
  fault: (site: Site, load: Load, random: Random) => Promise<void>
): Promise<Load> {
  t.comment(`SEED=${seed} ROUNDS=${rounds}`)
  const site = await replicaSite(t)
  const load = startLoad(site.door, seed)
  const random = createRandom(seed, 'faults')
  await load.moreAnswers(20)
  for (let round = 1; round <= rounds; round += 1) await fault(site, load, random)
  await load.moreAnswers(50)
  await load.finish()
  t.comment(`${load.answers.size} transfers, ${load.failed.length} failed requests`)
  const [survivor] = site.running
  await assertAnswersHold(t, site.network, survivor?.url ?? '', load.answers)
  await assertEventsHold(t, site.network, { DATABASE_URL: site.databaseUrl })
  return load
}
