import { startLoop } from '../../async/loop.ts'
import type { Clock } from '../../clock.ts'
import type { Logger } from '../../logger.ts'
import type { ChainClient, ChainNode, CrossCheck, NodeObserver, Quorum } from '../contract.ts'
import { createPooledNode, newestOf, nodesToConfirm, type PooledNode, useOf } from './node-health.ts'
import { createReading } from './reading.ts'
import { createSender } from './sender.ts'

/**
 * The maximum number of requests for an agreement. More than two, because a node that was wrong once might agree on a
 * retry.
 */
const MAX_QUESTIONS = 4

/**
 * Sends the request to one node after another until two agree (interface 19.18). An only node must send matching
 * responses twice in a row.
 * @param nodes in the order to try
 */
export async function seekQuorum<T>(
  nodes: readonly Pick<PooledNode, 'name' | 'ask'>[],
  isOnly: boolean,
  { question, ask, agree, earlier }: CrossCheck<T>
): Promise<Quorum<T>> {
  const responses = earlier ? [earlier] : []
  const others = nodes.filter(({ name }) => name !== earlier?.node)
  const inTurn = [...others, ...nodes.filter(({ name }) => name === earlier?.node)]
  // If several nodes are configured, a single node cannot agree with itself.
  const canAgree = isOnly || others.length > (earlier ? 0 : 1)
  const questions = canAgree ? Math.max(MAX_QUESTIONS, inTurn.length) : 1 - responses.length
  for (let asked = 0; asked < questions; asked++) {
    const node = inTurn[asked % inTurn.length]
    const answered = await node?.ask(question, ask).then(
      answer => ({ node: node.name, answer }),
      () => undefined
    )
    if (!answered) continue
    const comparable = isOnly ? responses.slice(-1) : responses.filter(({ node }) => node !== answered.node)
    const other = comparable.find(response => agree(response.answer, answered.answer))
    responses.push(answered)
    if (other) return { agreed: [other.answer, answered.answer], isByTwo: !isOnly, responses }
  }
  return { agreed: undefined, isByTwo: false, responses }
}

/**
 * Combines several RPC nodes into one chain client (interface 19.2).
 * @param options.nodes in order of preference
 */
export function createNodePool(options: {
  nodes: readonly ChainNode[]
  clock: Clock
  log?: Logger
  observe?: NodeObserver
}): ChainClient {
  const { clock, log, observe = () => {} } = options
  const skipped = new Set<string>()
  let expectedChain: string | undefined
  let isClosed = false

  const nodes: PooledNode[] = options.nodes.map((node, index) => {
    // Two URLs can have the same host.
    const isFirst = options.nodes.findIndex(({ host }) => host === node.host) === index
    return createPooledNode(node, isFirst ? node.host : `${node.host} (${index + 1})`, {
      clock,
      observe,
      expectedChain: () => expectedChain,
      newestOfOthers: asked => newestOf(nodes.filter(other => other.node !== asked)),
      onChange
    })
  })
  const { review, ...sender } = createSender(nodes)
  const reading = createReading(nodes, clock, isForeign)
  const polls = nodes.map(({ poll }) => startLoop('status', poll, { clock }))

  function isForeign(answer: unknown): boolean {
    const { chainId }: { chainId?: string } = Object(answer)
    return chainId !== undefined && expectedChain !== undefined && chainId !== expectedChain
  }

  function onChange(): void {
    if (isClosed) return
    for (const { name, trouble } of nodes) {
      for (const use of ['reading', 'sending'] as const) {
        const key = `${use} ${name}`
        const present = trouble(use)
        if (present && !skipped.has(key)) {
          skipped.add(key)
          log?.warn({ node: name, use, reason: present.reason }, 'RPC node skipped')
        } else if (!present && skipped.delete(key)) {
          log?.info({ node: name, use }, 'RPC node back in use')
        }
      }
    }
    review()
  }

  return {
    ...sender,
    block: reading.block,
    async status() {
      return (await reading.read('status', node => node.readStatus())).answer
    },
    crossCheck: check => seekQuorum(nodesToConfirm(nodes, useOf(check.question)), nodes.length === 1, check),
    async balance(address, denom) {
      const work = ({ ask }: PooledNode) => ask('balance', node => node.balance(address, denom))
      return (await reading.read('balance', work)).answer
    },
    expectChain(chainId) {
      expectedChain = chainId
      onChange()
    },
    quarantine: (name, reason) => nodes.find(node => node.name === name)?.quarantine(reason) ?? false,
    health: () => nodes.map(node => node.health()),
    onNewBlock(listener) {
      for (const { node, has } of nodes) {
        let announced = 0
        node.onNewBlock(height => {
          has(height)
          // Notify once per node until its announced block is read, so that many announcements do not cause many reads.
          if (height > reading.newest && announced <= reading.newest) listener()
          announced = Math.max(announced, height)
        })
      }
    },
    async close() {
      isClosed = true
      for (const poll of polls) void poll.stop()
      await Promise.all(nodes.map(({ node }) => node.close()))
    }
  }
}
