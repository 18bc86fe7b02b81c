import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, startNetwork, temporaryFolder } from '../../helpers/app.ts'
import { root } from '../../helpers/repository.ts'
import { type Test, test } from '../../helpers/tap.ts'
import { cardBody, submit, swapBody, TRANSFER, transferBody } from '../../helpers/transfer.ts'

/** Writes an integrator's module outside the source tree. @returns its path */
function moduleOf(t: Test, text: string): string {
  const path = join(temporaryFolder(t), 'plugin.mjs')
  writeFileSync(path, text)
  return path
}

const validation = (body: string) =>
  `export default async app => { app.decorate('customTransValidation', ${body}) }`

test('a server runs a copy of the example plugin from outside the source tree', async t => {
  const SERVICE_CUSTOM_PLUGIN = join(temporaryFolder(t), 'shop.mjs')
  cpSync(join(root, 'docs/examples/custom-validation/plugin.mjs'), SERVICE_CUSTOM_PLUGIN)
  const server = await build(t, { SERVICE_CUSTOM_PLUGIN })
  const post = async (change: Partial<typeof TRANSFER>) =>
    (await submit(server, await transferBody(server, change))).json()
  const refused = { statusCode: 400, code: 'CUSTOM_VALIDATION', error: 'Bad Request' }
  for (const [change, message] of [
    [{ targetAddress: TRANSFER.originAddress }, 'This is not the address of this shop'],
    [{ originChain: 'ARB' }, 'This shop takes payments from ETH, POL, CC only'],
    [{ amount: '1000.01' }, '1000.01 is more than this shop sells for'],
    [{ targetChain: 'ARB' }, 'This shop is paid on POL only']
  ] as const) {
    t.match(await post(change), { ...refused, message })
  }
  const swap = await submit(server, swapBody({ originSymbol: 'EURC' }), { path: '/submit/swap' })
  t.match(swap.json(), { ...refused, message: 'This shop takes payments in USDT, USDC, USD only' })
  t.equal((await server.inject('/tx/1/status')).statusCode, 404, 'no rejected submission reached the chain')
  t.match(await post({}), { txId: 1 }, 'a payment to the shop is executed')
})

/** Rejects every submission with a message that contains the submission as JSON, with bigints as strings. */
const telling = validation(`({ submission }) => {
  return JSON.stringify(submission, (name, value) => (typeof value === 'bigint' ? value + 'n' : value))
}`)

test('a validation receives the same exact amounts from bodies of any version', async t => {
  const server = await build(t, { SERVICE_CUSTOM_PLUGIN: moduleOf(t, telling) })
  const seen = async (body: object, path = '/submit') =>
    JSON.parse((await submit(server, body, { path })).json().message)
  const body = await transferBody(server)
  const { originAddress, targetAddress } = body
  body.targetAddress = targetAddress.toLowerCase()
  const { feeId } = JSON.parse(body.options)
  const amount = { units: '100500000n', decimals: 6, text: '100.5' }
  const transfer = {
    kind: 'transfer',
    feeId,
    fee: { units: '412750n', decimals: 6, text: '0.41275' },
    origin: { chain: 'ETH', address: originAddress, symbol: 'USDT', amount },
    target: { chain: 'POL', address: targetAddress, symbol: 'USDC' },
    approval: { status: 'refused', problem: /./ }
  }
  const quote = { feeId, fee: { value: '412750', decimals: 6 } }
  t.match(await seen(body), { ...transfer, quote })
  t.match(await seen({ ...body, amount: `${body.amount}00`, fee: `${body.fee}00`, decimals: 8 }), transfer)
  const older = { ...body, amount: '1000000', submitAmount: body.amount }
  t.match(await seen(older), transfer, 'the amount is submitAmount, not the informational amount')

  const decimals = { decimals: undefined, amountInDecimals: 18, amountOutDecimals: 18 }
  const amounts = { amountIn: '1000000000000', amountOut: '99900000000000000001', fee: '1' }
  const finer = { ...decimals, ...amounts, targetChain: 'BSC', targetSymbol: 'USDT' }
  const swap = await seen(swapBody(finer), '/submit/swap')
  t.match(swap, {
    kind: 'swap',
    origin: { amount: { units: '1n', decimals: 6, text: '0.000001' } },
    target: { amount: { units: '99900000000000000001n', decimals: 18, text: '99.900000000000000001' } },
    fee: { units: '1n', decimals: 6, text: '0.000000000000000001' }
  })
  t.notOk('quote' in swap)
  t.match(await seen(cardBody({ originChain: 'FIAT', originAddress: 'anything' })), {
    origin: { chain: 'CC', address: '', amount: { units: '10050n', decimals: 2 } },
    approval: { status: 'unchecked' }
  })
})

test('a failing validation returns 503, logs the reason and submits nothing', async t => {
  const failing = validation(`() => {
    throw Object.assign(new Error('internal detail'), { statusCode: 400 })
  }`)
  const lines: string[] = []
  const variables = { SERVICE_CUSTOM_PLUGIN: moduleOf(t, failing), LOG_LEVEL: 'error' }
  const server = await build(t, variables, { logTo: line => lines.push(line) })
  const response = await submit(server, await transferBody(server))
  t.match(response.json(), { statusCode: 503, code: 'VALIDATION_UNAVAILABLE' })
  t.equal(response.headers['retry-after'], '5')
  t.notMatch(response.body, /internal detail/)
  t.match(lines.join(''), /customTransValidation.*internal detail/)
  t.equal((await server.inject('/tx/1/status')).statusCode, 404)
})

const EXPECTED =
  '; expected a module whose default export is a Fastify plugin that decorates `customTransValidation`'

/** For each module, the problem in its line. */
const BROKEN: [text: string, problem: RegExp | string][] = [
  [
    `export default async () => { throw new Error('no database\\nat all') }`,
    `SERVICE_CUSTOM_PLUGIN points to a plugin that fails at startup (Error: no database)${EXPECTED}`
  ],
  ['export default (', /points to a module that cannot be loaded \(.*rror: .+\)/],
  [`import 'no-such-package'`, /cannot be loaded \(.*no-such-package/],
  ['export default { a: 1 }', /points to a module whose default export is not a function/],
  [validation(`'yes'`), /points to a plugin that does not decorate a function/]
]

test('a missing or broken module is reported as a configuration error in one line', async t => {
  const devnet = await startNetwork(t)
  const refuses = (SERVICE_CUSTOM_PLUGIN: string, line: RegExp | string) =>
    t.rejects(build(t, { SERVICE_CUSTOM_PLUGIN }, { devnet }), { name: 'ConfigError', problems: [line] })
  for (const [text, problem] of BROKEN) await refuses(moduleOf(t, text), problem)
  const lost =
    /^SERVICE_CUSTOM_PLUGIN points to a file that does not exist: \/.*sealed\.mjs \(create or mount it/
  await refuses(join(temporaryFolder(t), 'sealed.mjs'), lost)
})
