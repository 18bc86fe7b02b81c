import type { Devnet } from '../../../packages/devnet/index.ts'
import { startNetwork, testEnv } from '../../helpers/app.ts'
import { readChain, type Told } from '../../helpers/oracle/index.ts'
import { builtServer, type ServerProcess, startServer } from '../../helpers/server-process.ts'
import { type Test, test } from '../../helpers/tap.ts'
import { until } from '../../helpers/until.ts'
import { AWAY_WEBHOOK } from '../../helpers/webhook-receiver.ts'
import type { CrashPoint } from '../crash-points.ts'
import { decided, look, send, sendUntilTaken } from '../transfers.ts'
import { assertAnswersHold, assertEventsHold } from '../verdict.ts'

/** The test watches for `after inclusion` itself; the crash-points module detects the other points in the server. */
const POINTS: (CrashPoint | 'after inclusion')[] = [
  'before intake commit',
  'after intake commit',
  'before slot commit',
  'after slot commit',
  'broadcast sent',
  'response received',
  'after inclusion',
  'during results commit',
  'before results commit',
  'after results commit'
]

const EARLIER = 5

/** Sends transfers one at a time: each waits until the previous transaction is sent and recorded as sent. */
async function sendEarlier(url: string, { chain }: Devnet): Promise<Map<string, Told>> {
  const taken = new Map<string, Told>()
  for (let index = 0; index < EARLIER; index += 1) {
    const answer = await sendUntilTaken(url, `earlier-${index}`)
    taken.set(`earlier-${index}`, answer)
    if (answer.status !== 'pending') throw new Error(`expected a pending transfer, not ${answer.status}`)
    await until(() => chain.mempool.size > index, 'the node has the transaction')
    await look(url, answer.submissionId)
  }
  return taken
}

/** Kills the server as soon as a block includes the transfer, before the server can read the block. */
function killAtInclusion(t: Test, server: ServerProcess, devnet: Devnet, feeId: string): void {
  const leave = devnet.chain.onBlock(() => {
    if (readChain(devnet, devnet.addresses.development).executions.has(feeId)) server.kill('SIGKILL')
  })
  t.teardown(leave)
}

test('kill -9 at each point of a submission neither loses nor repeats a transfer', async t => {
  const preloaded = ['tsx/esm', '../crash-points.ts'].map(name => ['--import', import.meta.resolve(name)])
  const crashing = [...preloaded.flat(), await builtServer()]

  for (const name of POINTS) {
    const taken = name !== 'before intake commit'
    // Whether the chain must produce blocks for the server to reach the point.
    const blocks = /inclusion|results/.test(name)
    t.test(`survives a kill at the point "${name}"`, async t => {
      const devnet = await startNetwork(t, { blockTimeMs: 100 })
      // With this timeout, responses arrive while submissions are still pending.
      const env = testEnv(t, devnet, { SERVICE_SUBMIT_TIMEOUT: '1', ...AWAY_WEBHOOK })
      const before = await startServer(t, { ...env, CRASH_POINT: name }, crashing)
      await decided(before.url, await sendUntilTaken(before.url, 'first'))
      devnet.chain.pause()
      const earlier = await sendEarlier(before.url, devnet)

      before.kill('SIGWINCH')
      await before.saw(/crash point armed/)
      const sent = send(before.url, 'last')
      if (name === 'after inclusion') killAtInclusion(t, before, devnet, 'last')
      if (blocks) {
        // Otherwise the server may reach the crash point with an earlier block, before it has accepted the transfer.
        await until(() => devnet.chain.mempool.size > EARLIER, 'the node has the transfer')
        devnet.chain.resume()
      }
      t.equal(await before.exited, null, 'the server was killed')
      if (name !== 'after inclusion')
        t.ok(before.output.includes(`crash point reached: ${name}`), 'the server reached the crash point')
      t.match(await sent, { status: taken ? /lost|pending/ : 'lost' })
      devnet.chain.resume()

      const after = await startServer(t, env)
      const answers = new Map<string, Told[]>()
      for (const [feeId, answer] of earlier) answers.set(feeId, [await decided(after.url, answer)])
      // Once these later transfers are decided, `last` is decided too, even though its client has not retried.
      for (const feeId of ['first', 'next']) {
        answers.set(feeId, [await decided(after.url, await sendUntilTaken(after.url, feeId))])
      }
      const { executions } = readChain(devnet, devnet.addresses.development)
      t.equal(executions.get('last') ?? 0, taken ? 1 : 0, taken ? 'executed once' : 'never accepted')

      answers.set('last', [await decided(after.url, await sendUntilTaken(after.url, 'last'))])
      await assertAnswersHold(t, devnet, after.url, answers)
      await assertEventsHold(t, devnet, env)
    })
  }
})
