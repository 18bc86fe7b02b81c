import { HistoryPrunedError } from '../errors.ts'
import type { ChainNode } from '../types.ts'

/** Requests to a node, as in `ChainNode`. */
type NodeRequest = Exclude<keyof ChainNode, 'host' | 'onNewBlock' | 'close'>

/** The statuses of simulations and broadcasts; of other requests, whether there was an answer and what it said. */
export type NodeResult =
  | Awaited<ReturnType<ChainNode['simulate' | 'broadcast']>>['status']
  | 'answered'
  | 'missing'
  | 'pruned'

/** Is told of every request. @param node host and port */
export type NodeObserver = (node: string, request: NodeRequest, result: NodeResult, seconds: number) => void

/** A node whose requests are observed. */
export function observedNode(node: ChainNode, observe: NodeObserver): ChainNode {
  async function timed<T>(
    request: NodeRequest,
    ask: Promise<T>,
    resultOf: (answer: T) => NodeResult
  ): Promise<T> {
    const startedAt = performance.now()
    const record = (result: NodeResult) =>
      observe(node.host, request, result, (performance.now() - startedAt) / 1000)
    try {
      const answer = await ask
      record(resultOf(answer))
      return answer
    } catch (error) {
      record(error instanceof HistoryPrunedError ? 'pruned' : 'unavailable')
      throw error
    }
  }

  const found = (answer: unknown) => (answer === undefined ? 'missing' : 'answered')
  const answered = () => 'answered' as const

  return {
    host: node.host,
    status: () => timed('status', node.status(), answered),
    account: (address, height) => timed('account', node.account(address, height), found),
    blockLimits: () => timed('blockLimits', node.blockLimits(), answered),
    balance: (address, denom) => timed('balance', node.balance(address, denom), answered),
    simulate: simulation => timed('simulate', node.simulate(simulation), ({ status }) => status),
    broadcast: transaction => timed('broadcast', node.broadcast(transaction), ({ status }) => status),
    block: height => timed('block', node.block(height), found),
    onNewBlock: node.onNewBlock,
    close: node.close
  }
}
