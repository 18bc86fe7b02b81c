import {
  type BroadcastResult,
  type ChainNode,
  NodeUnavailableError,
  type SimulationResult
} from '../../../services/chain-client/index.ts'
import type { Dice } from '../faults/dice.ts'
import type { Network } from '../model-chain/network.ts'
import type { ModelNode } from '../model-chain/node.ts'
import { decodeTransaction, type ModelTransaction, toModel } from '../model-chain/transaction.ts'
import type { Costs } from '../oracle/costs.ts'
import type { Random } from '../random.ts'
import type { VirtualClock } from '../time/virtual-clock.ts'
import type { Trace } from '../trace.ts'
import type { Process } from './process.ts'
import { createWire } from './wire.ts'

/** Initial timeout of a simulation. Doubles after each timeout, up to `LONGEST_SIMULATION_MS`. */
const SIMULATION_MS = 1000
const LONGEST_SIMULATION_MS = 4000

const RESULTS_PATIENCE_MS = 5000

const ABSURD_GAS = [2 ** 40, 2 ** 50, 2 ** 60]

export interface ChainNodeOptions {
  network: Network
  process: Process
  dice: Dice
  clock: VirtualClock
  random: Random
  trace: Trace
  costs: Costs
  latencyMs: number
}

export function createChainNodes(options: ChainNodeOptions): ChainNode[] {
  const gasReport = createGasReport(options)
  return options.network.nodes.map(node => createChainNode(node, gasReport, options))
}

/**
 * Creates a function that sometimes replaces the gas used with an absurd value. At most one of three consecutive
 * simulations reports an absurd value, because the engine could not refute more.
 */
function createGasReport({ dice, random }: ChainNodeOptions): (gasUsed: number) => number {
  let honest = 2
  return gasUsed => {
    honest += 1
    if (honest <= 2 || !dice.strikes('absurd-gas')) return gasUsed
    honest = 0
    return random.pick(ABSURD_GAS)
  }
}

function createChainNode(
  node: ModelNode,
  gasReport: (gasUsed: number) => number,
  options: ChainNodeOptions
): ChainNode {
  const { network, process, dice, clock, random, trace, costs, latencyMs } = options
  const wire = createWire(node, options)
  let simulationMs = SIMULATION_MS

  function broadcastHere(transaction: ModelTransaction): BroadcastResult {
    const lose = dice.strikes('silent-drop') ? 'all' : dice.strikes('stale-cache') ? 'mempool' : undefined
    const answer = node.broadcast(transaction, lose)
    trace(() => {
      const reason = 'log' in answer ? ` (${answer.log})` : ''
      const lost =
        lose && answer.status === 'accepted' ? ` and loses it, cache ${lose === 'all' ? 'too' : 'not'}` : ''
      return `chain: ${node.name} gets ${transaction.hash.slice(0, 8)}: ${answer.status}${reason}${lost}`
    })
    return answer
  }

  async function work(ms: number): Promise<void> {
    if (ms === 0) return
    const limit = simulationMs
    const isLate = ms > limit
    simulationMs = isLate ? Math.min(2 * limit, LONGEST_SIMULATION_MS) : Math.max(SIMULATION_MS, 2 * ms)
    await clock.delay(Math.min(ms, limit))
    if (isLate) throw new NodeUnavailableError(node.name, new Error('time-out'), { timedOut: true })
  }

  async function simulateHere(transaction: ModelTransaction): Promise<SimulationResult> {
    costs.simulated(transaction.messages.length)
    if (node.troubles.cannotSimulate) throw new Error('not now')
    await work(node.simulationMs * transaction.messages.length)
    const { gasUsed, failure } = node.simulate(transaction)
    if (failure) return { status: 'failed', ...failure }
    const gas = gasReport(gasUsed)
    if (gas <= 0 || !Number.isSafeInteger(gas))
      throw new Error('the simulation response contains no valid gas_used')
    return { status: 'passed', gasUsed: gas }
  }

  async function blockHere(height: number) {
    const block = node.view.block(height)
    const missingMs = block ? node.view.resultsAt(height) - clock.worldTime() : 0
    if (missingMs > 0) await clock.delay(Math.min(missingMs, RESULTS_PATIENCE_MS))
    if (missingMs > RESULTS_PATIENCE_MS) throw new NodeUnavailableError(node.name, new Error('no results'))
    return block
  }

  return {
    host: node.name,
    status: () => wire.ask('status', node.view.status),
    account: (_address, height) => wire.ask('account', () => node.view.account(height)),
    blockLimits: () =>
      wire.ask('blockLimits', () => ({
        gas: network.ledger.blockGas,
        bytes: undefined,
        ...node.lies.blockLimits
      })),
    balance: async () => 0n,
    requiredPrices: async () => ({ prices: [], areAll: true }),
    block: height => wire.ask('block', () => blockHere(height)),
    async simulate(simulation) {
      try {
        return await wire.ask('simulate', () => simulateHere(toModel(simulation)))
      } catch (error) {
        const timedOut = error instanceof NodeUnavailableError && error.timedOut
        return { status: 'unavailable', reason: String(error), timedOut }
      }
    },
    async broadcast(bytes) {
      try {
        return await wire.send('broadcast', () => broadcastHere(decodeTransaction(bytes)))
      } catch (error) {
        return { status: 'unavailable', reason: String(error) }
      }
    },
    onNewBlock(listener) {
      network.onBlock(() => {
        if (!process.isAlive || process.isCutOff || node.troubles.isMute) return
        const { height } = node
        clock.after(random.int(0, latencyMs), () => process.isAlive && !process.isPaused && listener(height))
      })
    },
    async close() {}
  }
}
