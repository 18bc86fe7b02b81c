import { build, startNetwork } from '../../helpers/app.ts'
import { patientPost } from '../../helpers/patient-fetch.ts'
import { test } from '../../helpers/tap.ts'
import { submitBody } from '../../helpers/transfer.ts'
import { until } from '../../helpers/until.ts'

/** Maximum number of unsettled submissions per client address (interface 6.43). */
const SHARE = 5000

test('one client address cannot fill the backlog, even with forged X-Forwarded-For headers', async t => {
  const devnet = await startNetwork(t, { control: true })
  const server = await build(
    t,
    {
      TRUST_PROXY: '127.0.0.1',
      SERVICE_SUBMIT_TIMEOUT: '0',
      RATE_LIMIT_MAX: '1000000',
      COMPLIANCE_URL: ''
    },
    { devnet }
  )
  await until(async () => (await server.inject('/ready')).statusCode === 200, 'the service is ready')
  const url = await server.listen({ host: '127.0.0.1', port: 0 })

  async function submit(feeId: string, forwardedFor: string) {
    const response = await patientPost(`${url}/submit`, submitBody(feeId), {
      'x-forwarded-for': forwardedFor
    })
    const answer: { code?: string; submissionId?: string } = JSON.parse(await response.text())
    return { statusCode: response.status, retryAfter: response.headers.get('retry-after'), ...answer }
  }

  devnet.control.pause()
  const mine = '2001:db8:0:1::7'
  const first = await submit('a-0', mine)
  for (let sent = 1; sent < SHARE; sent += 50) {
    const feeIds = Array.from({ length: Math.min(50, SHARE - sent) }, (_, index) => `a-${sent + index}`)
    const answers = await Promise.all(feeIds.map(feeId => submit(feeId, mine)))
    t.ok(
      answers.every(({ statusCode }) => statusCode === 202),
      'accepted'
    )
  }
  const refused = { statusCode: 429, code: 'BACKLOG_SHARE', retryAfter: '5' }
  t.match(await submit('b', mine), refused)
  t.match(await submit('b', '2001:db8:0:1::8'), refused, 'another address in the same network')
  t.match(await submit('b', `192.0.2.1, ${mine}`), refused, 'a forged X-Forwarded-For entry')
  t.match(await submit('c', '192.0.2.1'), { statusCode: 202 }, 'another client')
  t.match(await submit('a-0', mine), { statusCode: 202, submissionId: first.submissionId }, 'a retry')

  devnet.control.resume()
  await until(
    async () => (await submit('b', mine)).statusCode !== 429,
    'executed submissions free their share'
  )
})
