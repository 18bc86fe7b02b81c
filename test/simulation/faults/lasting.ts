import { type Failure, hasRequest } from '../model-chain/execution.ts'
import type { OddTransaction } from '../model-chain/foreign.ts'
import { CHAIN_ID } from '../model-chain/ledger.ts'
import type { Network } from '../model-chain/network.ts'
import type { ModelNode, NodeLies } from '../model-chain/node.ts'
import type { Random } from '../random.ts'
import type { StoreTroubles } from '../service/guarded-store.ts'
import type { Host } from '../service/host.ts'
import { CAPS, GAS_PRICE } from '../service/settings.ts'
import type { Disk } from '../store/disk.ts'
import type { SharedDatabase } from '../store/memory-database.ts'
import type { VirtualClock } from '../time/virtual-clock.ts'
import type { LastingFault } from './names.ts'
import { OUT_OF_GAS, PASSING_REFUSALS, PAUSES } from './refusals.ts'

export interface Scene {
  network: Network
  host: Host
  disk: Disk
  database: SharedDatabase
  /** Nodes that can fail permanently: all nodes but one. */
  spareNodes: readonly ModelNode[]
  store: StoreTroubles
  setBack(restore: () => void): void
  wallClock: Pick<VirtualClock, 'step'>
}

/** Starts a fault. @returns a function that ends the fault, or undefined if the fault is momentary or permanent */
type Begin = (scene: Scene, random: Random) => (() => void) | undefined

export const WALLET_FUNDS = 1e12

const RAISED_PRICES = [0.026, 0.05, 0.125]

const HUGE_GAS = 25_000_000

const pickNode = ({ network }: Scene, random: Random) => random.pick(network.nodes)

function set<T extends object, K extends keyof T>(target: T, key: K, value: T[K], usual: T[K]): () => void {
  target[key] = value
  return () => {
    target[key] = usual
  }
}

function nodeTrouble(trouble: keyof ModelNode['troubles']): Begin {
  return (scene, random) => {
    const node = pickNode(scene, random)
    node.troubles[trouble] = true
    return () => {
      node.troubles[trouble] = false
      node.catchUp()
    }
  }
}

function momentary(strike: (node: ModelNode, scene: Scene, random: Random) => void): Begin {
  return (scene, random) => {
    strike(pickNode(scene, random), scene, random)
  }
}

const onNode =
  (begin: (node: ModelNode, scene: Scene, random: Random) => ReturnType<Begin>): Begin =>
  (scene, random) =>
    begin(pickNode(scene, random), scene, random)

function permanent(strike: (node: ModelNode, scene: Scene, random: Random) => void): Begin {
  return (scene, random) => {
    if (scene.spareNodes.length > 0) strike(random.pick(scene.spareNodes), scene, random)
  }
}

/** Makes one node lie about a value that the engine accepts only if a second node agrees. */
function loneLie(begin: (node: ModelNode, scene: Scene, random: Random) => () => void): Begin {
  return (scene, random) => {
    const [liar] = scene.spareNodes
    return liar && begin(liar, scene, random)
  }
}

/** Makes a node return wrong responses. @param draw returns the random lie to use for the duration of the fault */
function nodeLie<K extends keyof NodeLies>(
  lie: K,
  draw: (random: Random, scene: Scene) => NodeLies[K]
): Begin {
  return onNode(({ lies }, scene, random) => set(lies, lie, draw(random, scene), undefined))
}

/**
 * Makes a node's CheckTx reject transactions, always or often, for a false reason. Affects either all transactions or
 * only those with a request, as if a mempool lane were full. Sometimes the node reports the error but accepts the
 * transaction.
 */
const falseRefusal = (refusals: readonly Failure[]) =>
  nodeLie('refusal', random => {
    const refusal = { ...random.pick(refusals), isTaken: random.chance(0.2) }
    const rate = random.pick([0.5, 0.9, 1])
    const isStruck = random.chance(0.5) ? hasRequest : () => true
    return transaction => (isStruck(transaction) && random.chance(rate) ? refusal : undefined)
  })

const oddTransaction = (kind: OddTransaction) =>
  momentary((_node, { network }) => network.addToNextBlock(kind))

