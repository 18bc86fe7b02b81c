import {
  type BroadcastResult,
  type ChainNode,
  NodeUnavailableError,
  type SimulationResult
} from '../../../services/chain-client/index.ts'
import { encodeTransaction } from '../chain/messages.ts'
import type { ModelNode } from '../chain/node.ts'
import type { Context } from '../context.ts'
import type { Process } from './process.ts'
import type { HostContext } from './replica.ts'

const TIMEOUT_MS = 1000
/** The latest arrival of a broadcast. */
const LATEST_MS = 8000

/** Initial timeout of a simulation. Doubles after each timeout, up to `LONGEST_SIMULATION_MS`. */
const SIMULATION_MS = 1000
const LONGEST_SIMULATION_MS = 4000

const RESULTS_PATIENCE_MS = 5000

const ABSURD_GAS = [2 ** 40, 2 ** 50, 2 ** 60]

/** Sometimes replaces the gas used, in at most one of three simulations: the engine could not refute more. */
export function createGasReport({ dice, random }: Context): (gasUsed: number) => number {
  let honest = 2
  return gasUsed => {
    honest += 1
    if (honest <= 2 || !dice.strikes('absurd-gas')) return gasUsed
    honest = 0
    return random.pick(ABSURD_GAS)
  }
}

/** Creates a node as a process sees it: any call can take time, be lost or throw NodeUnavailableError. */
export function createChainNode(
  node: ModelNode,
  gasReport: (gasUsed: number) => number,
  context: HostContext & { process: Process }
): ChainNode {
  const { network, process, dice, clock, random, trace } = context
  const { latencyMs } = context.plan
  const gas = Number(network.chain.app.maxBlockGas)
  let simulationMs = SIMULATION_MS

  const failed = (reason: string, timedOut = false) =>
    new NodeUnavailableError(node.name, new Error(reason), { timedOut })

  const unavailable = (error: unknown) => {
    const timedOut = error instanceof NodeUnavailableError && error.timedOut
    return { status: 'unavailable', reason: String(error), timedOut } as const
  }

  async function travel(): Promise<void> {
    if (latencyMs > 0 && random.chance(0.5)) await clock.delay(random.int(1, Math.ceil(latencyMs / 2)))
  }

  async function lose(reason: string): Promise<never> {
    const timedOut = random.chance(0.5)
    await clock.delay(timedOut ? TIMEOUT_MS : 1)
    throw failed(reason, timedOut)
  }

  async function exchange<T>(work: () => T | Promise<T>): Promise<T> {
    const isLost = dice.strikes('lost-answer')
    if (isLost && random.chance(0.5)) return lose('request lost')
    await travel()
    if (node.troubles.isUnreachable || process.isCutOff()) throw failed('connection refused')
    const answer = await work()
    if (isLost) return lose('answer lost')
    await travel()
    return answer
  }

  const ask = <T>(name: string, work: () => T | Promise<T>): Promise<T> =>
    process.call(`chain.${name}`, () => exchange(work))

  function broadcastHere(bytes: Uint8Array): BroadcastResult {
    const loss = (['silent-drop', 'stale-cache'] as const).find(dice.strikes)
    const answer = node.broadcast(bytes, loss && { cached: loss === 'stale-cache' })
    trace(() => {
      const reason = 'log' in answer ? ` (${answer.log})` : ''
      const lost = loss && answer.status === 'accepted' ? `, ${loss}` : ''
      return `chain: ${node.name} gets a transaction: ${answer.status}${reason}${lost}`
    })
    return answer
  }

  async function send(bytes: Uint8Array): Promise<BroadcastResult> {
    if (process.isCutOff()) return lose('request lost')
    const work = () => broadcastHere(bytes)
    const isLate = dice.strikes('late-request')
    if (isLate || dice.strikes('duplicate')) clock.after(random.int(0, LATEST_MS), work)
    if (!isLate) return exchange(work)
    await clock.delay(random.int(1, TIMEOUT_MS))
    throw failed('time-out', true)
  }

  async function work(ms: number): Promise<void> {
    if (ms === 0) return
    const limit = simulationMs
    const isLate = ms > limit
    simulationMs = isLate ? Math.min(2 * limit, LONGEST_SIMULATION_MS) : Math.max(SIMULATION_MS, 2 * ms)
    await clock.delay(Math.min(ms, limit))
    if (isLate) throw failed('time-out', true)
  }

  async function simulateHere(bytes: Uint8Array, messageCount: number): Promise<SimulationResult> {
    context.costs.simulated(messageCount)
    if (node.troubles.cannotSimulate) throw new Error('not now')
    await work(node.simulationMs * messageCount)
    const { gasUsed, failure } = node.simulate(bytes)
    if (failure) return { status: 'failed', ...failure }
    const gas = gasReport(gasUsed)
    if (gas <= 0 || !Number.isSafeInteger(gas))
      throw new Error('the simulation response contains no valid gas_used')
    return { status: 'passed', gasUsed: gas }
  }

  async function blockHere(height: number) {
    const block = node.block(height)
    const missingMs = block ? node.resultsAt(height) - clock.worldTime() : 0
    if (missingMs > 0) await clock.delay(Math.min(missingMs, RESULTS_PATIENCE_MS))
    if (missingMs > RESULTS_PATIENCE_MS) throw failed('no results')
    return block
  }

  return {
    host: node.name,
    status: () => ask('status', node.status),
    account: (_address, height) => ask('account', () => node.account(height)),
    blockLimits: () => ask('blockLimits', () => ({ gas, bytes: undefined, ...node.lies.blockLimits?.() })),
    balance: async () => 0n,
    requiredPrices: async () => ({ prices: [], areAll: true }),
    block: height => ask('block', () => blockHere(height)),
    simulate({ messages, publicKey, sequence }) {
      const bytes = encodeTransaction({ messages, signers: [{ sequence, publicKey, accountNumber: 0 }] })
      return ask('simulate', () => simulateHere(bytes, messages.length)).catch(unavailable)
    },
    broadcast: bytes => process.call('chain.broadcast', () => send(bytes)).catch(unavailable),
    onNewBlock(listener) {
      network.onBlock(() => {
        if (!process.isAlive || process.isCutOff() || node.troubles.isMute) return
        const height = node.height()
        clock.after(
          random.int(0, latencyMs),
          () => process.isAlive && !process.isPaused() && listener(height)
        )
      })
    },
    async close() {}
  }
}
