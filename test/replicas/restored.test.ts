import { decided, send } from '../faults/transfers.ts'
import { assertAnswersHold } from '../faults/verdict.ts'
import { operatorTool } from '../helpers/operator.ts'
import type { Told } from '../helpers/oracle/index.ts'
import { test } from '../helpers/tap.ts'
import { until } from '../helpers/until.ts'
import { replicaSite } from './replicas.ts'

const COUNT = 40

const named = (name: string) => Array.from({ length: COUNT }, (_, index) => `${name}-${index}`)

test('a database that was restored from a backup is brought up to date, and nothing is executed twice', async t => {
  const site = await replicaSite(t, { network: { control: true } })
  const { network, postgres, databaseUrl, running, door } = site
  const answers = new Map<string, Told[]>()

  const startAll = (env = {}) => Promise.all([site.start(env), site.start(env), site.start(env)])
  const stopAll = (signal: NodeJS.Signals) =>
    Promise.all([...running].map(replica => site.stop(replica, signal)))

  /** Sends transfers at once. @returns what clients were told */
  async function sendAll(feeIds: readonly string[]): Promise<Told[]> {
    return Promise.all(feeIds.map(async feeId => send(await door.find(), feeId)))
  }

  /** Sends transfers, again if need be, until each is decided, and keeps these answers. */
  async function settleAll(feeIds: readonly string[]): Promise<void> {
    await Promise.all(
      feeIds.map(async feeId => {
        const sent = async () => {
          const answer = await send(await door.find(), feeId)
          return answer.status !== 'lost' && answer.status !== 'closed' && answer
        }
        const taken = await until(sent, `${feeId} is accepted`)
        answers.set(feeId, [taken, await decided(await door.find(), taken)])
      })
    )
  }

  await startAll()
  await settleAll(named('before'))
  // These are queued, or signed, in the backup.
  network.control.pause()
  const waiting = await sendAll(named('waiting'))
  t.ok(waiting.every(({ status }) => status === 'pending'))
  await stopAll('SIGKILL')
  const restored = await until(
    () => postgres.createDatabase(databaseUrl).catch(() => undefined),
    'the database is copied'
  )
  network.control.resume()

  await startAll()
  await settleAll(named('after'))
  const unanswered = sendAll(named('last'))
  await stopAll('SIGKILL')
  await unanswered

  const env = { DATABASE_URL: restored }
  const tool = operatorTool(t, network, env)
  await startAll(env)
  const writing = ['bump-fee', '0', '--gas-price', '1', '--max-fee', '1']
  t.match(await tool(...writing), { code: 1, err: /is in use by 3 servers: stop them first/ })
  await settleAll([...named('waiting'), ...named('last'), ...named('after'), ...named('before')])
  for (const feeId of answers.keys()) t.match(answers.get(feeId)?.at(-1), { status: 'committed' }, feeId)
  t.match(await tool('verify', '--from', '1'), { code: 0, out: / 0 differences/ })
  await assertAnswersHold(t, network, running[0]?.url ?? '', answers)
})
