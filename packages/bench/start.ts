import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { submitBody } from '../../test/helpers/transfer.ts'
import { until } from '../../test/helpers/until.ts'
import { HEALTH, serve } from './answers.ts'
import type { Benchmark } from './lab.ts'
import { startNetwork } from './processes/network.ts'
import { type Server, startService } from './processes/server.ts'
import type { Figure } from './report.ts'
import { median } from './statistics.ts'

const NETWORK = { blockTimeMs: 1000, maxBlockGas: 40_000_000 }

const USUAL = { warmUp: 1, rounds: 9, idleMs: 5000 }
const SMALLEST = { warmUp: 0, rounds: 1, idleMs: 0 }

/** The measurements of a single start. */
interface Start {
  /** From the start of the process to the first response of `/health`, in milliseconds. */
  healthyMs: number
  /** CPU time of the whole process until the first response, in milliseconds. */
  cpuMs: number
  /** From the first response to the first accepted submission, in milliseconds. */
  acceptedMs: number
  /** Resident memory when idle, in bytes. */
  rss: number
}

async function measure(
  launch: () => Promise<Server>,
  use: (url: string) => Promise<unknown>,
  idleMs: number
) {
  const begin = performance.now()
  const { url, usage, stop } = await launch()
  const healthyAt = performance.now()
  const { cpuMs } = await usage()
  await use(url)
  const acceptedMs = performance.now() - healthyAt
  await delay(idleMs)
  const { rss } = await usage()
  await stop()
  return { healthyMs: healthyAt - begin, cpuMs, acceptedMs, rss }
}

/** Retries until a submission is accepted. */
async function submitFirst(url: string): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const request = { method: 'POST', headers, body: submitBody(randomUUID()) }
  await until(async () => (await fetch(`${url}/submit`, request)).status === 202, 'a submission is accepted')
}

/** Measures the startup time and memory of the built server, compared with a bare Fastify. */
const timeAndMemory: Benchmark = async lab => {
  const { warmUp, rounds, idleMs } = lab.isSmallest ? SMALLEST : USUAL
  const network = await startNetwork(lab, NETWORK)
  const [own, bare]: [Start[], Start[]] = [[], []]
  // Start the two servers alternately, so that the machine's noise affects both. The first round fills the disk cache.
  for (let round = 0; round < warmUp + rounds; round += 1) {
    // With a timeout of 0, the service responds as soon as the submission is stored.
    const service = () => startService(lab, network, { SERVICE_SUBMIT_TIMEOUT: '0' })
    const one = await measure(service, submitFirst, idleMs)
    const other = await measure(
      () => serve(lab, 'bare', [HEALTH]),
      async () => {},
      idleMs
    )
    if (round < warmUp) continue
    own.push(one)
    bare.push(other)
  }

  const of = (starts: Start[], what: keyof Start) => median(starts.map(start => start[what]))
  const compared = (name: string, unit: string, what: keyof Start, scale = 1): Figure => ({
    name,
    unit,
    value: of(own, what) / scale,
    compared: { 'bare Fastify': of(bare, what) / scale }
  })
  const ratio = (what: keyof Start, atMost: number): Figure => ({
    name: 'the same as a ratio',
    unit: '',
    value: of(own, what) / of(bare, what),
    limit: { atMost }
  })
  return {
    title: 'Start',
    conditions:
      `From the start of the process, with a new store; memory ${USUAL.idleMs / 1000} s later, while the server follows the ` +
      `chain; ${USUAL.rounds} rounds by turns; medians. Bare is a Fastify without plugins and with one route.`,
    figures: [
      compared('until the first response of `/health`', 'ms', 'healthyMs'),
      ratio('healthyMs', 4),
      compared('CPU time until then', 'ms', 'cpuMs'),
      {
        name: 'until a submission is accepted, from then',
        unit: 'ms',
        value: of(own, 'acceptedMs'),
        limit: { atMost: 1000 }
      },
      compared('memory of the idle process', 'MB', 'rss', 1e6),
      ratio('rss', 2)
    ],
    wrong: 0
  }
}

export const start = [timeAndMemory]
