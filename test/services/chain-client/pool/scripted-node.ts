import {
  type BroadcastResult,
  type ChainBlock,
  type ChainNode,
  createNodePool,
  NodeUnavailableError,
  type SimulationResult
} from '../../../../services/chain-client/index.ts'
import { createVirtualClock, type VirtualClock } from '../../../simulation/time/virtual-clock.ts'
import { chainBlock } from '../../chain-block.ts'

type Method = 'status' | 'account' | 'blockLimits' | 'balance' | 'block' | 'simulate' | 'broadcast'

export interface ScriptedNode extends ChainNode {
  chainId: string
  height: number
  /** Methods that fail, and delays of slow methods in milliseconds. */
  failing: Set<Method>
  slow: Map<Method, number>
  asked: Method[]
  answers: { simulate: SimulationResult; broadcast: BroadcastResult; gasLimit: number }
  onBlock: ((height: number) => ChainBlock | undefined) | undefined
  announce(height: number): void
}

const unavailable = (error: unknown) => ({ status: 'unavailable', reason: String(error) }) as const

function scriptedNode(host: string, clock: VirtualClock): ScriptedNode {
  const listeners: ((height: number) => void)[] = []

  async function answer<T>(method: Method, result: () => T): Promise<T> {
    if (method !== 'status') node.asked.push(method)
    await clock.delay(node.slow.get(method) ?? 0)
    if (node.failing.has(method)) throw new NodeUnavailableError(host, `no ${method}`)
    return result()
  }

  const node: ScriptedNode = {
    host,
    chainId: 'chain-1',
    height: 100,
    failing: new Set(),
    slow: new Map(),
    asked: [],
    answers: {
      simulate: { status: 'passed', gasUsed: 7 },
      broadcast: { status: 'accepted' },
      gasLimit: 40_000_000
    },
    onBlock: undefined,
    announce(height) {
      node.height = height
      for (const listener of listeners) listener(height)
    },
    status: () =>
      answer('status', () => ({
        chainId: node.chainId,
        height: node.height,
        earliestHeight: 1,
        blockTime: clock.now(),
        catchingUp: false
      })),
    account: () => answer('account', () => ({ accountNumber: 1n, sequence: 2, height: 100 })),
    blockLimits: () => answer('blockLimits', () => ({ gas: node.answers.gasLimit, bytes: undefined })),
    balance: () => answer('balance', () => 7n),
    requiredPrices: async () => ({ prices: [], areAll: true }),
    block: height =>
      answer('block', () => {
        if (node.onBlock) return node.onBlock(height)
        return height <= node.height ? chainBlock(height, { chainId: node.chainId }) : undefined
      }),
    simulate: () =>
      answer('simulate', () => node.answers.simulate).catch(error => {
        return { ...unavailable(error), timedOut: false }
      }),
    broadcast: () => answer('broadcast', () => node.answers.broadcast).catch(unavailable),
    onNewBlock: listener => void listeners.push(listener),
    async close() {}
  }
  return node
}

export async function scriptedPool(count: 1 | 2 | 3) {
  const clock = createVirtualClock()
  const a = scriptedNode('a', clock)
  const b = scriptedNode('b', clock)
  const nodes = [a, b, scriptedNode('c', clock)].slice(0, count)
  const pool = createNodePool({ nodes, clock })
  let changes = 0
  pool.onNodeChange(() => {
    changes += 1
  })

  const pass = (ms: number): Promise<void> => answered(clock.delay(ms))

  async function answered<T>(promise: Promise<T>): Promise<T> {
    let isOver = false
    const settled = promise.finally(() => {
      isOver = true
    })
    settled.catch(() => {})
    await clock.run(() => isOver)
    return settled
  }

  await pass(1)
  return { pool, a, b, clock, pass, answered, changes: () => changes }
}
