import { createRandom } from '../random.ts'
import { createReplica, type ReplicaOptions, type Service } from './replica.ts'

/** Longer than any request is in flight. */
const DOWN_MS = 2000

/** Keeps the replicas of the service running. */
export interface Host {
  /** A random running replica, as a load balancer would pick. */
  service(): Service | undefined
  start(): void
  /** Shuts a replica down and starts it again. */
  restart(): Promise<void>
  /** Pauses a replica for `ms` milliseconds. */
  pause(ms: number): void
  /** Cuts a replica off from every node, if there is another one. */
  cutOff(): void
  /** Kills all replicas, makes the change once none of their requests is in flight, and restarts them. */
  killFor(change: () => Promise<void>): void
  /** Number of starts of all replicas. */
  readonly starts: number
}

export function createHost(options: ReplicaOptions): Host {
  const { seed, replicas: count } = options.plan
  const random = createRandom(seed, 'host')
  const replicas = Array.from({ length: count }, (_, index) =>
    createReplica(`replica ${index + 1}`, createRandom(seed, `replica-${index}`), options)
  )

  return {
    service() {
      const services = replicas.flatMap(({ service }) => service ?? [])
      return services.length > 0 ? random.pick(services) : undefined
    },
    start() {
      for (const replica of replicas) replica.start()
    },
    restart: () => random.pick(replicas).restart(),
    pause: ms => random.pick(replicas).pause(ms),
    cutOff() {
      const [, ...others] = replicas
      if (others.length > 0) random.pick(others).cutOff()
    },
    killFor(change) {
      for (const replica of replicas) replica.hold()
      options.clock.after(DOWN_MS, async () => {
        await change()
        for (const replica of replicas) replica.release()
      })
    },
    get starts() {
      return replicas.reduce((sum, { starts }) => sum + starts, 0)
    }
  }
}
