import type { ServerResponse } from 'node:http'
import { createComplianceService } from '../../../services/providers/compliance.ts'
import { takeTime } from '../../helpers/clock.ts'
import { json, type SeenRequest, serve } from '../../helpers/local-server.ts'
import { type Test, test } from '../../helpers/tap.ts'

const FAULT = /^compliance provider: /
const evm = '0x742d35Cc6634C0532925a3b844Bc454e4438f44e'
const said = (address: string, risk_score: string) => ({ address, name: 'A listed entity', risk_score })
/** The provider's record, with more fields than a client receives. */
const record = (address: string, risk_score: string) => ({
  ...said(address, risk_score),
  newer: { level: 1 }
})

async function serviceAt(
  t: Test,
  answer: (request: SeenRequest, response: ServerResponse) => void,
  path = ''
) {
  const provider = await serve(t, answer)
  const compliance = createComplianceService({ url: provider.url + path, accept: ['low'] })
  t.teardown(() => compliance.close())
  const asked = () => provider.seen.map(({ body }) => JSON.parse(body).addresses)
  return { provider, compliance, asked }
}

const answering = (t: Test, body: unknown) => serviceAt(t, (_request, response) => json(response, body))

test('calls the provider’s exact URL, and returns the documented fields of each record', async t => {
  const records = [record('b', 'low'), { ...record('a', 'low'), name: 7 }]
  const { provider, compliance } = await serviceAt(
    t,
    (_request, response) => json(response, records),
    '/v1/check?key=sealed-letter'
  )
  const unnamed = { isCompliant: true, result: { address: 'a', risk_score: 'low' } }
  t.strictSame(await compliance.check(['a', 'b', 'a']), {
    isCompliant: true,
    isError: false,
    results: [unnamed, { isCompliant: true, result: said('b', 'low') }, unnamed]
  })
  t.match(provider.seen, [
    { method: 'POST', url: '/v1/check?key=sealed-letter', body: JSON.stringify({ addresses: ['a', 'b'] }) }
  ])
})

test('requests addresses in canonical spelling, and accepts any spelling in the response', async t => {
  const taproot = 'tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq47zagq'
  const solana = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM'
  const records = [evm.toLowerCase(), taproot, solana].map(address => record(address, 'low'))
  const { compliance, asked } = await answering(t, records)
  const spellings = [evm.toLowerCase(), evm, taproot.toUpperCase(), taproot, solana]
  t.ok((await compliance.check(spellings)).isCompliant)
  t.strictSame(asked(), [[evm, taproot, solana]])
})

test('rejects an address if the risk score in any of its records is not accepted', async t => {
  const [low, high] = [record(evm, 'low'), record(evm.toLowerCase(), 'high')]
  for (const records of [
    [high, low],
    [low, high]
  ]) {
    const { compliance } = await answering(t, records)
    t.strictSame(await compliance.check([evm]), {
      isCompliant: false,
      isError: false,
      results: [{ isCompliant: false, result: said(high.address, 'high') }]
    })
    await t.rejects(compliance.assertCompliant({ targetAddress: evm }), { code: 'NOT_COMPLIANT' })
  }
  const { compliance } = await answering(t, [record('other', 'critical'), low, low])
  t.ok((await compliance.check([evm])).isCompliant, 'records of other addresses are ignored')
})

test('fails if the provider’s response lacks a record for an address', async t => {
  const [good, other] = [record('a', 'low'), record('c', 'low')]
  for (const answer of [[], [good, other]]) {
    const { compliance } = await answering(t, answer)
    await t.rejects(compliance.check(['a', 'b']), { code: 'UPSTREAM_ERROR', message: FAULT })
    await t.rejects(compliance.assertCompliant({ originAddress: 'a', targetAddress: 'b' }), {
      code: 'COMPLIANCE_UNAVAILABLE',
      cause: { message: FAULT }
    })
  }
})

test('caches a compliance record for a minute, and concurrent checks share a call', async t => {
  const time = takeTime(t)
  const { compliance, asked } = await answering(t, [record('a', 'low'), record('b', 'high')])
  await Promise.all(Array.from({ length: 300 }, () => compliance.check(['a', 'a'])))
  time.elapsed += 59_999
  t.notOk((await compliance.check(['a', 'b'])).isCompliant)
  t.strictSame(asked(), [['a'], ['b']])
  time.elapsed += 2
  await compliance.check(['a'])
  t.strictSame(asked(), [['a'], ['b'], ['a']])
})

test('bypasses the cache for a submission, and omits an empty address', async t => {
  const { compliance, asked } = await answering(t, [record('a', 'low')])
  await compliance.check(['a'])
  await compliance.assertCompliant({ originAddress: '', targetAddress: 'a' })
  await compliance.check(['a'])
  t.strictSame(asked(), [['a'], ['a']])
})

test('does not cache a failed compliance check', async t => {
  const answers: unknown[] = [{ status: 'fail', error: 'busy' }, [], [record('a', 'low')]]
  const { compliance, asked } = await serviceAt(t, (_request, response) => json(response, answers.shift()))
  t.ok((await compliance.check(['a'])).isError)
  await t.rejects(compliance.check(['a']), { code: 'UPSTREAM_ERROR' })
  t.ok((await compliance.check(['a'])).isCompliant)
  t.equal(asked().length, 3)
})
