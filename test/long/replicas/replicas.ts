import { setTimeout as delay } from 'node:timers/promises'
import type { Test } from 'tap'
import { type Load, startLoad } from '../../faults/load.ts'
import { startNetwork, testEnv } from '../../helpers/app.ts'
import { startPostgres } from '../../helpers/postgres.ts'
import { startServer } from '../../helpers/server-process.ts'
import { until } from '../../helpers/until.ts'
import { AWAY_WEBHOOK } from '../../helpers/webhook-receiver.ts'

const BALANCER_MS = 1000

type Replica = Awaited<ReturnType<typeof startServer>>
type Site = Awaited<ReturnType<typeof replicaSite>>
type Fault = (site: Site, load: Load) => Promise<void>

function newestTerm({ output }: Replica): number {
  const [last] = [...output.matchAll(/"epoch":(\d+),"msg":"engine ready"/g)].slice(-1)
  return Number(last?.[1] ?? 0)
}

/** Starts three replicas on one database. */
async function replicaSite(t: Test, { door }: Load) {
  const network = await startNetwork(t, { blockTimeMs: 200 })
  const postgres = await startPostgres(t)
  const databaseUrl = await postgres.createDatabase()
  const running: Replica[] = []

  async function start(): Promise<Replica> {
    const shared = { DATABASE_URL: databaseUrl, SERVICE_SUBMIT_TIMEOUT: '5000', ...AWAY_WEBHOOK }
    const replica = await startServer(t, testEnv(t, network, shared))
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

  async function leader(after = 0): Promise<{ replica: Replica; term: number }> {
    return until(() => {
      const terms = running.map(replica => ({ replica, term: newestTerm(replica) }))
      return terms.sort((one, other) => other.term - one.term).find(({ term }) => term > after)
    }, `a term after ${after} begins`)
  }

  await Promise.all([start(), start(), start()])
  return { network, postgres, databaseUrl, running, start, stop, retire, leader }
}

/** Repeats a fault of three replicas under load, and compares all results. */
export async function repeatUnderLoad(t: Test, fault: Fault): Promise<Load> {
  const load = startLoad(t, 3)
  const site = await replicaSite(t, load)
  await load.moreAnswers(20)
  for (let round = 1; round <= load.rounds; round += 1) await fault(site, load)
  await load.moreAnswers(50)
  await load.finish(site.network, site.running[0]?.url ?? '', { DATABASE_URL: site.databaseUrl })
  return load
}
