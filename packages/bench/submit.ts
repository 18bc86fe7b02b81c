import type { Benchmark, Lab } from './lab.ts'
import { fullness, fullnessFigures, load } from './load.ts'
import { script } from './processes/child.ts'
import { type Network, startNetwork } from './processes/network.ts'
import { startService, untilReady } from './processes/server.ts'
import { afterBlock, wrongOf } from './submissions.ts'
import { runUsualWay } from './usual-way.ts'

const SMALLEST = { clients: 2, warmUp: 2, count: 6, usualMs: 0 }

/**
 * About 190 submissions fit into a block. One core can submit far more per second, so the bottleneck is the chain, not
 * the machine. There are also more than 190 clients, each of which waits for a block.
 */
const FILL = {
  network: { blockTimeMs: 1000, maxBlockGas: 8_000_000 },
  scale: { clients: 256, warmUp: 1000, count: 5000, usualMs: 20_000 }
}

interface Setup {
  network: { blockTimeMs: number; maxBlockGas: number }
  scale: typeof SMALLEST
}

/** Measures a service on its own network. */
async function measure(
  lab: Lab,
  setup: Setup,
  envOf: (network: Network) => Record<string, string> = () => ({})
) {
  const scale = lab.isSmallest
    ? { ...SMALLEST, clients: Math.min(SMALLEST.clients, setup.scale.clients) }
    : setup.scale
  const network = await startNetwork(lab, setup.network)
  const server = await startService(lab, network, envOf(network))
  await untilReady(server)
  const own = await load([server], scale)
  const { rss } = await server.usage({ collect: true })
  await server.stop()
  return { network, scale, own, rss, wrong: await wrongOf(network, own.answers) }
}

/** Measures a service, then the usual way on the same network with up to `mostUsual` clients. */
async function compare(lab: Lab, setup: Setup, mostUsual: number, env: Record<string, string> = {}) {
  const measured = await measure(lab, setup, () => env)
  const { network, scale } = measured
  return { ...measured, usual: await runUsualWay(network, Math.min(mostUsual, scale.clients), scale.usualMs) }
}

/** Measures how full blocks are when one core can submit more than the blocks can hold. */
const fill: Benchmark = async lab => {
  const { network, own, wrong, usual } = await compare(lab, FILL, FILL.scale.clients)
  const { answers, committed, perSecond } = usual
  return {
    title: 'Blocks',
    conditions:
      `${FILL.scale.clients} clients, each of which submits again when it has its response, ${FILL.scale.count} submissions; blocks ` +
      `of ${FILL.network.blockTimeMs} ms and ${FILL.network.maxBlockGas} gas. The usual way is a new CosmJS client for each ` +
      `request: it submitted ${answers.length} times, and ${committed} were committed.`,
    figures: [
      ...fullnessFigures(fullness(network, FILL.network, own), 90),
      {
        name: 'submissions per second',
        unit: '/s',
        value: own.perSecond,
        compared: { 'usual way': perSecond }
      },
      { name: 'CPU time of a submission, HTTP included', unit: 'ms', value: own.cpuMs }
    ],
    wrong
  }
}

/** Measures how full blocks are when each signature takes 50 ms, as with a key management service. */
const slowSigner: Benchmark = async lab => {
  const phrase = await measure(lab, FILL)
  const slow = await measure(lab, FILL, ({ address }) => ({
    SERVICE_SIGNER: script('signer-process'),
    SERVICE_SIGNER_ADDRESS: address
  }))
  const fullnessOf = ({ network, own }: typeof slow) => fullness(network, FILL.network, own)
  return {
    title: 'A signer of 50 ms',
    conditions: `As for blocks, with a signer that takes 50 ms for each transaction, and with the phrase.`,
    figures: [
      ...fullnessFigures(fullnessOf(slow), 90, ['phrase', fullnessOf(phrase)]),
      {
        name: 'submissions per second',
        unit: '/s',
        value: slow.own.perSecond,
        compared: { phrase: phrase.own.perSecond }
      }
    ],
    wrong: phrase.wrong + slow.wrong
  }
}

const LATENCY = {
  network: { blockTimeMs: 250, maxBlockGas: 40_000_000 },
  scale: { clients: 1, warmUp: 10, count: 100, usualMs: 25_000 }
}

/** Measures the time from a block to the response that a single client receives. */
const latency: Benchmark = async lab => {
  const { network, own, wrong, usual } = await compare(lab, LATENCY, 1)
  const figure = (name: string, part: number) => ({
    name: `response after its block, ${name}`,
    unit: 'ms',
    value: afterBlock(own.measured, network.blocks, part),
    compared: { 'usual way': afterBlock(usual.answers, network.blocks, part) }
  })
  return {
    title: 'From block to response',
    conditions: `One client, ${LATENCY.scale.count} submissions one after the other; blocks of ${LATENCY.network.blockTimeMs} ms.`,
    figures: [
      { ...figure('median', 0.5), limit: { atMost: 50 } },
      { ...figure('99 of 100', 0.99), limit: { atMost: 50 } }
    ],
    wrong
  }
}

/** Settings for blocks that can hold far more than one core can submit. */
const BATCHES = {
  network: { blockTimeMs: 1000, maxBlockGas: 2_000_000_000 },
  scale: { clients: 2000, warmUp: 20_000, count: 40_000, usualMs: 15_000 }
}

/** Measures the cost of a submission when the machine is the limit, not the chain. */
const batches: Benchmark = async lab => {
  const { own, rss, wrong, usual } = await compare(lab, BATCHES, 1, { LOG_LEVEL: 'warn' })
  return {
    title: 'Full batches',
    conditions:
      `${BATCHES.scale.clients} clients, ${BATCHES.scale.count} submissions after ${BATCHES.scale.warmUp} to warm up; blocks of ` +
      `${BATCHES.network.blockTimeMs} ms and ${BATCHES.network.maxBlockGas} gas; log of level warn. The usual way has one client.`,
    figures: [
      {
        name: 'CPU time of a submission, HTTP included',
        unit: 'ms',
        value: own.cpuMs,
        compared: { 'usual way, without HTTP': usual.cpuMs },
        limit: { atMost: 0.45 }
      },
      {
        name: 'submissions per second',
        unit: '/s',
        value: own.perSecond,
        compared: { 'usual way': usual.perSecond }
      },
      { name: 'memory after it', unit: 'MB', value: rss / 1e6 }
    ],
    wrong
  }
}

export const submit = [fill, slowSigner, latency, batches]
