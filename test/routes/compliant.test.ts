import { complianceAddresses } from '../../packages/devnet/compliance/index.ts'
import { build, startNetwork } from '../helpers/app.ts'
import { json, serve } from '../helpers/local-server.ts'
import { test } from '../helpers/tap.ts'

const { sanctioned, medium, uncheckable } = complianceAddresses
const ordinary = '0x742d35Cc6634C0532925a3b844Bc454e4438f44e'
const solana = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM'
const of = (...addresses: string[]) =>
  `/compliant?${addresses.map(address => `address=${address}`).join('&')}`

const low = (address: string) => ({ isCompliant: true, result: { address, name: null, risk_score: 'low' } })
const critical = { isCompliant: false, result: { address: /^0x0+c1$/i, risk_score: 'critical' } }
const VALID: [url: string, isCompliant: boolean, isError: boolean, results: object[]][] = [
  [of(solana, sanctioned, solana), false, false, [low(solana), critical, low(solana)]],
  [of(medium), false, false, [{ isCompliant: false }]],
  [of(uncheckable), false, true, [{ isCompliant: false, result: { address: /^0x0/ } }]],
  [of(...Array(20).fill(ordinary)), true, false, Array(20).fill(low(ordinary))]
]

const INVALID: [url: string, path: string][] = [
  ['/compliant', '/address'],
  ['/compliant?address=', '/address/0'],
  [of(ordinary, 'two%20words'), '/address/1'],
  [of('x'.repeat(129)), '/address/0'],
  [of('%C3%BC'), '/address/0'],
  [of(...Array(21).fill(ordinary)), '/address']
]

/** Texts that are no address of any chain, and addresses of several; services/addresses has those of each chain. */
const IMPOSSIBLE = [`${ordinary},${sanctioned}`, ordinary.slice(2), `${solana}1`, 'vitalik.eth']
const POSSIBLE = [solana, ordinary.toLowerCase(), '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2']

test('the compliance route', async t => {
  const devnet = await startNetwork(t)
  const server = await build(t, {}, { devnet })

  t.test('returns the provider’s record for each address', async t => {
    for (const [url, isCompliant, isError, results] of VALID)
      t.match((await server.inject(url)).json(), { isCompliant, isError, results }, url)
    t.strictSame((await server.inject('/compliant/enabled')).json(), { enabled: true })
  })

  t.test('rejects malformed or impossible addresses without asking the provider', async t => {
    const provider = await serve(t, (_request, response) => json(response, []))
    const own = await build(t, { COMPLIANCE_URL: provider.url }, { devnet })
    const impossible = IMPOSSIBLE.map(text => [of(ordinary, encodeURIComponent(text)), '/address/1'] as const)
    for (const [code, rows] of Object.entries({ VALIDATION: INVALID, ADDRESS_INVALID: impossible })) {
      for (const [url, path] of rows)
        t.match((await own.inject(url)).json(), { statusCode: 400, code, details: [{ path }] }, url)
    }
    t.same(provider.seen, [])
    const possible = of(...POSSIBLE, server.signer.address)
    t.match((await server.inject(possible)).json(), { isCompliant: true })
  })

  t.test('counts every address in a request against the rate limit', async t => {
    const limited = await build(t, { RATE_LIMIT_MAX: '6' }, { devnet })
    for (const status of [200, 200, 429])
      t.equal((await limited.inject(of(ordinary, solana, medium))).statusCode, status)
  })
})
