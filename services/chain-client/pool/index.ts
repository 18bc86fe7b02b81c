import type { Clock } from '../../clock.ts'
import type { Logger } from '../../logger.ts'
import type { ChainClient, ChainNode, NodeStatus } from '../types.ts'
import { seekAgreement } from './agreement.ts'
import { createPooledNode, newestOf, type PooledNode, useOf, witnesses } from './node-health.ts'
import { createReader, type Verdict } from './reader.ts'
import { createSender } from './sender.ts'
import { createWitnesses } from './witness.ts'

/** The pause between two questions about a node's status; a node that does not answer rests for longer. */
const POLL_MS = 2000

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
  const { clock, log } = options
  if (options.nodes.length === 0) throw new TypeError('at least one RPC node is required')
  const pool = { clock, expectedChain: () => expectedChain, onChange }
  const nodes = options.nodes.map((node, index) => createPooledNode(node, nameOf(options.nodes, index), pool))
  const sender = createSender(nodes)
  const read = createReader(nodes, clock)
  const witnessOf = createWitnesses(nodes, clock)
  const passedOver = new Set<string>()
  const polls = new Map<PooledNode, () => void>()
  let expectedChain: string | undefined
  let newestRead = 0
  let isClosed = false

  /** Logs which nodes are passed over since the last change, and which are used again. */
  function onChange(): void {
    if (isClosed) return
    for (const { name, trouble } of nodes) {
      for (const use of ['reading', 'sending'] as const) {
        const key = `${use} ${name}`
        const present = trouble(use)
        if (present && !passedOver.has(key)) {
          passedOver.add(key)
          log?.warn({ node: name, use, reason: present.reason }, 'RPC node is passed over')
        } else if (!present && passedOver.delete(key)) {
          log?.info({ node: name, use }, 'RPC node is used again')
        }
      }
    }
    sender.review()
  }

  async function readStatus(from: PooledNode): Promise<NodeStatus> {
    const expected = newestOf(nodes.filter(other => other !== from))
    const status = await from.node.status()
    from.reported(status, expected)
    return status
  }

  /** Asks for a node's status again and again, one question at a time. */
  async function watch(node: PooledNode): Promise<void> {
    if (node.mayReport()) await readStatus(node).catch(error => node.failed('status', error))
    if (!isClosed)
      polls.set(
        node,
        clock.after(POLL_MS, () => watch(node))
      )
  }

  const judgeChain = ({ chainId }: { chainId: string }): Verdict =>
    expectedChain === undefined || chainId === expectedChain ? 'good' : 'foreign'

  for (const node of nodes) void watch(node)

  return {
    async status() {
      const { answer } = await read({
        question: 'status',
        ask: readStatus,
        judge: answer => judgeChain(answer)
      })
      return { chainId: answer.chainId, height: answer.height }
    },
    agreement: ({ question, ask, agree, said }) =>
      seekAgreement(witnesses(nodes, useOf(question)), {
        isOnly: nodes.length === 1,
        said,
        agree,
        async ask(from) {
          try {
            const answer = await ask(from.node)
            from.answered(question)
            return { answer }
          } catch (error) {
            from.failed(question, error)
            return undefined
          }
        }
      }),
    async balance(address, denom) {
      return (await read({ question: 'balance', ask: ({ node }) => node.balance(address, denom) })).answer
    },
    async block(height) {
      const witness = witnessOf(height)
      const { from, answer } = await read({
        question: 'block',
        ask: ({ node }) => node.block(height),
        judge: block => (block ? judgeChain(block) : 'missing'),
        height
      })
      if (!answer) return undefined
      if (judgeChain(answer) === 'good') from.has(height)
      newestRead = Math.max(newestRead, height)
      return { ...answer, node: from.name, ...(await witness(from)) }
    },
    simulate: sender.simulate,
    simulateEverywhere: sender.simulateEverywhere,
    broadcast: (transaction, { everywhere = false } = {}) => sender.broadcast(transaction, everywhere),
    expectChain(chainId) {
      expectedChain = chainId
      onChange()
    },
    distrust: (name, reason) => nodes.find(node => node.name === name)?.distrust(reason) ?? false,
    health() {
      const newest = newestOf(nodes)
      return nodes.map(node => node.health(newest))
    },
    onNewBlock(listener) {
      for (const { node, has } of nodes) {
        let announced = 0
        node.onNewBlock(height => {
          has(height)
          // A node announces once what is still unread, so a flood of announcements causes no flood of reads.
          if (height > newestRead && announced <= newestRead) listener()
          announced = Math.max(announced, height)
        })
      }
    },
    onNodeChange: sender.onChange,
    async close() {
      isClosed = true
      for (const cancel of polls.values()) cancel()
      await Promise.all(nodes.map(({ node }) => node.close()))
    }
  }
}

/** Two URLs may have one host. */
function nameOf(nodes: readonly ChainNode[], index: number): string {
  const host = nodes[index]?.host ?? ''
  const isFirst = nodes.findIndex(node => node.host === host) === index
  return isFirst ? host : `${host} (${index + 1})`
}
