import { build, startNetwork, untilReady } from '../../helpers/app.ts'
import { caller } from '../../helpers/callers.ts'
import { patientPost } from '../../helpers/patient-fetch.ts'
import { test } from '../../helpers/tap.ts'
import { submitBody } from '../../helpers/transfer.ts'
import { until } from '../../helpers/until.ts'

/** Maximum number of unsettled submissions per caller (interface 6.43). */
const SHARE = 5000

test('one caller cannot fill the backlog, regardless of its addresses', async t => {
  const devnet = await startNetwork(t, { control: true })
  const { variables, headers } = caller(t)
  const settings = {
    TRUST_PROXY: '127.0.0.1',
    SERVICE_ACCESS: 'both',
    SERVICE_SUBMIT_TIMEOUT: '0',
    RATE_LIMIT_MAX: '1000000'
  }
  const server = await build(t, { ...variables, ...settings }, { devnet })
  await untilReady(server)
  const url = await server.listen({ host: '127.0.0.1', port: 0 })

  async function submit(feeId: string, fields: Record<string, string> = headers) {
    const response = await patientPost(`${url}/submit`, submitBody(feeId), fields)
    const answer: { code?: string; submissionId?: string } = JSON.parse(await response.text())
    return { statusCode: response.status, retryAfter: response.headers.get('retry-after'), ...answer }
  }

  devnet.control.pause()
  const first = await submit('a-0')
  for (let sent = 1; sent < SHARE; sent += 50) {
    const feeIds = Array.from({ length: Math.min(50, SHARE - sent) }, (_, index) => `a-${sent + index}`)
    const answers = await Promise.all(feeIds.map(feeId => submit(feeId)))
    t.ok(
      answers.every(({ statusCode }) => statusCode === 202),
      'accepted'
    )
  }
  const refused = { statusCode: 429, code: 'BACKLOG_SHARE', retryAfter: '5' }
  t.match(await submit('b'), refused)
  t.match(await submit('b', { ...headers, 'x-forwarded-for': '192.0.2.1' }), refused, 'another address')
  t.match(await submit('c', {}), { statusCode: 202 }, 'another client')
  t.match(await submit('a-0'), { statusCode: 202, submissionId: first.submissionId }, 'a retry')

  devnet.control.resume()
  await until(async () => (await submit('b')).statusCode !== 429, 'executed submissions free their share')
})
