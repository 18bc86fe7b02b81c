import type { Benchmark, Lab } from '../lab.ts'
import {
  type Answer,
  countOutcomes,
  during,
  isCommitted,
  runClients,
  serviceClients
} from '../load/clients.ts'
import { usualWay } from '../load/usual-way.ts'
import { type BlockFacts, type Network, startNetwork } from '../processes/network.ts'
import { startServer } from '../processes/server.ts'
import { sum } from '../statistics.ts'

const CLIENTS = 256

/**
 * As much gas a second as a chain with blocks of a second and the usual 40,000,000 has, so that the chain is the
 * limit and not the machine; half of that in each block, so that 256 clients, each of which waits for its block
 * before it submits again, are more than a block holds.
 */
const NETWORK = { blockTimeMs: 500, maxBlockGas: 8_000_000 }

const ENGINE_MS = 20_000
const USUAL_MS = 15_000
const SERIAL_MS = 12_000

/** Blocks at either end of a run are not full for want of clients. */
const EDGE_BLOCKS = 3

/** The blocks that were made while all clients were at work. */
function inner(blocks: readonly BlockFacts[], answers: readonly Answer[], ms: number): BlockFacts[] {
  const start = Math.min(...answers.map(({ sentAt }) => sentAt))
  const during = blocks.filter(({ committedAt }) => committedAt > start && committedAt <= start + ms)
  return during.slice(EDGE_BLOCKS, -1)
}

function rate(answers: readonly Answer[], ms: number): number {
  const start = Math.min(...answers.map(({ sentAt }) => sentAt))
  const inTime = answers.filter(answer => isCommitted(answer) && answer.answeredAt <= start + ms)
  return inTime.length / (ms / 1000)
}

async function runService({ directory, nodeArgs }: Lab, network: Network) {
  const { url, stop } = await startServer(network, { directory, nodeArgs })
  const { submit, close } = serviceClients(url, CLIENTS)
  const before = sum(network.blocks.map(({ messages }) => messages))
  const answers = await runClients(CLIENTS, submit, during(ENGINE_MS))
  await close()
  await stop()
  const onChain = sum(network.blocks.map(({ messages }) => messages)) - before
  return { answers, onChain }
}

/** How full the engine makes blocks that hold less than one core can do. */
export const fill: Benchmark = async lab => {
  const network = await startNetwork(lab.directory, NETWORK)
  try {
    const { answers, onChain } = await runService(lab, network)
    const blocks = inner(network.blocks, answers, ENGINE_MS)
    const messages = sum(blocks.map(block => block.messages))
    const gasEach = sum(blocks.map(({ gasWanted }) => gasWanted)) / messages
    const capacity = NETWORK.maxBlockGas / gasEach
    const perBlock = messages / blocks.length
    const failed = answers.filter(answer => !isCommitted(answer)).length
    const ids = new Set(answers.map(({ txId }) => txId))

    const submit = await usualWay(network)
    const usual = await runClients(CLIENTS, submit, during(USUAL_MS))
    const serial = await runClients(1, submit, during(SERIAL_MS))
    const usualRate = rate(usual, USUAL_MS)
    return {
      name: 'fill',
      conditions: `${CLIENTS} clients, each waits for its answer; blocks of ${NETWORK.blockTimeMs} ms and ${NETWORK.maxBlockGas} gas`,
      figures: [
        { name: 'block fill', unit: '%', value: (100 * perBlock) / capacity, target: { atLeast: 90 } },
        {
          name: 'submissions per block',
          unit: '',
          value: perBlock,
          beside: { label: 'the block holds', value: capacity }
        },
        {
          name: 'failed',
          unit: '',
          value: failed,
          target: { atMost: 0 },
          beside: { label: 'usual way', value: usual.filter(answer => !isCommitted(answer)).length }
        },
        {
          name: 'submissions per second',
          unit: '/s',
          value: rate(answers, ENGINE_MS),
          beside: { label: 'usual way', value: usualRate }
        },
        { name: 'submissions per second, usual way one by one', unit: '/s', value: rate(serial, SERIAL_MS) }
      ],
      notes: [
        JSON.stringify({
          sent: answers.length,
          ids: ids.size,
          onChain,
          gasEach,
          outcomes: countOutcomes(answers),
          usual: countOutcomes(usual),
          serial: countOutcomes(serial)
        }),
        blocks.map(b => `${b.transactions}/${b.messages}`).join(' ')
      ]
    }
  } finally {
    await network.stop()
  }
}
