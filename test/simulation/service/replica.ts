import { type ChainClient, createNodePool } from '../../../services/chain-client/index.ts'
import type { SubmissionEngine, SubmissionStore } from '../../../services/submission/contract.ts'
import { createSubmissionEngine } from '../../../services/submission/engine.ts'
import type { StoreContext } from '../../../services/submission/store/sql.ts'
import type { Dice } from '../faults/dice.ts'
import type { Network } from '../model-chain/network.ts'
import {
  encodeMessage,
  identitiesOf,
  isRequestType,
  MESSAGE_TYPE,
  readRequest
} from '../model-chain/transaction.ts'
import type { Costs } from '../oracle/costs.ts'
import type { Plan } from '../plan.ts'
import type { Random } from '../random.ts'
import type { ReplicaStore, SharedDatabase } from '../store/memory-database.ts'
import type { VirtualClock } from '../time/virtual-clock.ts'
import type { Trace } from '../trace.ts'
import { createChainNodes } from './chain-node.ts'
import { type GuardedStore, guardStore, type StoreTroubles } from './guarded-store.ts'
import { createProcess, type Process } from './process.ts'
import { SETTINGS } from './settings.ts'
import { createModelWallet } from './wallet.ts'
import { createWatchedLog, isExpectedFault } from './watched-log.ts'

const CONTROL_REQUEST = encodeMessage({ identity: 'controlRequest', content: '', behaviour: 'plain' })

const RESTART_MS = 3000

/** Maximum delay before the lock of a dead process is released. */
const LOCK_RELEASE_MS = 1000

export interface Service {
  engine: SubmissionEngine
  process: Process
}

export interface BrokenRule {
  store?: (store: ReplicaStore, context: StoreContext) => ReplicaStore
  storeAsSeen?: (store: SubmissionStore) => SubmissionStore
  chainAsSeen?: (chain: ChainClient) => ChainClient
}

export interface ReplicaOptions {
  plan: Plan
  costs: Costs
  database: SharedDatabase
  broken: BrokenRule | undefined
  storeTroubles: StoreTroubles
  network: Network
  dice: Dice
  clock: VirtualClock
  trace: Trace
  fail: (reason: string) => void
  onStoreChange: () => Promise<void>
}

export function createReplica(name: string, random: Random, options: ReplicaOptions) {
  const { plan, costs, database, broken, storeTroubles, network, dice, clock, trace, fail } = options
  const { onStoreChange } = options
  let running: (Service & { store: GuardedStore }) | undefined
  let starts = 0
  let isCutOff = false
  let holds = 0
  let present: Process | undefined

  async function create() {
    const process = createProcess({
      name,
      isCutOff: () => isCutOff,
      dice,
      trace,
      elapsed: clock.elapsed,
      fail
    })
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
    const opened = database.open()
    const store = guardStore({
      ...common,
      store: broken?.store?.(opened, database.context) ?? opened,
      troubles: storeTroubles,
      storeMs,
      onChange: onStoreChange
    })
    process.onDeath(() => clock.after(random.int(0, LOCK_RELEASE_MS), () => void store.close()))
    const chain = createNodePool({ nodes, clock: processClock, log })
    const engine = createSubmissionEngine({
      store: broken?.storeAsSeen?.(store) ?? store,
      chain: broken?.chainAsSeen?.(chain) ?? chain,
      wallet: createModelWallet(process),
      controlRequest: { typeUrl: MESSAGE_TYPE, value: CONTROL_REQUEST },
      identify: ({ typeUrl, value }) => ({
        identities: isRequestType(typeUrl) ? identitiesOf(readRequest(value)) : []
      }),
      settings: SETTINGS,
      log,
      clock: processClock
    })
    return { engine, process, store }
  }

  async function up(): Promise<void> {
    if (holds > 0) return void clock.after(RESTART_MS, () => void up())
    starts += 1
    trace(() => `${name}: start ${starts}`)
    const service = await create()
    present = service.process
    service.process.onDeath(() => {
      running = undefined
      clock.after(random.int(0, RESTART_MS), () => void up())
    })
    try {
      await service.engine.start()
      if (service.process.isAlive) running = service
    } catch (error) {
      if (!isExpectedFault(error)) fail(`the engine failed to start: ${error}`)
      service.process.die(`because it failed to start: ${error}`)
    }
  }

  return {
    get service(): Service | undefined {
      return running
    },
    get starts(): number {
      return starts
    },
    start: () => void up(),
    async restart(): Promise<void> {
      const service = running
      if (!service) return
      await service.engine.drain()
      await service.engine.stop()
      service.process.die('after a shutdown')
    },
    /** Kills the replica and keeps it down until each `hold` call is matched by a `release` call. */
    hold(): void {
      holds += 1
      present?.die('because the store is set back')
    },
    release(): void {
      holds -= 1
    },
    cutOff(): void {
      isCutOff = true
    },
    /** Pauses the process for `ms` milliseconds. The process loses its lock. */
    pause(ms: number): void {
      if (!running) return
      const { process, store } = running
      process.pause(clock.delay(ms))
      clock.after(random.int(0, ms), store.loseLock)
    }
  }
}
