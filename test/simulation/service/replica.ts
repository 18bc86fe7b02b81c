import { encodeSecp256k1Signature } from '@cosmjs/amino'
import { type ChainClient, createNodePool } from '../../../services/chain-client/index.ts'
import type { SubmissionStore } from '../../../services/submission/contract.ts'
import { createSubmissionEngine } from '../../../services/submission/engine.ts'
import type { StoreContext } from '../../../services/submission/store/sql.ts'
import type { Signer } from '../../../services/wallet/signer.ts'
import { GAS_PRICE } from '../chain/app.ts'
import {
  CONTROL_REQUEST,
  DENOM,
  PUBLIC_KEY,
  REQUEST_TYPES,
  readRequest,
  requestOf,
  signatureFor,
  WALLET_ADDRESS
} from '../chain/messages.ts'
import type { Network } from '../chain/network.ts'
import type { Context } from '../context.ts'
import type { Costs } from '../oracle/costs.ts'
import { createRandom } from '../random.ts'
import type { ReplicaStore, SharedDatabase } from '../store/memory-database.ts'
import { createChainNode, createGasReport } from './chain-node.ts'
import { guardStore } from './guarded-store.ts'
import { createProcess, type Process } from './process.ts'
import { createWatchedLog, isExpectedFault } from './watched-log.ts'

const control = requestOf({ identity: CONTROL_REQUEST, content: '', behaviour: 'plain' })

const RESTART_MS = 3000

/** Time that killed replicas stay down, longer than any request can be in flight. */
const DOWN_MS = 2000

/** Maximum delay before the lock of a dead process is released. */
const LOCK_RELEASE_MS = 1000

const SETTINGS = {
  feeDenom: DENOM,
  gasPrice: String(GAS_PRICE),
  lookBackBlocks: 1000,
  /** The engine checks this limit before each signature, but the limit is too high to be reached. */
  dailyFeeLimit: 10n ** 12n
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
    signDirect: (_, signed) =>
      process.call('wallet.sign', async () => {
        const signature = signatureFor(Number(signed.accountNumber))
        return { signed, signature: encodeSecp256k1Signature(PUBLIC_KEY, signature) }
      }),
    sign: async () => new Uint8Array(64)
  }
}

/** Creates a replica, which starts again whenever its process has died, unless the replicas are held. */
function createReplica(name: string, options: HostContext, isHeld: () => boolean) {
  const { plan, database, broken, network, clock, trace, fail } = options
  const random = createRandom(plan.seed, name)
  let present: Process | undefined

  async function create() {
    const process = createProcess(name, options, () => replica.isCutOff)
    const context = { ...options, random, process }
    const log = createWatchedLog(context)
    const processClock = {
      now: clock.now,
      elapsed: clock.elapsed,
      after: (ms: number, action: () => void) =>
        clock.after(ms, () => void process.call('clock', async () => action()))
    }
    const gasReport = createGasReport(context)
    const nodes = network.nodes.map(node => createChainNode(node, gasReport, context))
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

  const replica = {
    /** Undefined until it has started. */
    service: undefined as Awaited<ReturnType<typeof create>> | undefined,
    starts: 0,
    isCutOff: false,
    async start(): Promise<void> {
      if (isHeld()) return void clock.after(RESTART_MS, replica.start)
      replica.starts += 1
      trace(() => `${name}: start ${replica.starts}`)
      const service = await create()
      const { engine, process } = service
      present = process
      process.onDeath(() => {
        replica.service = undefined
        clock.after(random.int(0, RESTART_MS), replica.start)
      })
      try {
        await engine.start()
        if (process.isAlive) replica.service = service
      } catch (error) {
        if (!isExpectedFault(error)) fail(`the engine failed to start: ${error}`)
        process.die(`because it failed to start: ${error}`)
      }
    },
    async restart(): Promise<void> {
      if (!replica.service) return
      const { engine, process } = replica.service
      await engine.drain()
      await engine.stop()
      process.die('after a shutdown')
    },
    die: (reason: string) => present?.die(reason),
    /** Pauses the process, which loses its lock. */
    pause(ms: number): void {
      if (!replica.service) return
      const { process, store } = replica.service
      process.pause(ms)
      clock.after(random.int(0, ms), store.loseLock)
    }
  }
  return replica
}

export type Host = ReturnType<typeof createHost>

/** Runs the replicas, and picks one for each client and fault. */
export function createHost(context: HostContext) {
  const { plan, clock } = context
  const random = createRandom(plan.seed, 'host')
  let holds = 0
  const replicas = Array.from({ length: plan.replicas }, (_, index) =>
    createReplica(`replica ${index + 1}`, context, () => holds > 0)
  )

  return {
    service() {
      const services = replicas.flatMap(({ service }) => service ?? [])
      return services.length > 0 ? random.pick(services) : undefined
    },
    start(): void {
      for (const replica of replicas) void replica.start()
    },
    restart: () => random.pick(replicas).restart(),
    pause: (ms: number) => random.pick(replicas).pause(ms),
    cutOff(): void {
      if (replicas.length > 1) random.pick(replicas.slice(1)).isCutOff = true
    },
    /** Kills the replicas, and keeps them down until the store has changed. */
    killFor(change: () => Promise<void>): void {
      holds += 1
      for (const replica of replicas) replica.die('because the store is set back')
      clock.after(DOWN_MS, async () => {
        await change()
        holds -= 1
      })
    },
    starts: () => replicas.reduce((sum, { starts }) => sum + starts, 0)
  }
}
