import type { Clock } from '../../clock.ts'
import type { Logger } from '../../logger.ts'
import { HistoryPrunedError, NodeUnavailableError } from '../errors.ts'
import type { ChainClient, ChainNode, NodeStatus } from '../types.ts'
import { candidates } from './candidates.ts'
import { askInTurn } from './in-turn.ts'
import { createNodeState, type NodeState } from './node-state.ts'
import type { Question } from './rests.ts'
import { createSender } from './sender.ts'
import { createTroubleLog } from './trouble-log.ts'
import { watchNode } from './watch.ts'

/** A node may be so many blocks wrong about its newest block: several machines may answer behind one URL. */
const MAX_OVERSTATED = 3

const textOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** The answer of a node that cannot be used while another node may have a better one. */
type Verdict = 'good' | 'foreign' | 'missing'

/**
 * Several RPC nodes as one chain client (interface 19.2, 19.8 to 19.10). It watches the health of each node, by its status and by every
 * call, and passes over those that are not well. When none is, the least bad one is asked.
 * @param options.nodes in order of preference
 * @param options.clock the only source of time
 */
export function createNodePool(options: {
  nodes: readonly ChainNode[]
  clock: Clock
  log?: Logger
}): ChainClient {
  const { nodes, clock, log } = options
  if (nodes.length === 0) throw new TypeError('at least one RPC node is required')
  const hosts = nodes.map(({ host }) => host)
  const states = nodes.map((node, index) => {
    const isFirst = hosts.indexOf(node.host) === index
    return createNodeState(node, isFirst ? node.host : `${node.host} (${index + 1})`, clock)
  })
  let expectedChain: string | undefined
  let newestRead = 0
  const report = createTroubleLog(states, log)
  const sender = createSender(states, { expectedChain: () => expectedChain, failed, answered })

  /** To be called after every change of a node's health. */
  function reviewed(): void {
    report(expectedChain)
    sender.review()
  }

  /** The newest block that any node has which is well. */
  function newestOf(others: readonly NodeState[]): number {
    const well = others.filter(other => !other.trouble('reading', expectedChain))
    return Math.max(0, ...well.map(({ height }) => height))
  }

  function failed(state: NodeState, question: Question, reason: string): void {
    state.failed(question, reason)
    reviewed()
  }

  function distrust(state: NodeState, reason: string): boolean {
    const isNew = state.distrust(reason)
    reviewed()
    return isNew
  }

  function answered(state: NodeState, question: Question): void {
    state.answered(question)
    if (state.isSilent) watchOf(state).now()
    reviewed()
  }

  async function readStatus(state: NodeState): Promise<NodeStatus> {
    const expected = newestOf(states.filter(other => other !== state))
    const status = await state.node.status()
    state.reported(status, expected)
    reviewed()
    return status
  }

  /**
   * Puts a question to the first candidate, and to the next when that fails, follows another chain or does not have a
   * block that others have.
   */
  async function read<T>(
    question: Question,
    ask: (state: NodeState) => Promise<T>,
    { judge = () => 'good', height }: { judge?: (answer: T) => Verdict; height?: number } = {}
  ): Promise<{ state: NodeState; answer: T }> {
    const asked = candidates(states, {
      use: 'reading',
      expectedChain,
      ...(height !== undefined && { height })
    })
    const late = new Set<NodeState>()
    const setbacks: { state: NodeState; answer: T; verdict: Verdict }[] = []
    let pruned: HistoryPrunedError | undefined
    let failure: unknown

    async function attempt(state: NodeState) {
      // Who reported a block before the question was sent must have it.
      const reported = state.height
      const isMissedElsewhere = setbacks.some(({ verdict }) => verdict === 'missing')
      if (height !== undefined && isMissedElsewhere && reported < height) return undefined
      try {
        const answer = await ask(state)
        const verdict = judge(answer)
        if (verdict === 'missing' && height !== undefined && reported > height + MAX_OVERSTATED) {
          failed(state, question, `reported block ${reported} and does not have block ${height}`)
        } else if (!late.has(state)) answered(state, question)
        if (verdict === 'good') return { state, answer }
        if (verdict === 'foreign') distrust(state, 'follows another chain')
        setbacks.push({ state, answer, verdict })
      } catch (error) {
        if (error instanceof HistoryPrunedError) {
          state.prunedBelow(error.lowest)
          pruned = error
          return undefined
        }
        failed(state, question, textOf(error))
        failure = error
      }
      return undefined
    }

    const settled = await askInTurn(asked, attempt, {
      clock,
      onLate(state) {
        late.add(state)
        failed(state, question, 'answers late')
      }
    })
    if (settled) return settled
    const missing = setbacks.find(({ verdict }) => verdict === 'missing')
    if (missing) return missing
    // A node that has only just failed may have what the others lack.
    const isHopeless = states.every(
      state =>
        state.isGivenUp('reading') ||
        state.trouble('reading', expectedChain)?.rank === 'foreign' ||
        (height !== undefined && state.hasPruned(height))
    )
    const [foreign] = setbacks
    if (isHopeless && foreign) return foreign
    if (isHopeless && pruned) throw pruned
    throw failure ?? new NodeUnavailableError(hosts.join(), 'the nodes that are left do not answer')
  }

  const ofChain = ({ chainId }: { chainId: string }): Verdict =>
    expectedChain === undefined || chainId === expectedChain ? 'good' : 'foreign'

  const watches = states.map(state => ({
    state,
    watch: watchNode(state, clock, () =>
      readStatus(state).catch(error => failed(state, 'status', textOf(error)))
    )
  }))

  function watchOf(state: NodeState) {
    const found = watches.find(each => each.state === state)
    if (!found) throw new TypeError('a node without a watch')
    return found.watch
  }

  return {
    async status() {
      const { answer } = await read('status', readStatus, { judge: ofChain })
      return { chainId: answer.chainId, height: answer.height }
    },
    account: async address => (await read('account', ({ node }) => node.account(address))).answer,
    blockGasLimit: async () => (await read('blockGasLimit', ({ node }) => node.blockGasLimit())).answer,
    async block(height) {
      const { state, answer } = await read('block', ({ node }) => node.block(height), {
        judge: block => (block ? ofChain(block) : 'missing'),
        height
      })
      if (!answer) return undefined
      state.has(height)
      newestRead = Math.max(newestRead, height)
      return { ...answer, node: state.name }
    },
    simulate: (transaction, { elsewhere = false } = {}) => sender.simulate(transaction, elsewhere),
    broadcast: sender.broadcast,
    expectChain(chainId) {
      expectedChain = chainId
      reviewed()
    },
    distrust(name, reason) {
      const state = states.find(each => each.name === name)
      return state !== undefined && distrust(state, reason)
    },
    health() {
      const newest = newestOf(states)
      return states.map(state => state.health(expectedChain, newest))
    },
    onNewBlock(listener) {
      for (const state of states) {
        state.node.onNewBlock(height => {
          state.has(height)
          if (height > newestRead) listener()
        })
      }
    },
    onNodeChange: sender.onChange,
    async close() {
      for (const { watch } of watches) watch.stop()
      await Promise.all(nodes.map(node => node.close()))
    }
  }
}
