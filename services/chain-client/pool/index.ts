import type { Clock } from '../../clock.ts'
import type { Logger } from '../../logger.ts'
import type { ChainClient, ChainNode, NodeStatus } from '../types.ts'
import { seekAgreement } from './agreement.ts'
import { witnesses } from './candidates.ts'
import { createNodeState, type NodeState, useOf } from './node-state.ts'
import { createPoolHealth } from './pool-health.ts'
import { createReader, type Verdict } from './reader.ts'
import { createSender } from './sender.ts'
import { watchNode } from './watch.ts'
import { createWitnesses } from './witness.ts'

/**
 * Several RPC nodes as one chain client (interface 19.2, 19.8 to 19.10). It watches the health of each node, by its
 * status and by every call, and passes over those that are not well. When none is, the least bad one is asked.
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
  const states = nodes.map((node, index) => createNodeState(node, nameOf(nodes, index), clock))
  const health = createPoolHealth(states, log)
  const sender = createSender(states, health)
  const read = createReader(states, health, clock)
  const { of: witnessOf } = createWitnesses(states, health, clock)
  const watches = states.map(state =>
    watchNode(state, clock, () => readStatus(state).catch(error => health.failed(state, 'status', error)))
  )
  let newestRead = 0

  async function readStatus(state: NodeState): Promise<NodeStatus> {
    const expected = health.newestOf(states.filter(other => other !== state))
    const status = await state.node.status()
    health.update(() => state.reported(status, expected))
    return status
  }

  function judgeChain({ chainId }: { chainId: string }): Verdict {
    return health.expectedChain === undefined || chainId === health.expectedChain ? 'good' : 'foreign'
  }

  return {
    async status() {
      const { answer } = await read({
        question: 'status',
        ask: readStatus,
        judge: answer => judgeChain(answer)
      })
      return { chainId: answer.chainId, height: answer.height }
    },
    agreement({ question, ask, agree, said }) {
      return seekAgreement(witnesses(states, { use: useOf(question), expectedChain: health.expectedChain }), {
        isOnly: states.length === 1,
        said,
        agree,
        async ask(state) {
          try {
            const answer = await ask(state.node)
            health.answered(state, question)
            return { answer }
          } catch (error) {
            health.failed(state, question, error)
            return undefined
          }
        }
      })
    },
    async blockByteLimit() {
      return (await read({ question: 'blockGasLimit', ask: ({ node }) => node.blockByteLimit() })).answer
    },
    async balance(address, denom) {
      return (await read({ question: 'balance', ask: ({ node }) => node.balance(address, denom) })).answer
    },
    async block(height) {
      const witness = witnessOf(height)
      const { state, answer } = await read({
        question: 'block',
        ask: ({ node }) => node.block(height),
        judge: block => (block ? judgeChain(block) : 'missing'),
        height
      })
      if (!answer) return undefined
      if (judgeChain(answer) === 'good') state.has(height)
      newestRead = Math.max(newestRead, height)
      return { ...answer, node: state.name, ...(await witness(state)) }
    },
    simulate: sender.simulate,
    simulateEverywhere: sender.simulateEverywhere,
    broadcast: (transaction, { everywhere = false } = {}) => sender.broadcast(transaction, everywhere),
    expectChain(chainId) {
      health.update(() => {
        health.expectedChain = chainId
      })
    },
    distrust(name, reason) {
      const state = states.find(each => each.name === name)
      return state !== undefined && health.update(() => state.distrust(reason))
    },
    health() {
      const newest = health.newestOf(states)
      return states.map(state => state.health(health.expectedChain, newest))
    },
    onNewBlock(listener) {
      for (const state of states) {
        let announced = 0
        state.node.onNewBlock(height => {
          state.has(height)
          // A node announces once what is still unread, so a flood of announcements causes no flood of reads.
          if (height > newestRead && announced <= newestRead) listener()
          announced = Math.max(announced, height)
        })
      }
    },
    onNodeChange: sender.onChange,
    async close() {
      health.close()
      for (const watch of watches) watch.stop()
      await Promise.all(nodes.map(node => node.close()))
    }
  }
}

/** Two URLs may have one host. */
function nameOf(nodes: readonly ChainNode[], index: number): string {
  const host = nodes[index]?.host ?? ''
  const isFirst = nodes.findIndex(node => node.host === host) === index
  return isFirst ? host : `${host} (${index + 1})`
}
