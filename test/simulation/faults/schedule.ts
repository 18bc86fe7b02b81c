import type { Plan } from '../plan.ts'
import { createRandom } from '../random.ts'
import type { VirtualClock } from '../time/virtual-clock.ts'
import type { Trace } from '../trace.ts'
import { LASTING, type Scene } from './lasting.ts'
import { LASTING_FAULTS, type LastingFault } from './names.ts'

const MOST_TIMES = 5
const SHORTEST_MS = 100
const LONGEST_MS = 4000

/** Faults that start at time 0, because they are harmless after the service has started for the first time. */
const FROM_THE_START: readonly LastingFault[] = ['account-lies']

export function scheduleFaults(
  { seed, faults, faultsEndMs }: Plan,
  scene: Scene,
  { clock, trace }: { clock: VirtualClock; trace: Trace }
): void {
  function schedule(fault: LastingFault): void {
    const random = createRandom(seed, fault)
    for (let times = random.int(1, MOST_TIMES); times > 0; times--) {
      const start = FROM_THE_START.includes(fault) ? 0 : random.int(0, faultsEndMs)
      const end = Math.min(start + random.int(SHORTEST_MS, LONGEST_MS), faultsEndMs)
      clock.after(start, () => {
        trace(() => `fault: ${LASTING_FAULTS[fault]}`)
        const finish = LASTING[fault](scene, random)
        clock.after(end - start, () => {
          trace(() => `fault over: ${LASTING_FAULTS[fault]}`)
          finish?.()
        })
      })
    }
  }

  for (const fault of Object.keys(LASTING_FAULTS) as LastingFault[]) if (faults.has(fault)) schedule(fault)
}
