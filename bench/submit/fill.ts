import type { Benchmark, Lab } from '../lab.ts'
import {
  type Answer,
  countOutcomes,
  during,
  isCommitted,
  runClients,
  type Submit,
  serviceClients
} from '../load/clients.ts'
import { usualWay } from '../load/usual-way.ts'
import { type BlockFacts, type Network, startNetwork } from '../processes/network.ts'
import { startServer } from '../processes/server.ts'
import { comparison } from '../report/chart/compare.ts'
import type { Figure } from '../report/figures.ts'
import { sum } from '../statistics.ts'

export const CLIENTS = 256

/**
 * About 170 submissions fit into a block. That is far less than one core can submit in a second, so that the chain is
 * the limit and not the machine. It is also less than the number of clients, each of which waits for its block.
 */
export const NETWORK = { blockTimeMs: 1000, maxBlockGas: 8_000_000 }

export const SERVICE_MS = 30_000
export const SHORT_MS = 4000
const USUAL_MS = 20_000
const ONE_BY_ONE_MS = 15_000
const USUAL_SHORT_MS = 500

/** Blocks that are not counted, while clients connect and the compiler warms up. */
const FIRST_BLOCKS = 8

export interface Run {
  answers: Answer[]
  /** The blocks during the run, without the first ones. */
  blocks: BlockFacts[]
  /** Committed submissions per second. */
  rate: number
}

export async function run(network: Network, clients: number, submit: Submit, ms: number): Promise<Run> {
  const start = Date.now()
  const answers = await runClients(clients, submit, during(ms))
  const end = start + ms
  const blocks = network.blocks.filter(({ committedAt }) => committedAt > start && committedAt <= end)
  const rate = sum(blocks.map(({ messages }) => messages)) / (ms / 1000)
  return { answers, blocks: blocks.slice(Math.min(FIRST_BLOCKS, blocks.length - 1)), rate }
}

export async function runService(network: Network, { directory, nodeArgs, isShort }: Lab): Promise<Run> {
  const { url, stop } = await startServer(network, { directory, nodeArgs })
  const { submit, close } = serviceClients([url], CLIENTS)
  const result = await run(network, CLIENTS, submit, isShort ? SHORT_MS : SERVICE_MS)
  await close()
  await stop()
  return result
}

const failures = ({ answers }: Run) => answers.filter(answer => !isCommitted(answer)).length

const outcomes = ({ answers }: Run) =>
  Object.entries(countOutcomes(answers))
    .map(([outcome, count]) => `${count} ${outcome}`)
    .join(', ')

/** What the blocks held, compared with what they can hold. Gas is the limit, not the bytes of a block. */
export function fullness(blocks: readonly BlockFacts[]) {
  const submissions = sum(blocks.map(({ messages }) => messages))
  const gasEach = sum(blocks.map(({ gasWanted }) => gasWanted)) / submissions
  const capacity = NETWORK.maxBlockGas / gasEach
  const perBlock = submissions / blocks.length
  return { perBlock, capacity, gasEach, percent: (100 * perBlock) / capacity }
}

function blockFigures({ blocks }: Run): Figure[] {
  const { perBlock, capacity, gasEach, percent } = fullness(blocks)
  return [
    {
      name: 'how full the blocks are',
      unit: '%',
      value: percent,
      target: { atLeast: 90 }
    },
    {
      name: 'submissions in a block',
      unit: '',
      value: perBlock,
      beside: [{ label: 'it can hold', value: capacity }]
    },
    { name: 'gas that a submission wants', unit: '', value: gasEach }
  ]
}

/** How full the engine makes blocks that hold less than one core can submit. */
export const fill: Benchmark = async lab => {
  const network = await startNetwork(lab, NETWORK)
  try {
    const service = await runService(network, lab)
    const submit = await usualWay(network)
    const usual = await run(network, CLIENTS, submit, lab.isShort ? USUAL_SHORT_MS : USUAL_MS)
    const oneByOne = await run(network, 1, submit, lab.isShort ? USUAL_SHORT_MS : ONE_BY_ONE_MS)
    const distinct = new Set(service.answers.filter(isCommitted).map(({ txId }) => txId)).size
    const beside = (value: number) => [{ label: 'usual way', value }]
    const rate: Figure = {
      name: 'submissions per second',
      unit: '/s',
      value: service.rate,
      beside: beside(usual.rate)
    }
    return {
      name: 'fill',
      conditions:
        `${CLIENTS} clients, each of which submits again when it has its answer; blocks of ` +
        `${NETWORK.blockTimeMs} ms and ${NETWORK.maxBlockGas} gas`,
      figures: [
        ...blockFigures(service),
        rate,
        {
          name: 'failed',
          unit: '',
          value: failures(service),
          target: { atMost: 0 },
          beside: beside(failures(usual))
        },
        { name: 'per second, the usual way one by one', unit: '/s', value: oneByOne.rate }
      ],
      charts: [comparison('rate', 'Submissions per second', { [`${CLIENTS} clients`]: rate })],
      notes: [
        `The service: ${outcomes(service)}, with ${distinct} transaction ids.`,
        `The usual way, ${CLIENTS} clients: ${outcomes(usual)}. One by one: ${outcomes(oneByOne)}.`
      ]
    }
  } finally {
    await network.stop()
  }
}
