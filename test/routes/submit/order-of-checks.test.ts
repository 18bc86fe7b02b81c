import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { complianceAddresses } from '../../../devnet/compliance/index.ts'
import { build, temporaryFolder } from '../../helpers/app.ts'
import { submit, swapBody } from '../../helpers/transfer-flow.ts'

const REFUSING = `export default async app => {
  app.decorate('customTransValidation', ({ body }) => (body.dex === 'good' ? '' : 'not for this shop'))
}`

/** In their order (interface 6.16): what breaks the check, what mends it, and the answer. */
const CHECKS: [string, { broken: object; mended: object }, { code: string; path?: string }][] = [
  ['schema', { broken: { targetSymbol: 7 }, mended: { targetSymbol: 'XYZ' } }, { code: 'VALIDATION' }],
  [
    'options',
    { broken: { options: '{}' }, mended: { options: '{"feeId":"order-of-checks","signature":"0xsigned"}' } },
    { code: 'OPTIONS_INVALID', path: '/options/feeId' }
  ],
  [
    'known target chain',
    { broken: { targetChain: 'XYZ' }, mended: { targetChain: 'POL' } },
    { code: 'CHAIN_UNSUPPORTED', path: '/targetChain' }
  ],
  [
    'filter',
    { broken: { originChain: 'ARB' }, mended: { originChain: 'ETH' } },
    { code: 'CHAIN_FILTERED', path: '/originChain' }
  ],
  [
    'origin address',
    { broken: { originAddress: '0x1' }, mended: { originAddress: complianceAddresses.sanctioned } },
    { code: 'ADDRESS_INVALID', path: '/originAddress' }
  ],
  [
    'target token',
    { broken: {}, mended: { targetSymbol: 'USDC' } },
    { code: 'TOKEN_UNSUPPORTED', path: '/targetSymbol' }
  ],
  ['custom validation', { broken: { dex: 'bad' }, mended: { dex: 'good' } }, { code: 'CUSTOM_VALIDATION' }],
  [
    'compliance',
    { broken: {}, mended: { originAddress: '0x742d35Cc6634C0532925a3b844Bc454e4438f44e' } },
    { code: 'NOT_COMPLIANT', path: '/originAddress' }
  ]
]

for (const path of ['/submit', '/submit/transfer', '/submit/swap']) {
  test(`POST ${path} reports the earliest check that fails`, async t => {
    const plugin = join(temporaryFolder(t), 'plugin.mjs')
    writeFileSync(plugin, REFUSING)
    const server = await build(t, {
      SERVICE_CUSTOM_PLUGIN: plugin,
      SERVICE_CHAIN_FILTER: JSON.stringify({ origin: { mode: 'blacklist', chains: ['ARB'] } })
    })
    let body: object = { ...swapBody(), amount: '100500000' }
    for (const [, { broken }] of CHECKS.toReversed()) body = { ...body, ...broken }
    for (const [name, { mended }, { code, path: field }] of CHECKS) {
      const answer = (await submit(server, body, { path })).json()
      t.match(answer, field === undefined ? { code } : { code, details: [{ path: field }] }, name)
      body = { ...body, ...mended }
    }
    t.equal((await submit(server, body, { path })).statusCode, 200, 'all mended')
  })
}
