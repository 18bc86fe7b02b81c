import type { ServerResponse } from 'node:http'
import { createComplianceService } from '../../../services/providers/compliance.ts'
import { takeTime } from '../../helpers/clock.ts'
import { json, type SeenRequest, serve } from '../../helpers/local-server.ts'
import { type Test, test } from '../../helpers/tap.ts'

const FAULT = /^compliance provider: /
const evm = '0x742d35Cc6634C0532925a3b844Bc454e4438f44e'
const said = (address: string, risk_score: string) => ({ address, name: 'A listed entity', risk_score })
/** The provider's record, with more fields than a client receives. */
const record = (address: string, risk: string) => ({ ...said(address, risk), newer: { level: 1 } })

type Answering = (request: SeenRequest, response: ServerResponse) => void

async function serviceAt(t: Test, answer: Answering, path = '') {
  const provider = await serve(t, answer)
  const compliance = createComplianceService({ url: provider.url + path })
  t.teardown(() => compliance.close())
  const asked = () => provider.seen.map(({ body }) => JSON.parse(body).addresses)
  return { provider, compliance, asked }
}

const answering = (t: Test, body: unknown) => serviceAt(t, (_request, response) => json(response, body))

test('calls the provider’s exact URL, and returns the documented fields of each record', async t => {
  const records = [
    { ...record('b', 'low'), name: 'sealed-letter B' },
    { ...record('a', 'low'), name: 7 }
  ]
  const path = '/v1/check?key=sealed-letter'
  const { provider, compliance } = await serviceAt(t, (_request, response) => json(response, records), path)
  const unnamed = { isCompliant: true, result: { address: 'a', risk_score: 'low' } }
  const named = { isCompliant: true, result: { ...said('b', 'low'), name: '[secret] B' } }
  const results = [unnamed, named, unnamed]
  t.strictSame(await compliance.check(['a', 'b', 'a']), { isCompliant: true, isError: false, results })
  const body = JSON.stringify({ addresses: ['a', 'b'] })
  t.match(provider.seen, [{ method: 'POST', url: path, body }])
})

test('requests addresses in canonical spelling, and accepts any in the response', async t => {
  const taproot = 'tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq47zagq'
  const solana = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM'
  const records = [evm.toLowerCase(), taproot, solana].map(address => record(address, 'low'))
  const { compliance, asked } = await answering(t, records)
  const spellings = [evm.toLowerCase(), evm, taproot.toUpperCase(), taproot, solana]
  t.ok((await compliance.check(spellings)).isCompliant)
  t.strictSame(asked(), [[evm, taproot, solana]])
})

const [low, other] = [record(evm, 'low'), record('other', 'low')]
const twice = (risks: string) => `[{"address":"${evm}",${risks}}]`
/** Responses about one address, as text or JSON, that contradict the request or themselves. */
const CONTRADICTIONS: Record<string, unknown> = {
  'a low risk score and another': twice('"risk_score":"low","risk_score":"critical"'),
  'a risk score and another in other characters': twice('"risk_score":"critical","risk_\\u0073core":"low"'),
  'a record for another address': [other],
  'a further record for another address': [low, other],
  'two records in different spellings': [record(evm.toLowerCase(), 'critical'), low],
  'a record with an error': [{ ...low, error: 'the list is not available' }],
  'a record that reports a failure': [{ ...low, status: 'fail' }],
  'several risk scores': [{ ...low, risk_score: ['low'] }],
  'no list': low
}

test('fails if the provider’s response contradicts the request or itself', async t => {
  const failed = { code: 'COMPLIANCE_UNAVAILABLE', cause: { message: FAULT } }
  for (const [name, response] of Object.entries(CONTRADICTIONS)) {
    const text = typeof response === 'string' ? response : JSON.stringify(response)
    const { compliance } = await serviceAt(t, (_request, response) => response.end(text))
    await t.rejects(compliance.check([evm]), { code: 'UPSTREAM_ERROR', message: FAULT }, name)
    await t.rejects(compliance.assertCompliant({ originAddress: evm, targetAddress: evm }), failed, name)
  }
  const { compliance } = await answering(t, [{ ...low, error: null, status: 'ok' }])
  t.ok((await compliance.check([evm])).isCompliant)
})

test('caches a record for a minute, except for submissions; concurrent checks share a call', async t => {
  const time = takeTime(t)
  const { compliance, asked } = await serviceAt(t, ({ body }, response) => {
    const records = { a: record('a', 'low'), b: record('b', 'high') }
    const asked: ('a' | 'b')[] = JSON.parse(body).addresses
    const found = asked.map(address => records[address])
    json(response, found)
  })
  await Promise.all(Array.from({ length: 300 }, () => compliance.check(['a', 'a'])))
  time.elapsed += 59_999
  t.notOk((await compliance.check(['a', 'b'])).isCompliant)
  t.strictSame(asked(), [['a'], ['b']])
  time.elapsed += 2
  await compliance.check(['a'])
  await compliance.assertCompliant({ originAddress: '', targetAddress: 'a' })
  t.strictSame(asked(), [['a'], ['b'], ['a'], ['a']])
})

test('does not cache a failed compliance check', async t => {
  const answers: unknown[] = [{ status: 'fail', error: 'busy' }, [], [record('a', 'low')]]
  const { compliance } = await serviceAt(t, (_request, response) => json(response, answers.shift()))
  t.ok((await compliance.check(['a'])).isError)
  await t.rejects(compliance.check(['a']), { code: 'UPSTREAM_ERROR' })
  t.ok((await compliance.check(['a'])).isCompliant)
})
