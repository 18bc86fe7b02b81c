import { complianceAddresses } from '../../packages/devnet/compliance/index.ts'
import { build } from '../helpers/app.ts'
import { test } from '../helpers/tap.ts'

const { sanctioned, providerFails, medium, uncheckable } = complianceAddresses
const ordinary = '0x742d35Cc6634C0532925a3b844Bc454e4438f44e'
const solana = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM'
const ask = (...addresses: string[]) =>
  `/compliant?${addresses.map(address => `address=${address}`).join('&')}`

test('returns the provider’s record for each address', async t => {
  const server = await build(t)
  const one = await server.inject(ask(ordinary))
  t.equal(one.statusCode, 200)
  const low = { name: null, risk_score: 'low' }
  t.strictSame(one.json(), {
    isCompliant: true,
    isError: false,
    results: [{ isCompliant: true, result: { address: ordinary, ...low } }]
  })
  t.match((await server.inject(ask(solana, sanctioned, solana))).json(), {
    isCompliant: false,
    isError: false,
    results: [
      { isCompliant: true, result: { address: solana, ...low } },
      { isCompliant: false, result: { risk_score: 'critical' } },
      { isCompliant: true, result: { address: solana, ...low } }
    ]
  })
  t.match((await server.inject(ask(uncheckable))).json(), {
    isCompliant: false,
    isError: true,
    results: [{ isCompliant: false, result: { address: /^0x0/ } }]
  })
  t.equal((await server.inject(ask(...Array(20).fill(ordinary)))).statusCode, 200)
  t.strictSame((await server.inject('/compliant/enabled')).json(), { enabled: true })

  t.match((await server.inject(ask(ordinary, providerFails))).json(), {
    statusCode: 502,
    code: 'UPSTREAM_ERROR'
  })
})

test('accepts the risk scores that the operator configures', async t => {
  const strict = await build(t)
  t.match((await strict.inject(ask(medium))).json(), { isCompliant: false })
  const lenient = await build(t, { SERVICE_COMPLIANCE_ACCEPT: 'low,med' })
  t.match((await lenient.inject(ask(medium, ordinary))).json(), { isCompliant: true })
  t.match((await lenient.inject(ask(sanctioned))).json(), { isCompliant: false })
})

test('rejects malformed addresses or too many addresses, and names the parameter', async t => {
  const server = await build(t)
  const cases: [string, string][] = [
    ['/compliant', '/address'],
    ['/compliant?address=', '/address/0'],
    [ask(ordinary, 'two%20words'), '/address/1'],
    [ask('x'.repeat(129)), '/address/0'],
    [ask('%00'), '/address/0'],
    [ask('%C3%BC'), '/address/0'],
    [ask(...Array(21).fill(ordinary)), '/address']
  ]
  for (const [url, path] of cases) {
    t.match(
      (await server.inject(url)).json(),
      { statusCode: 400, code: 'VALIDATION', details: [{ path }] },
      url
    )
  }
})

test('returns 501 if no provider is configured', async t => {
  const server = await build(t, { COMPLIANCE_URL: '' })
  t.match((await server.inject(ask(ordinary))).json(), {
    statusCode: 501,
    code: 'NOT_CONFIGURED',
    error: 'Not Implemented'
  })
  t.strictSame((await server.inject('/compliant/enabled')).json(), { enabled: false })
})

test('counts every address in a request against the rate limit', async t => {
  const server = await build(t, { RATE_LIMIT_MAX: '6' })
  const ask = () => server.inject('/compliant?address=a&address=b&address=c')
  for (const status of [200, 200, 429]) t.equal((await ask()).statusCode, status)
})
