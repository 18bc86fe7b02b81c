import { CAPS, CHAIN_ID, type Conditions, GAS_PRICE, type Pause, WALLET_FUNDS } from '../chain/app.ts'
import { CONTROL_REQUEST } from '../chain/messages.ts'
import type { Network } from '../chain/network.ts'
import type { ModelNode, NodeLies } from '../chain/node.ts'
import { createRandom, type Random } from '../random.ts'
import type { HostContext } from '../service/replica.ts'
import type { Disk } from '../store/disk.ts'

interface Scene extends HostContext {
  host: { restart(): unknown; pause(ms: number): void; cutOff(): void }
  disk: Disk
  /** Nodes that can fail permanently: all nodes but one. */
  spareNodes: readonly ModelNode[]
  setBack(restore: () => void): void
}

/** Starts a fault. @returns a function that ends the fault; anything else if it is momentary or permanent */
type Begin = (scene: Scene, random: Random) => unknown

function set<T extends object, K extends keyof T>(target: T, key: K, value: T[K], usual: T[K]): () => void {
  target[key] = value
  return () => {
    target[key] = usual
  }
}

/** Makes one of some nodes fail, if there are any. */
const among =
  (nodes: (scene: Scene) => readonly ModelNode[]) =>
  (begin: (node: ModelNode, scene: Scene, random: Random) => unknown): Begin =>
  (scene, random) => {
    const candidates = nodes(scene)
    return candidates.length > 0 ? begin(random.pick(candidates), scene, random) : undefined
  }

const onNode = among(({ network }) => network.nodes)
const permanent = among(({ spareNodes }) => spareNodes)

const nodeTrouble = (trouble: keyof ModelNode['troubles']) =>
  onNode(node => {
    const finish = set(node.troubles, trouble, true, false)
    return () => {
      finish()
      node.catchUp()
    }
  })

/** Makes a node return wrong responses. `draw` returns the random lie to use for the duration of the fault. */
const lieOf =
  (on: typeof onNode) =>
  <K extends keyof NodeLies>(lie: K, draw: (random: Random, scene: Scene) => NodeLies[K]) =>
    on(({ lies }, scene, random) => set(lies, lie, draw(random, scene), undefined))

const nodeLie = lieOf(onNode)
/** For lies that the engine believes only if a second node agrees. */
const loneLie = lieOf(among(({ spareNodes }) => spareNodes.slice(0, 1)))

/**
 * Makes a node's CheckTx reject transactions, always or often, for a false reason: all, or only those with a request, as
 * if a mempool lane were full. Sometimes the node reports the error but accepts the transaction.
 */
const falseRefusal = (refusals: readonly [code: number, codespace: string, log: string][]) =>
  nodeLie('refusal', random => {
    const [code, codespace, log] = random.pick(refusals)
    const refusal = { code, codespace, log, isTaken: random.chance(0.2) }
    const rate = random.pick([0.5, 0.9, 1])
    const isForAll = random.chance(0.5)
    return ({ requests }) => ((isForAll || requests.length > 0) && random.chance(rate) ? refusal : undefined)
  })

const OUT_OF_GAS = 'out of gas in location: txSize; gasWanted: 1, gasUsed: 2: out of gas'

const refusedForFee = (fee: number, required: number) => ({
  code: 13,
  codespace: 'sdk',
  log: `insufficient fees; got: ${fee}unit required: ${required}unit: insufficient fee`,
  isTaken: false
})

/** Errors with which a paused chain rejects every request. */
const PAUSES: readonly Pause[] = [
  { in: 'message', code: 1105, codespace: 'transaction', log: 'module is paused: unauthorized' },
  { in: 'message', code: 4, codespace: 'sdk', log: 'requests are halted: unauthorized' },
  { in: 'breaker', code: 1, codespace: 'undefined', log: 'tx type not allowed' }
]

/** Changes a condition to one of some values. */
const condition =
  <K extends keyof Conditions>(name: K, values: readonly Conditions[K][], usual: Conditions[K]): Begin =>
  ({ network }, random) => {
    network.change({ [name]: random.pick(values) })
    return () => network.change({ [name]: usual })
  }

const blockGasOf = ({ chain }: Network) => Number(chain.app.maxBlockGas)

