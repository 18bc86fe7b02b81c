import { clientOf } from '../../../packages/client/client.ts'
import { ClientError, type Submitted } from '../../../packages/client/index.ts'
import type { paths } from '../../../packages/client/openapi.ts'
import createApi from '../../../packages/client/openapi-fetch.ts'
import { aborted, type Timing } from '../../../packages/client/timing.ts'
import { test } from '../../helpers/tap.ts'
import { TRANSFER } from '../../helpers/transfer-flow.ts'
import { createRandom } from '../../simulation/random.ts'
import { createVirtualClock, type VirtualClock } from '../../simulation/time/virtual-clock.ts'
import { createScheduledService } from './scheduled-service.ts'

const BODY = { ...TRANSFER, amount: '1', fee: '1', decimals: 6, options: '{"feeId":"f1"}' }

function timingOf(clock: VirtualClock): Timing {
  return {
    now: clock.elapsed,
    wait: (ms, signal) =>
      new Promise((resolve, reject) => {
        const abort = () => reject(aborted(signal))
        clock.after(ms, () => {
          signal?.removeEventListener('abort', abort)
          resolve()
        })
        signal?.addEventListener('abort', abort)
      }),
    requestMs: 600_000,
    firstStateMs: 600_000,
    silenceMs: 600_000
  }
}

interface Call {
  client: number
  name: string
  isRepeated: boolean
  begunAt: number
  endedAt?: number
  outcome?: Submitted | ClientError
}

/** Makes four calls at random times, aborts some of them and, depending on the seed, reloads the page. */
async function run(seed: number): Promise<string[]> {
  const clock = createVirtualClock()
  const random = createRandom(seed, 'calls')
  const service = createScheduledService(seed, clock)
  const clients = [0, 1].map(index => {
    const [baseUrl, fetch] = ['http://service.example', service.fetchOf(index)]
    return clientOf({ baseUrl, fetch, api: createApi<paths>({ baseUrl, fetch }), timing: timingOf(clock) })
  })
  const calls: Call[] = []

  async function submit(client: number, isRepeated: boolean, signal?: AbortSignal): Promise<Call> {
    const call: Call = { client, name: `c${calls.length}`, isRepeated, begunAt: clock.elapsed() }
    calls.push(call)
    const options = { idempotencyKey: call.name, isRepeated, ...(signal && { signal }) }
    call.outcome = await clients[client]?.submitAndWait({ ...BODY }, options).catch(error => error)
    call.endedAt = clock.elapsed()
    return call
  }

  const reloadsAt = random.chance(0.4) ? random.int(5_000, 200_000) : Number.POSITIVE_INFINITY
  for (const at of [0, ...[1, 2, 3].map(() => random.int(0, 250_000))]) {
    const client = at > reloadsAt ? 1 : 0
    const user = new AbortController()
    if (client === 0 && reloadsAt < 300_000) clock.after(reloadsAt, () => user.abort())
    if (random.chance(0.4)) clock.after(at + random.int(0, 120_000), () => user.abort())
    clock.after(at, () => void submit(client, client === 1 || random.chance(0.1), user.signal))
  }
  const isQuiet = () => calls.length === 4 && calls.every(({ endedAt }) => endedAt !== undefined)
  const runUntil = async (isOver: () => boolean) => {
    while (!isOver()) await clock.run(isOver)
  }
  await runUntil(isQuiet)
  const over = clock.elapsed() + 120_000
  await runUntil(() => clock.elapsed() > over)
  service.heal()

  const problems: string[] = []
  for (const { client, name, isRepeated, endedAt = 0, outcome } of calls) {
    if (!(outcome instanceof ClientError)) {
      if (service.isRefusedByChain)
        problems.push(`${name} returned a result for a payment that the chain rejected`)
    } else if (!outcome.mayBeAccepted && !service.isRefusedByChain) {
      const known = calls.filter(
        call => call.begunAt <= endedAt && (call.client === client || (isRepeated && call.client < client))
      )
      const paid = service.attempts.find(
        ({ call, submission }) => submission && known.some(({ name }) => name === call)
      )
      if (paid) problems.push(`${name} reported that nothing was accepted, but ${paid.call} was accepted`)
    }
  }
  if (!service.isRefusedByChain && service.submissions.size > 1)
    problems.push('the service accepted two payments')
  const last = submit(reloadsAt < 300_000 ? 1 : 0, false)
  await runUntil(() => calls[4]?.endedAt !== undefined)
  const { outcome } = await last
  const isTold =
    outcome instanceof ClientError
      ? service.isRefusedByChain && outcome.code === 'CHAIN_REJECTED' && !outcome.mayBeAccepted
      : !service.isRefusedByChain
  if (!isTold) problems.push('a later call does not return the result')
  return problems
}

test('never reports an executed payment as not accepted when calls are aborted and responses lost or damaged', async t => {
  for (let seed = 1; seed <= 150; seed += 1) {
    const problems = await run(seed)
    if (problems.length > 0) t.fail(`seed ${seed}: ${problems.join(', ')}`)
  }
  t.pass('150 schedules')
})
