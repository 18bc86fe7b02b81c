import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startNetwork, testEnv } from '../../helpers/app.ts'
import { patientPost } from '../../helpers/patient-fetch.ts'
import { startScript } from '../../helpers/process.ts'
import { startServer } from '../../helpers/server-process.ts'
import { test } from '../../helpers/tap.ts'
import { submitBody } from '../../helpers/transfer.ts'
import { until } from '../../helpers/until.ts'
import type { FloodResult } from './flood.ts'

/** Number of clients at each of three addresses. */
const CLIENTS = 1000
const SECONDS = 10

test('a flooded server rejects requests, executes all that it accepted, and recovers', async t => {
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
  while (!isOver) {
    t.equal((await fetch(`${server.url}/health`)).status, 200)
    await delay(100)
  }
  const { answers, submissionIds }: FloodResult = JSON.parse(flood.stdout)
  t.comment(JSON.stringify(answers))

  // The initial burst also exceeds the limit for upstream calls. They, and the first call to a node, can time out if the
  // flood shares a core.
  const expected =
    /^(none|202|503 (OVERLOADED|UPSTREAM_BUSY|COMPLIANCE_UNAVAILABLE|WALLET_UNKNOWN)|504 UPSTREAM_TIMEOUT)$/
  for (const answer of Object.keys(answers)) t.match(answer, expected)

  const after = await patientPost(`${server.url}/submit`, submitBody('fee-after'))
  submissionIds.push(JSON.parse(await after.text()).submissionId)
  for (const id of submissionIds) {
    const state = async () => (await fetch(`${server.url}/submissions/${id}`)).text()
    await until(async () => (await state()).includes('"committed"'), `${id} is on the chain`)
  }
  t.equal(await server.stop(), 0)
})