export const LASTING: Record<LastingFault, Begin> = {
  restart({ host }) {
    void host.restart()
  },
  pause({ host }, random) {
    host.pause(random.int(500, 5000))
  },
  'cut-off'({ host }) {
    host.cutOff()
  },
  'node-down': nodeTrouble('isUnreachable'),
  'node-lags': nodeTrouble('isLagging'),
  'node-frozen': permanent(node => {
    node.troubles.isFrozen = true
  }),
  'node-pruned': permanent((node, _scene, random) => {
    node.view.keptBlocks = random.int(1, 5)
  }),
  'node-elsewhere': permanent((node, { disk }, random) => {
    // The fork begins before the cursor: an engine that reads this node first could not tell a later fork from the real
    // chain.
    if (!disk.walletState) return
    node.troubles.isFrozen = true
    node.view.stray = { chainId: random.pick([CHAIN_ID, 'other-1']), upTo: disk.walletState.cursorHeight - 1 }
  }),
  'results-late': onNode(({ view }, _scene, random) => set(view, 'resultsLateMs', random.int(50, 6000), 0)),
  'nonsense-status': onNode(({ view }, _scene, random) => {
    const misstate: typeof view.misstate = ({ height, blockTime }) =>
      random.pick([
        { height: height + random.int(1, 1000) },
        { height: 0 },
        { earliestHeight: height + random.int(-3, 3) },
        { blockTime: blockTime + random.int(-600_000, 600_000) },
        { catchingUp: true },
        {}
      ])
    return set(view, 'misstate', misstate, undefined)
  }),
  'node-isolated': nodeTrouble('isIsolated'),
  'mempool-full': nodeTrouble('isFull'),
  'no-simulation': nodeTrouble('cannotSimulate'),
  deaf: nodeTrouble('isMute'),
  'node-restart': momentary((node, { network }) => network.restart(node)),
  eviction: momentary((node, _scene, random) => node.evict(random.int(0, node.waiting().length - 1))),
  'foreign-waiting': momentary((node, { network }) => network.sendForeign(node)),
  'foreign-in-block': momentary((_node, { network }) => network.slipIntoNextBlock()),
  'slow-simulation': momentary((node, _scene, random) => {
    node.simulationMs = random.pick([100, 300, 450])
  }),
  'too-much-gas': nodeLie('gas', (random, { network }) => {
    const factor = random.int(2, 10)
    return gas => Math.min(gas * factor, network.ledger.blockGas, CAPS.maxMessageGas)
  }),
  'too-little-gas': nodeLie('gas', random => {
    const report = random.pick([
      () => 0,
      () => 1,
      (gas: number) => Math.floor(gas * 0.2),
      (gas: number) => gas >> 1
    ])
    return gas => (random.chance(0.8) ? report(gas) : gas)
  }),
  'out-of-gas-lies': falseRefusal([OUT_OF_GAS]),
  'passing-refusals': falseRefusal(PASSING_REFUSALS),
  'module-paused'({ network: { ledger }, disk }, random) {
    // Before the first control request has passed, the engine cannot tell a paused chain from bad requests.
    if (disk.walletState?.controlPassed) ledger.change({ pause: random.pick(PAUSES) })
    return () => ledger.change({ pause: undefined })
  },
  'unordered-in-block': oddTransaction('unordered'),
  'failed-early-in-block': oddTransaction('failedEarly'),
  'misreported-in-block': oddTransaction('misreported'),
  'clock-step'({ wallClock }, random) {
    wallClock.step(random.pick([-1, 1]) * random.int(100, 300_000))
  },
  'fee-raised': momentary((node, _scene, random) => {
    node.minGasPrice = random.pick(RAISED_PRICES)
  }),
  'fee-creeps': nodeLie('refusal', () => ({ fee }) => {
    const log = `insufficient fees; got: ${fee}unit required: ${fee + 1}unit: insufficient fee`
    return { code: 13, codespace: 'sdk', log, isTaken: false }
  }),
  'fee-absurd': nodeLie('refusal', random => {
    const factor = random.pick([2, 4, 1000, 1e9])
    return ({ fee, gasLimit }) => {
      const required = Math.ceil(gasLimit * GAS_PRICE * factor)
      const log = `insufficient fees; got: ${fee}unit required: ${required}unit: insufficient fee`
      return fee < required ? { code: 13, codespace: 'sdk', log, isTaken: false } : undefined
    }
  }),
  'block-limit-lies': loneLie(({ lies }, { network }, random) => {
    const { blockGas } = network.ledger
    const gas = random.pick([1, 60_000, blockGas * 10, 2 ** 40])
    const limits = random.chance(0.5) ? { gas } : { bytes: random.pick([1, 1000]) }
    return set(lies, 'blockLimits', limits, undefined)
  }),
  'huge-gas-by-index': loneLie(({ lies }) => {
    const simulation: NodeLies['simulation'] = ({ messages }) => {
      const [first, ...others] = messages
      if (first?.identity === 'controlRequest') return others.length > 0 ? { gasUsed: HUGE_GAS } : undefined
      const log = 'failed to execute message; message index: 0: no: invalid request'
      return { gasUsed: 0, failure: { code: 6, codespace: 'sdk', log } }
    }
    return set(lies, 'simulation', simulation, undefined)
  }),
  'account-lies': loneLie(({ view }, _scene, random) => {
    const [above, below] = [random.pick([1, 1000]), random.int(0, 1)]
    const misreport: typeof view.misreport = ({ accountNumber, sequence, height }) =>
      random.pick([
        { sequence: sequence + above },
        { sequence: Math.max(0, sequence - above) },
        { accountNumber: accountNumber + 1n },
        { height: Math.max(1, height - below) }
      ])
    return set(view, 'misreport', misreport, undefined)
  }),
  'gas-ceiling': nodeLie('refusal', random => {
    const most = random.pick([150_000, 300_000, 1_000_000])
    const log = `Too much gas wanted${random.pick(['', `, maximum is ${most}`])}: out of gas`
    return ({ gasLimit }) =>
      gasLimit > most ? { code: 11, codespace: 'sdk', log, isTaken: false } : undefined
  }),
  'transfers-forbidden'({ network: { ledger } }) {
    ledger.change({ forbidsTransfers: true })
    return () => ledger.change({ forbidsTransfers: false })
  },
  'no-funds'({ network: { ledger } }, random) {
    ledger.change({ balance: random.pick([0, 10_000]) })
    return () => ledger.change({ balance: WALLET_FUNDS })
  },
  'not-whitelisted'({ network: { ledger } }) {
    ledger.change({ isWhitelisted: false })
    return () => ledger.change({ isWhitelisted: true })
  },
  'blocks-halt': ({ network }) => set(network.troubles, 'isHalted', true, false),
  'blocks-shuffled': ({ network }) => set(network.troubles, 'isShuffled', true, false),
  'store-down': ({ store }) => set(store, 'isDown', true, false),
  'store-set-back'({ database, setBack }, random) {
    const restore = database.copy(random.chance(0.3) ? 'nothing' : 'all')
    return () => setBack(restore)
  }
}
