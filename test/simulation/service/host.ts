import { createRandom } from '../random.ts'
import { createReplica, type ReplicaOptions, type Service } from './replica.ts'

/** Time that killed replicas stay down, longer than any request can be in flight. */
const DOWN_MS = 2000

export type Host = ReturnType<typeof createHost>

export function createHost(options: ReplicaOptions) {
  const { seed, replicas: count } = options.plan
  const random = createRandom(seed, 'host')
  const replicas = Array.from({ length: count }, (_, index) =>
    createReplica(`replica ${index + 1}`, createRandom(seed, `replica-${index}`), options)
  )

  return {
    service(): Service | undefined {
      const services = replicas.flatMap(({ service }) => service ?? [])
      return services.length > 0 ? random.pick(services) : undefined
    },
    start(): void {
      for (const replica of replicas) replica.start()
    },
    restart: () => random.pick(replicas).restart(),
    pause: (ms: number) => random.pick(replicas).pause(ms),
    cutOff(): void {
      const [, ...others] = replicas
      if (others.length > 0) random.pick(others).cutOff()
    },
    killFor(change: () => Promise<void>): void {
      for (const replica of replicas) replica.hold()
      options.clock.after(DOWN_MS, async () => {
        await change()
        for (const replica of replicas) replica.release()
      })
    },
    get starts(): number {
      return replicas.reduce((sum, { starts }) => sum + starts, 0)
    }
  }
}
