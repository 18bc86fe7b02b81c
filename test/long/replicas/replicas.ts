import { setTimeout as delay } from 'node:timers/promises'
import type { Test } from 'tap'
import { createFrontDoor } from '../../faults/front-door.ts'
import { startNetwork, testEnv, type Variables } from '../../helpers/app.ts'
import { startPostgres } from '../../helpers/postgres/index.ts'
import { startServer } from '../../helpers/server-process.ts'
import { until } from '../../helpers/until.ts'

const BALANCER_MS = 1000

export type Replica = Awaited<ReturnType<typeof startServer>>

function newestTerm({ output }: Replica): number {
  const [last] = [...output.matchAll(/"epoch":(\d+),"msg":"engine ready"/g)].slice(-1)
  return Number(last?.[1] ?? 0)
}

export async function replicaSite(t: Test, variables: Variables = {}) {
  const network = await startNetwork(t, { blockTimeMs: 200 })
  const postgres = await startPostgres(t)
  const databaseUrl = await postgres.createDatabase()
  const door = createFrontDoor()
  t.teardown(() => door.close())
  const running: Replica[] = []

  async function start(overrides: Variables = {}): Promise<Replica> {
    const shared = { DATABASE_URL: databaseUrl, SERVICE_SUBMIT_TIMEOUT: '5000' }
    const env = testEnv(t, network, { ...shared, ...variables, ...overrides })
    const replica = await startServer(t, env)
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

  return { network, postgres, databaseUrl, door, running, start, stop, retire, leader }
}
