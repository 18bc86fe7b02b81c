import { createRandom } from '../random.ts'
import { createReplica, type HostContext, type Service } from './replica.ts'

/** Time that killed replicas stay down, longer than any request can be in flight. */
const DOWN_MS = 2000

export type Host = ReturnType<typeof createHost>

/** Runs the replicas, and picks one for each client and fault. */
export function createHost(context: HostContext) {
  const { plan, clock } = context
  const random = createRandom(plan.seed, 'host')
  const replicas = Array.from({ length: plan.replicas }, (_, index) =>
    createReplica(`replica ${index + 1}`, context)
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
      if (replicas.length > 1) random.pick(replicas.slice(1)).cutOff()
    },
    killFor(change: () => Promise<void>): void {
      for (const replica of replicas) replica.hold()
      clock.after(DOWN_MS, async () => {
        await change()
        for (const replica of replicas) replica.release()
      })
    },
    get starts(): number {
      return replicas.reduce((sum, { starts }) => sum + starts, 0)
    }
  }
}
