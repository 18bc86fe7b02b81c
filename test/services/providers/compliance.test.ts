import type { ServerResponse } from 'node:http'
import { type Test, test } from 'tap'
import { createComplianceService } from '../../../services/providers/compliance.ts'
import { json, type SeenRequest, serve } from '../../helpers/local-server.ts'

const approved = { isCompliant: true, result: 'approved' }
const refused = { isCompliant: false, result: 'sanctioned' }
const yes = { isCompliant: true, isError: false, results: [approved, approved] }

async function serviceAt(
  t: Test,
  answer: (request: SeenRequest, response: ServerResponse) => void,
  path = ''
) {
  const provider = await serve(t, answer)
  const compliance = createComplianceService({ url: provider.url + path })
  t.teardown(() => compliance.close())
  return { provider, compliance }
}

const answering = (t: Test, body: unknown) => serviceAt(t, (_request, response) => json(response, body))

test('the provider is asked at its URL, with one parameter per address', async t => {
  const { provider, compliance } = await serviceAt(
    t,
    (_request, response) => json(response, yes),
    '/v1/check'
  )
  t.strictSame(await compliance.check(['0xA', 'b&c=d']), yes)
  t.match(provider.seen, [{ method: 'GET', url: '/v1/check?address=0xA&address=b%26c%3Dd' }])
})

test('addresses are compliant only when the whole answer and each result say so', async t => {
  const cases = [
    { isCompliant: false, isError: false, results: [approved, approved] },
    { isCompliant: true, isError: false, results: [approved, refused] },
    { isCompliant: true, isError: true, results: [approved, approved] }
  ]
  for (const answer of cases) {
    const { compliance } = await answering(t, answer)
    t.strictSame(await compliance.check(['a', 'b']), { ...answer, isCompliant: false })
  }
})

test('an answer about other addresses is a failure', async t => {
  const cases = [
    { ...yes, results: [] },
    { ...yes, results: [approved] },
    { ...yes, results: [approved, approved, approved] },
    {
      ...yes,
      results: [
        { ...approved, address: 'a' },
        { ...approved, address: 'c' }
      ]
    },
    { ...yes, isCompliant: 'true' },
    { isCompliant: true }
  ]
  for (const answer of cases) {
    const { compliance } = await answering(t, answer)
    await t.rejects(compliance.check(['A', 'b']), { code: 'UPSTREAM_ERROR', upstream: 'compliance provider' })
    await t.rejects(compliance.assertCompliant({ originAddress: 'A', targetAddress: 'b' }), {
      code: 'COMPLIANCE_UNAVAILABLE',
      cause: { upstream: 'compliance provider' }
    })
  }
})

test('a result may repeat its address in another case', async t => {
  const results = [
    { ...approved, address: '0xa' },
    { ...approved, address: 'B' }
  ]
  const { compliance } = await answering(t, { ...yes, results })
  t.strictSame(await compliance.check(['0xA', 'b']), yes)
})

test('a provider that could not check blocks the submission', async t => {
  const { compliance } = await answering(t, { isCompliant: true, isError: true, results: [] })
  await t.rejects(compliance.assertCompliant({ targetAddress: 'b' }), {
    code: 'COMPLIANCE_UNAVAILABLE',
    headers: { 'retry-after': '5' }
  })
})

test('a refusal names the fields', async t => {
  const addresses = { originAddress: 'a', targetAddress: 'b' }
  const one = await answering(t, { isCompliant: false, isError: false, results: [approved, refused] })
  await t.rejects(one.compliance.assertCompliant(addresses), {
    code: 'NOT_COMPLIANT',
    message: 'Not compliant: targetAddress',
    details: [{ path: '/targetAddress' }]
  })
  const whole = await answering(t, { ...yes, isCompliant: false })
  await t.rejects(whole.compliance.assertCompliant(addresses), {
    message: 'Not compliant: originAddress, targetAddress'
  })
})

test('an empty address is not checked', async t => {
  const { provider, compliance } = await answering(t, { ...yes, results: [approved] })
  await compliance.assertCompliant({ originAddress: '', targetAddress: 'b' })
  t.match(provider.seen, [{ url: '/?address=b' }])
})

test('without a provider nothing is checked', async t => {
  const compliance = createComplianceService({ url: undefined })
  t.equal(compliance.enabled, false)
  await compliance.assertCompliant({ targetAddress: 'b' })
  await t.rejects(compliance.check(['b']), { code: 'NOT_CONFIGURED', statusCode: 501 })
  await compliance.close()
})
