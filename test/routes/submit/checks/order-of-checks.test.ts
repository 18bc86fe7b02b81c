import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { complianceAddresses } from '../../../../packages/devnet/compliance/index.ts'
import { build, temporaryFolder } from '../../../helpers/app.ts'
import { test } from '../../../helpers/tap.ts'
import { quoteFor, submit, swapBody, TRANSFER } from '../../../helpers/transfer-flow.ts'
import { evmUser } from '../../../helpers/users.ts'
import { walletNode } from '../../../helpers/wallet-node.ts'

const REFUSING = `export default async app => {
  app.decorate('customTransValidation', ({ body }) => (body.dex === 'good' ? '' : 'not available in this shop'))
}`

const user = evmUser()

/** Requests a quote and returns body fields for it, with options for a valid and for an invalid signature. */
async function quoted(
  server: FastifyInstance,
  target: { targetChain: string; targetSymbol: string },
  targetAddress: string
) {
  const quote = await quoteFor(server, { originAddress: user.address, targetAddress, ...target })
  const { feeId, feeTotalBigInt: fee, swapInfo, transactionValues } = quote
  const { submitAmount: amount, message } = transactionValues.feeFromOrigin
  const options = (signature: string) => JSON.stringify({ feeId, signature })
  return {
    targetAddress,
    amounts: { amount, amountIn: amount, amountOut: swapInfo?.amountOutBigInt ?? '1', fee },
    forged: options('0xsigned'),
    signed: options(await user.sign(message))
  }
}

/**
 * Returns the checks in order (interface 6.16). Each check has a change to the body that fails the check, a change that
 * then passes it, and the expected error.
 */
async function checksOf(server: FastifyInstance, target: { targetChain: string; targetSymbol: string }) {
  const sanctioned = await quoted(server, target, complianceAddresses.sanctioned)
  const good = await quoted(server, target, TRANSFER.targetAddress)
  const checks: [string, { broken: object; mended: object }, { code: string; path?: string }][] = [
    ['schema', { broken: { targetSymbol: 7 }, mended: { targetSymbol: 'XYZ' } }, { code: 'VALIDATION' }],
    [
      'options',
      { broken: { options: '{}' }, mended: { options: sanctioned.forged } },
      { code: 'OPTIONS_INVALID', path: '/options/feeId' }
    ],
    [
      'known target chain',
      { broken: { targetChain: 'XYZ' }, mended: { targetChain: target.targetChain } },
      { code: 'CHAIN_UNSUPPORTED', path: '/targetChain' }
    ],
    [
      'filter',
      { broken: { originChain: 'ARB' }, mended: { originChain: 'ETH' } },
      { code: 'CHAIN_FILTERED', path: '/originChain' }
    ],
    [
      'origin address',
      { broken: { originAddress: '0x1' }, mended: { originAddress: user.address } },
      { code: 'ADDRESS_INVALID', path: '/originAddress' }
    ],
    [
      'target token',
      { broken: {}, mended: { targetSymbol: target.targetSymbol } },
      { code: 'TOKEN_UNSUPPORTED', path: '/targetSymbol' }
    ],
    [
      'transfer limit',
      {
        broken: { amount: '10000000001', amountIn: '10000000001' },
        mended: { ...sanctioned.amounts, fee: '1' }
      },
      { code: 'TRANSFER_LIMIT' }
    ],
    [
      'quote',
      { broken: { ...sanctioned.amounts, fee: '1' }, mended: sanctioned.amounts },
      { code: 'QUOTE_MISMATCH', path: '/fee' }
    ],
    [
      'approval',
      { broken: {}, mended: { options: sanctioned.signed } },
      { code: 'APPROVAL_INVALID', path: '/options/signature' }
    ],
    ['custom validation', { broken: { dex: 'bad' }, mended: { dex: 'good' } }, { code: 'CUSTOM_VALIDATION' }],
    [
      'compliance',
      {
        broken: { targetAddress: sanctioned.targetAddress },
        mended: { targetAddress: good.targetAddress, ...good.amounts, options: good.signed }
      },
      { code: 'NOT_COMPLIANT', path: '/targetAddress' }
    ],
    // The test corrects it, because it is not in the body.
    ['allowance', { broken: {}, mended: {} }, { code: 'APPROVAL_MISSING', path: '/originAddress' }]
  ]
  return checks
}

const TARGETS: Record<string, { targetChain: string; targetSymbol: string }> = {
  '/submit/transfer': { targetChain: 'POL', targetSymbol: 'USDC' },
  '/submit/swap': { targetChain: 'AVX', targetSymbol: 'EURC' }
}

for (const [path, target] of Object.entries(TARGETS)) {
  test(`POST ${path} reports the first check that fails`, async t => {
    const plugin = join(temporaryFolder(t), 'plugin.mjs')
    writeFileSync(plugin, REFUSING)
    const { url, node } = await walletNode(t)
    node.allowance = () => 0n
    const server = await build(t, {
      SERVICE_EVM_RPC: JSON.stringify({ ETH: url }),
      SERVICE_SUBMIT_TIMEOUT: '400',
      SERVICE_APPROVAL_CHECK: 'enforce',
      SERVICE_CUSTOM_PLUGIN: plugin,
      SERVICE_CHAIN_FILTER: JSON.stringify({ origin: { mode: 'blacklist', chains: ['ARB'] } })
    })
    const checks = await checksOf(server, target)
    let body: object = swapBody()
    for (const [, { broken }] of checks.toReversed()) body = { ...body, ...broken }
    for (const [name, { mended }, { code, path: field }] of checks) {
      const answer = (await submit(server, body, { path })).json()
      t.match(answer, field === undefined ? { code } : { code, details: [{ path: field }] }, name)
      body = { ...body, ...mended }
    }
    node.allowance = () => 2n ** 255n
    t.match((await submit(server, body, { path })).json(), { submissionId: /./ }, 'all corrected')
  })
}
