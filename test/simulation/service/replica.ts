import { encodeSecp256k1Signature } from '@cosmjs/amino'
import { type ChainClient, createNodePool } from '../../../services/chain-client/index.ts'
import type { SubmissionEngine, SubmissionStore } from '../../../services/submission/contract.ts'
import { createSubmissionEngine } from '../../../services/submission/engine.ts'
import type { StoreContext } from '../../../services/submission/store/sql.ts'
import type { Signer } from '../../../services/wallet/signer.ts'
import {
  CONTROL_REQUEST,
  PUBLIC_KEY,
  REQUEST_TYPES,
  readRequest,
  requestOf,
  WALLET_ADDRESS
} from '../chain/messages.ts'
import type { Network } from '../chain/network.ts'
import { signatureFor } from '../chain/transaction.ts'
import type { Context } from '../context.ts'
import type { Costs } from '../oracle/costs.ts'
import { createRandom } from '../random.ts'
import type { ReplicaStore, SharedDatabase } from '../store/memory-database.ts'
import { createChainNode, createGasReport } from './chain-node.ts'
import { type GuardedStore, guardStore } from './guarded-store.ts'
import { createProcess, type Process } from './process.ts'
import { GAS_PRICE } from './settings.ts'
import { createWatchedLog, isExpectedFault } from './watched-log.ts'

const control = requestOf({ identity: CONTROL_REQUEST, content: '', behaviour: 'plain' })

const RESTART_MS = 3000

/** Maximum delay before the lock of a dead process is released. */
const LOCK_RELEASE_MS = 1000

const SETTINGS = {
  feeDenom: 'unit',
  gasPrice: String(GAS_PRICE),
  lookBackBlocks: 1000,
  /** The engine checks this limit before each signature, but the limit is too high to be reached. */
  dailyFeeLimit: 10n ** 12n
}

export interface Service {
  engine: SubmissionEngine
  process: Process
}

export interface BrokenRule {
  store?: (store: ReplicaStore, context: StoreContext) => ReplicaStore
  storeAsSeen?: (store: SubmissionStore) => SubmissionStore
  chainAsSeen?: (chain: ChainClient) => ChainClient
}

export interface HostContext extends Context {
  costs: Costs
  database: SharedDatabase
  broken: BrokenRule | undefined
  store: { isDown: boolean }
  network: Network
  onStoreChange: () => Promise<void>
}

/** Creates a wallet whose signatures only say the account number, which is all that the simulated chain verifies. */
function createModelWallet(process: Process): Signer {
  return {
    address: WALLET_ADDRESS,
    publicKey: PUBLIC_KEY,
    getAccounts: async () => [{ address: WALLET_ADDRESS, algo: 'secp256k1', pubkey: PUBLIC_KEY }],
    signDirect: (_address, signed) =>
      process.call('wallet.sign', async () => {
        const signature = signatureFor(Number(signed.accountNumber))
        return { signed, signature: encodeSecp256k1Signature(PUBLIC_KEY, signature) }
      }),
    sign: async () => new Uint8Array(64)
  }
}

/** Creates a replica, which starts again whenever its process has died. */
export function createReplica(name: string, options: HostContext) {
  const { plan, costs, database, broken, network, clock, trace, fail } = options
  const random = createRandom(plan.seed, name)
  let running: (Service & { store: GuardedStore }) | undefined
  let starts = 0
  let isCutOff = false
  let holds = 0
  let present: Process | undefined

  async function create() {
    const process = createProcess(name, options, () => isCutOff)
    const context = { ...options, random, process }
    const log = createWatchedLog(context)
    const processClock = {
      now: clock.now,
      elapsed: clock.elapsed,
      after: (ms: number, action: () => void) =>
        clock.after(ms, () => void process.call('clock', async () => action()))
    }
    const gasReport = createGasReport(context)
    const nodes = network.nodes.map(node => createChainNode(node, gasReport, costs, context))
    const opened = database.open()
    const store = guardStore(broken?.store?.(opened, database.context) ?? opened, context)
    process.onDeath(() => clock.after(random.int(0, LOCK_RELEASE_MS), () => void store.close()))
    const chain = createNodePool({ nodes, clock: processClock, log })
    const engine = createSubmissionEngine({
      store: broken?.storeAsSeen?.(store) ?? store,
      chain: broken?.chainAsSeen?.(chain) ?? chain,
      wallet: createModelWallet(process),
      controlRequest: { typeUrl: control.typeUrl, value: control.message },
      identify: ({ typeUrl, value }) => ({
        identities: REQUEST_TYPES.includes(typeUrl) ? requestOf(readRequest(value)).identities : []
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
    /** Pauses the process, which loses its lock. */
    pause(ms: number): void {
      if (!running) return
      const { process, store } = running
      process.pause(ms)
      clock.after(random.int(0, ms), store.loseLock)
    }
  }
}
