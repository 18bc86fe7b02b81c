import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startNetwork, testEnv } from '../../helpers/app.ts'
import { startScript } from '../../helpers/process.ts'
import { startServer } from '../../helpers/server-process.ts'
import { test } from '../../helpers/tap.ts'
import { ownRequest } from '../../helpers/transfer.ts'
import { until } from '../../helpers/until.ts'
import type { FloodResult } from './flood.ts'

/** Number of clients at each of three addresses. */
const CLIENTS = 1000
const SECONDS = 10

test('a server flooded with submissions', async t => {
  const devnet = await startNetwork(t, { blockTimeMs: 1000 })
  const settings = {
    // Respond to accepted submissions immediately, so that clients keep submitting.
    SERVICE_SUBMIT_TIMEOUT: '0',
    RATE_LIMIT_MAX: '1000000',
    // With this plugin, a tenth of the clients can overload the server, even on a fast machine.
    SERVICE_CUSTOM_PLUGIN: fileURLToPath(new URL('./busy-plugin.js', import.meta.url))
  }
  const server = await startServer(t, testEnv(t, devnet, settings))

  const flood = startScript(t, 'test/server/long/flood.ts', server.url, String(CLIENTS), String(SECONDS))
  let isOver = false
  flood.exited.then(() => {
    isOver = true
  })
  const health: number[] = []
  while (!isOver) {
    const start = performance.now()
    const response = await fetch(`${server.url}/health`)
    t.equal(response.status, 200)
    health.push(performance.now() - start)
    await delay(100)
  }
  const { answers, refusedAfterMs, acceptedAfterMs, submissionIds }: FloodResult = JSON.parse(flood.stdout)
  const share = (values: number[], of: number) =>
    values.toSorted((a, b) => a - b)[Math.floor(values.length * of)] ?? 0
  t.comment(
    `responses ${JSON.stringify(answers)}; 503 after ${share(refusedAfterMs, 0.5)} ms, 99 %: ${share(refusedAfterMs, 0.99)} ms; ` +
      `202 after ${share(acceptedAfterMs, 0.5)} ms; ` +
      `/health ${share(health, 0.5)} ms, 99 %: ${share(health, 0.99)} ms`
  )

  await t.test('rejects the submissions that it cannot handle and accepts the rest', async t => {
    // The initial burst also exceeds the limit for upstream calls. They can time out if the flood shares a core.
    const expected = /^(none|202|503 (OVERLOADED|UPSTREAM_BUSY|COMPLIANCE_UNAVAILABLE)|504 UPSTREAM_TIMEOUT)$/
    for (const answer of Object.keys(answers)) t.match(answer, expected)
  })

  await t.test('accepts submissions again after the flood', async () => {
    const { path, body } = ownRequest('fee-after')
    const headers = { 'content-type': 'application/json' }
    const submitted = async (): Promise<{ submissionId: string } | false> => {
      const answer = await fetch(`${server.url}${path}`, { method: 'POST', headers, body })
      return answer.ok && JSON.parse(await answer.text())
    }
    const { submissionId } = await until(submitted, 'a submission is accepted after the flood')
    submissionIds.push(submissionId)
  })

  await t.test('executes every submission that it accepted', async t => {
    for (const id of submissionIds) {
      const state = async () => (await fetch(`${server.url}/submissions/${id}`)).text()
      await until(async () => (await state()).includes('"committed"'), `${id} is on the chain`)
    }
    t.equal(await server.stop(), 0)
  })
})