const FAULTS = {
  restart: ({ host }) => void host.restart(), // A replica is shut down and restarted.
  // A replica pauses and loses its lock, while its pending calls complete.
  pause: ({ host }, random) => host.pause(random.int(500, 5000)),
  // One replica permanently loses contact with all nodes, while another keeps it.
  'cut-off': ({ host }) => host.cutOff(),
  'node-down': nodeTrouble('isUnreachable'), // A node does not respond.
  'node-lags': nodeTrouble('isLagging'), // A node reads no new blocks for a while.
  // A node permanently stops reading blocks, while another one continues.
  'node-frozen': permanent(node => void set(node.troubles, 'isFrozen', true, false)),
  // A node starts to keep only its newest blocks, while another one keeps all.
  'node-pruned': permanent((node, _, random) => void set(node, 'keptBlocks', random.int(1, 5), 0)),
  // A node switches to another chain or a fork, while another one does not.
  'node-elsewhere': permanent((node, { disk }, random) => {
    // The fork begins before the cursor: an engine that reads this node first could not tell a later fork from the
    // real chain.
    if (!disk.walletState) return
    node.troubles.isFrozen = true
    node.stray = { chainId: random.pick([CHAIN_ID, 'other-1']), upTo: disk.walletState.cursorHeight - 1 }
  }),
  'results-late': onNode((node, _scene, random) => set(node, 'resultsLateMs', random.int(50, 6000), 0)),
  'nonsense-status': nodeLie(
    'status',
    random =>
      ({ height, blockTime }) =>
        random.pick([
          { height: height + random.int(1, 1000) },
          { height: 0 },
          { earliestHeight: height + random.int(-3, 3) },
          { blockTime: blockTime + random.int(-600_000, 600_000) },
          { catchingUp: true },
          {}
        ])
  ),
  'node-isolated': nodeTrouble('isIsolated'), // A node exchanges no transactions with the others.
  'node-restart': onNode((node, { network }) => network.restart(node)), // A node restarts with an empty mempool.
  'mempool-full': nodeTrouble('isFull'), // A node accepts no transactions.
  eviction: onNode((node, _scene, random) => node.evict(random.int(0, node.waiting().length - 1))),
  'no-simulation': nodeTrouble('cannotSimulate'), // Simulations fail at a node.
  // Simulations at a node permanently take longer per message.
  'slow-simulation': onNode(
    (node, _, random) => void set(node, 'simulationMs', random.pick([100, 300, 450]), 0)
  ),
  'too-much-gas': nodeLie('gas', (random, { network }) => {
    const factor = random.int(2, 10)
    return gas => Math.min(gas * factor, blockGasOf(network), CAPS.maxMessageGas)
  }),
  'too-little-gas': nodeLie('gas', random => {
    const reports = [() => 0, () => 1, (gas: number) => Math.floor(gas * 0.2), (gas: number) => gas >> 1]
    const report = random.pick(reports)
    return gas => (random.chance(0.8) ? report(gas) : gas)
  }),
  // A node rejects transactions as out of gas regardless of their gas limit.
  'out-of-gas-lies': falseRefusal([[11, 'sdk', OUT_OF_GAS]]),
  'passing-refusals': falseRefusal([
    [20, 'sdk', 'mempool is full'],
    [19, 'sdk', 'tx already in mempool'],
    [7, 'priority-mempool', 'the lane is closed'],
    [1, 'undefined', 'the node is not ready'],
    [1, '', 'pool reached max tx capacity']
  ]),
  'module-paused': condition('pause', PAUSES, undefined),
  'fee-raised': onNode((node, _scene, random) => node.setMinGasPrice(random.pick([0.026, 0.05, 0.125]))),
  'fee-creeps': nodeLie('refusal', () => tx => refusedForFee(tx.fee, tx.fee + 1)),
  'fee-absurd': nodeLie('refusal', random => {
    const factor = random.pick([2, 4, 1000, 1e9])
    return ({ fee, gasLimit }) => {
      const required = Math.ceil(gasLimit * GAS_PRICE * factor)
      return fee < required ? refusedForFee(fee, required) : undefined
    }
  }),
  'block-limit-lies': loneLie('blockLimits', (random, { network }) => {
    const gas = random.pick([1, 60_000, blockGasOf(network) * 10, 2 ** 40])
    const limits = random.chance(0.5) ? { gas } : { bytes: random.pick([1, 1000]) }
    return () => limits
  }),
  // A node rejects messages by index and then reports huge gas, while the others do not.
  'huge-gas-by-index': loneLie('simulation', () => ({ requests: [first, ...others] }) => {
    if (first?.identity === CONTROL_REQUEST) return others.length > 0 ? { gasUsed: 25_000_000 } : undefined
    const log = 'failed to execute message; message index: 0: no: invalid request'
    return { gasUsed: 0, failure: { code: 6, codespace: 'sdk', log } }
  }),
  // From the first start, a node reports a wrong sequence or account number, while the others do not.
  'account-lies': loneLie('account', random => {
    const [above, below] = [random.pick([1, 1000]), random.int(0, 1)]
    return ({ accountNumber, sequence, height }) =>
      random.pick([
        { sequence: sequence + above },
        { sequence: Math.max(0, sequence - above) },
        { accountNumber: accountNumber + 1n },
        { height: Math.max(1, height - below) }
      ])
  }),
  'gas-ceiling': nodeLie('refusal', random => {
    const most = random.pick([150_000, 300_000, 1_000_000])
    const log = `Too much gas wanted${random.pick(['', `, maximum is ${most}`])}: out of gas`
    const refusal = { code: 11, codespace: 'sdk', log, isTaken: false }
    return ({ gasLimit }) => (gasLimit > most ? refusal : undefined)
  }),
  'transfers-forbidden': condition('forbidsTransfers', [true], false),
  'no-funds': ({ network }, random) => {
    network.fund(random.pick([0n, 10_000n]))
    return () => network.fund(WALLET_FUNDS)
  },
  'not-whitelisted': condition('isWhitelisted', [false], true),
  'foreign-waiting': onNode((node, { network }) => network.sendForeign(node)),
  // A block contains a transaction from the same wallet that was in no mempool.
  'foreign-in-block': ({ network }) => network.addToNextBlock('ofTheWallet'),
  'unordered-in-block': ({ network }) => network.addToNextBlock('unordered'),
  'failed-early-in-block': ({ network }) => network.addToNextBlock('failedEarly'),
  'misreported-in-block': ({ network }) => network.addToNextBlock('misreported'),
  'clock-step': ({ clock }, random) => clock.step(random.pick([-1, 1]) * random.int(100, 300_000)),
  'blocks-halt': ({ network }) => set(network.troubles, 'isHalted', true, false), // No blocks are produced.
  'blocks-shuffled': ({ network }) => set(network.troubles, 'isShuffled', true, false), // Blocks reorder transactions.
  deaf: nodeTrouble('isMute'), // The engine is not notified of new blocks.
  'store-down': ({ store }) => set(store, 'isDown', true, false), // Reads and writes of the store fail.
  // The service is killed and restarts with an older copy of its store, or an empty store.
  'store-set-back': ({ database, setBack }, random) => {
    const restore = random.chance(0.3) ? database.empty : database.copy()
    return () => setBack(restore)
  }
} satisfies Record<string, Begin>

export type LastingFault = keyof typeof FAULTS
const LASTING: Record<LastingFault, Begin> = FAULTS

export const LASTING_FAULTS = Object.keys(FAULTS).filter((fault): fault is LastingFault => fault in FAULTS)

export function scheduleFaults(scene: Scene): void {
  const { clock, trace } = scene
  const { seed, faults, faultsEndMs } = scene.plan
  for (const fault of LASTING_FAULTS.filter(fault => faults.has(fault))) {
    const random = createRandom(seed, fault)
    for (let times = random.int(1, 5); times > 0; times--) {
      // Harmless once the service has started for the first time.
      const start = fault === 'account-lies' ? 0 : random.int(0, faultsEndMs)
      const end = Math.min(start + random.int(100, 4000), faultsEndMs)
      clock.after(start, () => {
        trace(() => `fault: ${fault}`)
        const finish = LASTING[fault](scene, random)
        if (typeof finish !== 'function') return
        clock.after(end - start, () => {
          trace(() => `fault over: ${fault}`)
          finish()
        })
      })
    }
  }
}
