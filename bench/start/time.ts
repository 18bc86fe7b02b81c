import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { submitBody } from '../../test/helpers/transfer.ts'
import { until } from '../../test/helpers/until.ts'
import type { Benchmark, Lab } from '../lab.ts'
import { startNetwork } from '../processes/network.ts'
import { comparison } from '../report/chart/compare.ts'
import type { Figure } from '../report/figures.ts'
import { median } from '../statistics.ts'
import { bare, service } from './launch.ts'
import { type StartTimes, timedStart } from './timed-start.ts'

const NETWORK = { blockTimeMs: 1000, maxBlockGas: 40_000_000 }
const ROUNDS = 9

/** Submits until a submission is stored. */
async function submitFirst(url: string): Promise<void> {
  const request = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: submitBody(randomUUID())
  }
  await until(async () => {
    const { status } = await fetch(`${url}/submit`, request)
    if (status !== 202 && status !== 503) throw new Error(`the first submission was answered ${status}`)
    return status === 202
  }, 'a submission is taken')
}

/** By turns, so that what else the machine does hits both. The first round fills the caches of the disk. */
async function measure(lab: Lab) {
  const network = await startNetwork(lab, NETWORK)
  lab.teardown(network.stop)
  const measured = { own: [] as StartTimes[], bare: [] as StartTimes[], takenMs: [] as number[] }
  const rounds = lab.isShort ? 1 : ROUNDS
  for (let round = 0; round <= rounds; round++) {
    const own = await timedStart(service(network, lab), join(lab.directory, `service-${round}`))
    await submitFirst(own.serving.url)
    const takenMs = performance.now() - own.healthyAt
    await own.serving.stop()
    const other = await timedStart(bare(lab), join(lab.directory, `bare-${round}`))
    await other.serving.stop()
    if (round === 0) continue
    measured.own.push(own.times)
    measured.bare.push(other.times)
    measured.takenMs.push(takenMs)
  }
  return measured
}

/** How long the built server takes until it answers and until it takes a submission, compared with a bare Fastify. */
export const time: Benchmark = async lab => {
  const { own, bare: others, takenMs } = await measure(lab)
  const of = (starts: readonly StartTimes[], what: keyof StartTimes) =>
    median(starts.map(start => start[what]))
  const compared = (name: string, what: keyof StartTimes): Figure => ({
    name,
    unit: 'ms',
    value: of(own, what),
    beside: [{ label: 'bare Fastify', value: of(others, what) }]
  })
  const healthy = compared('until the first answer of /health', 'healthyMs')
  const cpu = compared('CPU time until then', 'cpuMs')
  const ratio = of(own, 'healthyMs') / of(others, 'healthyMs')
  return {
    name: 'time',
    conditions: `from the start of the process, with a new store; ${ROUNDS} rounds by turns; medians`,
    figures: [
      healthy,
      { name: 'the same as a ratio to bare', unit: '', value: ratio, target: { atMost: 2.5 } },
      cpu,
      {
        name: 'a first submission is taken after it',
        unit: 'ms',
        value: median(takenMs),
        target: { atMost: 1000 }
      }
    ],
    charts: [
      comparison('time', 'From the start of the process to the first answer', {
        time: healthy,
        'CPU time': cpu
      })
    ],
    notes: ['Bare is a Fastify without plugins and with one route.']
  }
}
