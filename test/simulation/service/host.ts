import { createNodePool } from '../../../services/chain-client/index.ts'
import { createSubmissionEngine, type SubmissionEngine } from '../../../services/submission/engine.ts'
import type { SubmissionStore } from '../../../services/submission/store/types.ts'
import type { Dice } from '../faults/dice.ts'
import type { Network } from '../model-chain/network.ts'
import { encodeMessage, MESSAGE_TYPE } from '../model-chain/transaction.ts'
import type { Costs } from '../oracle/costs.ts'
import type { Plan } from '../plan.ts'
import { createRandom } from '../random.ts'
import type { VirtualClock } from '../time/virtual-clock.ts'
import type { Trace } from '../trace.ts'
import { createChainNodes } from './chain-node.ts'
import { guardStore, type StoreTroubles } from './guarded-store.ts'
import { createProcess, type Process } from './process.ts'
import { createModelWallet } from './wallet.ts'
import { createWatchedLog, isExpectedFault } from './watched-log.ts'

const PROBE = encodeMessage({ identity: 'probe', content: '', behaviour: 'plain' })

/** The configured price of gas. */
export const GAS_PRICE = 0.025

/** The longest time until the service is started again. */
const RESTART_MS = 3000

/** A running service. */
export interface Service {
  engine: SubmissionEngine
  process: Process
}

/** Keeps the service running: starts it again whenever it dies. */
export interface Host {
  /** The service while it runs. */
  service(): Service | undefined
  start(): void
  /** Shuts the service down and starts it again. */
  restart(): Promise<void>
  /** How often the service was started. */
  readonly starts: number
}

export function createHost(options: {
  plan: Plan
  costs: Costs
  store: SubmissionStore
  storeTroubles: StoreTroubles
  network: Network
  dice: Dice
  clock: VirtualClock
  trace: Trace
  fail: (reason: string) => void
  onStoreChange: (name: string) => void
}): Host {
  const { plan, costs, store, storeTroubles, network, dice, clock, trace, fail, onStoreChange } = options
  const random = createRandom(plan.seed, 'host')
  let running: Service | undefined
  let starts = 0

  function create(): Service {
    const process = createProcess({ dice, trace, elapsed: clock.elapsed, fail })
    const common = { process, dice, clock, random, trace }
    const { latencyMs, storeMs } = plan
    const log = createWatchedLog({ process, trace, fail })
    const processClock = {
      now: clock.now,
      elapsed: clock.elapsed,
      after: (ms: number, action: () => void) =>
        clock.after(ms, () => void process.call('clock', async () => action()))
    }
    const nodes = createChainNodes({ ...common, network, latencyMs, costs })
    const engine = createSubmissionEngine({
      store: guardStore({ ...common, store, troubles: storeTroubles, storeMs, onChange: onStoreChange }),
      chain: createNodePool({ nodes, clock: processClock, log }),
      wallet: createModelWallet(process),
      probe: { typeUrl: MESSAGE_TYPE, value: PROBE },
      settings: { feeDenom: 'unit', gasPrice: String(GAS_PRICE), gasMultiplier: '1.5' },
      log,
      clock: processClock
    })
    return { engine, process }
  }

  async function up(): Promise<void> {
    starts += 1
    trace(() => `process: start ${starts}`)
    const service = create()
    service.process.onDeath(() => {
      running = undefined
      void store.close()
      clock.after(random.int(0, RESTART_MS), () => void up())
    })
    try {
      await service.engine.start()
      if (service.process.isAlive) running = service
    } catch (error) {
      if (!isExpectedFault(error)) fail(`the engine does not start: ${error}`)
      service.process.die(`because it does not start: ${error}`)
    }
  }

  return {
    service: () => running,
    get starts() {
      return starts
    },
    start: () => void up(),
    async restart() {
      const service = running
      if (!service) return
      await service.engine.drain()
      await service.engine.stop()
      service.process.die('after a shutdown')
    }
  }
}
