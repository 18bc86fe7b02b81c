import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { until } from '../../test/helpers/until.ts'
import type { Lab } from '../lab.ts'
import type { Network } from './network.ts'
import { type Server, startServer } from './server.ts'

/** The replicas of one service. */
export interface Replicas {
  /** Those that run. */
  readonly running: readonly Server[]
  /** Starts a replica, and waits until it is ready. */
  start(): Promise<Server>
  /** Takes a replica from those that run, before it is stopped or killed. */
  remove(replica: Server): void
}

/** What starts replicas of one service on a database; they end with the benchmark. */
export function createReplicas(lab: Lab, network: Network, databaseUrl: string): Replicas {
  const running: Server[] = []
  let started = 0

  return {
    running,
    async start() {
      started += 1
      const directory = join(lab.directory, `replica-${started}`)
      await mkdir(directory)
      const env = { DATABASE_URL: databaseUrl, LOG_LEVEL: 'info' }
      const replica = await startServer(network, { directory, nodeArgs: lab.nodeArgs, env })
      lab.teardown(replica.stop)
      await until(async () => (await fetch(`${replica.url}/ready`)).ok, 'the replica is ready')
      running.push(replica)
      return replica
    },
    remove(replica) {
      running.splice(running.indexOf(replica), 1)
    }
  }
}

/** The replica that has begun the newest term, by the logs; undefined while none is newer than `after`. */
export async function findLeader(replicas: readonly Server[], after = 0): Promise<Server | undefined> {
  const terms = await Promise.all(
    replicas.map(async replica => ({ replica, ...(await newestTerm(replica)) }))
  )
  const [newest] = terms.sort((one, other) => other.epoch - one.epoch)
  return newest && newest.epoch > after ? newest.replica : undefined
}

/** The newest term that a replica has begun, and when, in milliseconds since the epoch of the clock. */
export async function newestTerm({ logPath }: Server): Promise<{ epoch: number; at: number }> {
  const log = await readFile(logPath, 'utf8')
  const [last] = [...log.matchAll(/"time":(\d+).*"epoch":(\d+),"msg":"engine ready"/g)].slice(-1)
  const [, at, epoch] = last ?? []
  return { epoch: Number(epoch ?? 0), at: Number(at ?? 0) }
}
