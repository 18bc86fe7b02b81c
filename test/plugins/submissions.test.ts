import { build, startNetwork } from '../helpers/app.ts'
import { patientPost } from '../helpers/patient-fetch.ts'
import { test } from '../helpers/tap.ts'
import { cardBody, submit, submitBody } from '../helpers/transfer.ts'
import { until } from '../helpers/until.ts'

test('a closing server still accepts submissions and responds to all clients', async t => {
  const devnet = await startNetwork(t)
  const server = await build(t, {}, { devnet })
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  const post = (feeId: string) => patientPost(`${url}/submit`, submitBody(feeId))

  devnet.chain.pause()
  const waiting = post('fee-1')
  await until(() => server.submissions.health().unsettled === 1, 'a submission waits for its block')
  const closed = server.close()
  const closing = async () => (await fetch(`${url}/health`)).headers.get('connection') === 'close'
  await until(closing, 'the server is closing')
  await until(async () => (await fetch(`${url}/ready`)).status === 503, '/ready returns 503')

  const [late, again] = [post('fee-2'), post('fee-1')]
  await until(() => server.submissions.health().unsettled === 2, 'the second submission waits too')
  devnet.chain.resume()
  const responses = await Promise.all([waiting, late, again])
  for (const { headers } of responses) t.equal(headers.get('connection'), 'close')
  const [first, second, joined] = await Promise.all(responses.map(response => response.json()))
  t.match([first, second], [{ txId: 1 }, { txId: 2 }])
  t.strictSame(joined, first, 'a retry gets the result of its submission')
  await closed
})

test('with SERVICE_INTAKE=closed, the server accepts no submission and is not ready', async t => {
  const server = await build(t, { SERVICE_INTAKE: 'closed' })
  t.match((await submit(server, cardBody())).json(), { statusCode: 503, code: 'INTAKE_CLOSED' })
  await until(async () => {
    const { ready, checks } = (await server.inject('/ready')).json()
    return !ready && checks.engine.detail === 'intake closed, 0 unsettled'
  }, '/ready reports the closed intake')
})
