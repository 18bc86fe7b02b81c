import {
  type BroadcastAnswer,
  type ChainClient,
  NodeUnavailableError
} from '../../../services/chain-client/index.ts'
import type { Dice } from '../faults/dice.ts'
import { CHAIN_ID } from '../model-chain/ledger.ts'
import type { Network } from '../model-chain/network.ts'
import type { ModelNode } from '../model-chain/node.ts'
import { decodeTransaction, type ModelTransaction } from '../model-chain/transaction.ts'
import type { Costs } from '../oracle/costs.ts'
import type { Random } from '../random.ts'
import type { VirtualClock } from '../time/virtual-clock.ts'
import type { Trace } from '../trace.ts'
import type { Process } from './process.ts'
import { createWire } from './wire.ts'

const ABSURD_GAS = [2 ** 50, 2 ** 60, 2 ** 63]

/** The chain client of a process, whose calls reach one node at a time over a lossy wire. */
export function createModelClient(options: {
  network: Network
  process: Process
  dice: Dice
  clock: VirtualClock
  random: Random
  trace: Trace
  latencyMs: number
  costs: Costs
}): ChainClient {
  const { network, process, dice, clock, random, trace } = options
  const { ledger } = network
  const wire = createWire(options)
  let isGasAbsurd = false

  /** The gas that a simulation reports. Absurd gas is not reported twice in a row, since nothing could refute it. */
  function reported(gasUsed: number): number {
    isGasAbsurd = !isGasAbsurd && dice.strikes('absurd-gas')
    return isGasAbsurd ? random.pick(ABSURD_GAS) : gasUsed
  }

  function broadcastAt(node: ModelNode, transaction: ModelTransaction): BroadcastAnswer {
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

  return {
    status: () => wire.ask('status', ({ height }) => ({ chainId: CHAIN_ID, height })),
    account: () =>
      wire.ask('account', ({ height }) => ({
        accountNumber: 7n,
        sequence: ledger.stateAt(height).sequence,
        height
      })),
    blockGasLimit: () => wire.ask('blockGasLimit', () => ledger.blockGas),
    block: height =>
      wire.ask('block', node => {
        const block = height <= node.height ? ledger.block(height) : undefined
        return block && { ...block, node: node.name }
      }),
    expectChain() {},
    distrust: () => false,
    health: () => [],
    async simulate(bytes) {
      try {
        const transaction = decodeTransaction(bytes)
        const { gasUsed, failure } = await wire.ask('simulate', async node => {
          options.costs.simulated(transaction.messages.length)
          if (node.troubles.cannotSimulate) throw new Error('not now')
          await wire.work(node.simulationMs * transaction.messages.length)
          return node.simulate(transaction)
        })
        if (failure) return { status: 'failed', ...failure }
        const gas = reported(gasUsed)
        if (gas > 0 && Number.isSafeInteger(gas)) return { status: 'passed', gasUsed: gas }
        return { status: 'unavailable', reason: 'the gas of a simulation cannot be read' }
      } catch (error) {
        return { status: 'unavailable', reason: String(error), late: false }
      }
    },
    async broadcast(bytes) {
      const transaction = decodeTransaction(bytes)
      try {
        return await wire.send('broadcast', node => broadcastAt(node, transaction))
      } catch (error) {
        return {
          status: 'unavailable',
          reason: error instanceof NodeUnavailableError ? error.message : String(error)
        }
      }
    },
    onNewBlock(listener) {
      network.onBlock(() => {
        if (!process.isAlive || wire.node().troubles.isMute) return
        clock.after(random.int(0, options.latencyMs), () => process.isAlive && listener())
      })
    },
    onNodeChange: wire.onChange,
    async close() {}
  }
}
