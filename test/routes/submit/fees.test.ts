import { type BuildOptions, build, type Variables } from '../../helpers/app.ts'
import { json, serve } from '../../helpers/local-server.ts'
import { t as root, type Test, test } from '../../helpers/tap.ts'
import { refused, submit, TRANSFER } from '../../helpers/transfer.ts'

const CARD = { originChain: 'CC', originSymbol: 'USD' }

const side = (amount: unknown) => ({ allowanceAmount: amount, submitAmount: amount, message: 'I approve' })
const QUOTE = {
  decimals: 6,
  feeTotalBigInt: '500000',
  transactionValues: { feeFromOrigin: side('100500000'), feeFromTarget: side('99500000') }
}

/** Builds the application with a fee service that returns `fees.quote`, with a feeId of its own, with `fees.status`. */
async function withFeeService(t: Test, env: Variables = {}, options: BuildOptions = {}, version = '') {
  const fees: { quote: object; status: number } = { quote: QUOTE, status: 200 }
  const { url, seen } = await serve(t, (_request, response) =>
    json(response, { feeId: `f-${seen.length}`, ...fees.quote }, fees.status)
  )
  const server = await build(t, { SERVICE_BACKEND_FEE_URL: url + version, ...env }, options)
  return {
    server,
    fees,
    ask: async (change: object = {}) =>
      (await server.inject({ url: '/submit/fees', query: { ...TRANSFER, ...change } })).json(),
    /** Returns the requests that the fee service has received. */
    asked: () => seen.map(({ url, body }) => ({ url, body: JSON.parse(body) }))
  }
}

const { server, fees, ask, asked } = await withFeeService(root)
const failed = { statusCode: 502, code: 'UPSTREAM_ERROR' }

test('returns the same kind of quote on both paths of the route', async t => {
  const own = await build(t)
  for (const url of ['/submit/fees', '/submit/fee']) {
    const quote = (await own.inject({ url, query: { ...TRANSFER, amount: '100' } })).json()
    t.match(quote, { feeId: /./, feeServiceProcessingFiat: 0.05, feeServiceProcessingBigInt: '50000' })
    const fee = BigInt(quote.feeTotalBigInt)
    const message = /^I approve the transfer of .* USDT from ETH to .* on POL\.$/
    t.match(quote.transactionValues, {
      feeFromOrigin: { submitAmount: '100000000', allowanceAmount: String(100_000_000n + fee), message },
      feeFromTarget: { submitAmount: String(100_000_000n - fee), allowanceAmount: '100000000' }
    })
  }
})

test('forwards a quote’s unknown fields, and sends the wallet as creator', async t => {
  fees.quote = {
    feeId: 'f',
    totalFeeUsd: '0.41',
    feeTotalFiat: 1e-7,
    peggedTo: null,
    transactionValues: { feeFromOrigin: { allowanceAmount: { value: '1', decimals: 6 }, submitAmount: '1' } },
    newer: { list: [1, 'two', null] }
  }
  const one = { allowanceAmount: '1', submitAmount: '1' }
  const expected = { ...Object(fees.quote), decimals: 6, transactionValues: { feeFromOrigin: one } }
  t.same(await ask({ deductFee: 'true', other: 'x' }), expected)
  const body = { ...TRANSFER, creator: server.signer.address, deductFee: true }
  t.same(asked().at(-1), { url: '/v2/fees/calculate', body })
})

test('sends exact amounts without an exponent', async t => {
  fees.quote = QUOTE
  const amounts = { '1e-6': '0.000001', '1.005e2': '100.5', '90071992547409931234.000001': undefined }
  for (const [amount, plain = amount] of Object.entries(amounts)) {
    t.match(await ask({ amount }), { feeId: String })
    t.match(asked().at(-1), { body: { amount: plain } })
  }
})

type Invalid = [change: Record<string, string | string[]>, code: string, path: string, message?: RegExp]
const INVALID: Invalid[] = [
  ...['0', '-1', '1e-7', '1.0000001'].map((amount): Invalid => [{ amount }, 'VALIDATION', 'amount']),
  ...Object.keys(TRANSFER).map((name): Invalid => [{ [name]: [] }, 'VALIDATION', name, /^is required$/]),
  [{ originAddress: '' }, 'VALIDATION', 'originAddress'],
  [{ deductFee: 'maybe' }, 'VALIDATION', 'deductFee'],
  [{ originChain: 'BERA' }, 'CHAIN_UNSUPPORTED', 'originChain', /can be the origin/],
  ...['CC', 'FIAT'].map((targetChain): Invalid => [{ targetChain }, 'CHAIN_UNSUPPORTED', 'targetChain']),
  [{ ...CARD, targetAddress: 'hello' }, 'ADDRESS_INVALID', 'targetAddress', /EVM address/]
]

test('rejects an invalid query without calling the fee service', async t => {
  const before = asked().length
  for (const [change, code, path, message] of INVALID)
    t.match(await ask(change), refused(code, path, message), JSON.stringify(change))
  t.equal(asked().length, before)
})

test('error messages for malformed values contain no regular expressions', async t => {
  const malformed = (names: string[]) => Object.fromEntries(names.map(name => [name, ' \n']))
  const query = malformed(Object.keys(TRANSFER))
  const fields = ['amountIn', 'amountOut', 'fee', 'dex', 'slippage', 'senderPubKey', 'htlcVersion']
  const body = { ...query, ...malformed(fields), decimals: 6, options: '{}' }
  for (const response of [
    await server.inject({ url: '/submit/fees', query }),
    await submit(server, body),
    await submit(server, body, { path: '/submit/swap' }),
    await server.inject('/tx/0x1/status'),
    await server.inject({ url: '/submit/transactionId', query: malformed(['transactionIdSeed']) })
  ]) {
    t.equal(response.statusCode, 400)
    t.notMatch(response.body.replace(/"details":\[|\]/g, ''), /[[^$]|\\d|documented form|anyOf/)
  }
})

test('removes a secret of this server from the fields that it forwards', async t => {
  const own = await withFeeService(t, {}, {}, '?apikey=Q7xz9kZ4w2vT8mPa')
  own.fees.quote = { ...QUOTE, request: { urls: ['https://fees.example/?apikey=Q7xz9kZ4w2vT8mPa'] } }
  t.match(await own.ask(), { request: { urls: ['https://fees.example/?[secret]'] } })
})

test('forwards unknown tokens, and any token while the registry is down', async t => {
  for (const unknown of [{ originChain: 'XYZ' }, { originSymbol: 'XYZ' }])
    t.match(await ask({ ...unknown, amount: '1.0000001' }), QUOTE)

  const lines: string[] = []
  const env = { SERVICE_BACKEND_NODE_PROVIDER_QUERY: 'http://127.0.0.1:1', LOG_LEVEL: 'warn' }
  const down = await withFeeService(t, env, { logTo: line => lines.push(line) })
  t.match(await down.ask({ amount: '1.0000001' }), QUOTE)
  const warnings = lines.map(line => JSON.parse(line)).filter(({ msg }) => /without its decimals/.test(msg))
  t.match(warnings, [
    { chain: 'ETH', symbol: 'USDT' },
    { chain: 'POL', symbol: 'USDC' }
  ])
})

test('rejects a quote whose feeId belongs to another transfer', async t => {
  fees.quote = { ...QUOTE, feeId: 'f-same' }
  for (const amount of ['1', '2']) t.match(await ask({ amount }), fees.quote)
  t.match(await ask({ targetAddress: TRANSFER.originAddress }), failed)
})

test('sends a fiat rail as FIAT, and its payment method to version 3', async t => {
  const EUR = { originSymbol: 'EUR' }
  const cases: [origin: object, chain: string, peggedTo: string, paymentMethod?: string][] = [
    [{ ...CARD, originAddress: 'anything' }, 'FIAT', 'USD', 'creditCard'],
    [{ originChain: 'BANK', ...EUR }, 'FIAT', 'EUR', 'sepaEur'],
    [{ originChain: 'FIAT', ...EUR }, 'FIAT', 'EUR', 'sepaEur'],
    [{}, 'ETH', 'USD']
  ]
  for (const version of ['', '/v3']) {
    const { ask, asked } = await withFeeService(t, {}, {}, version)
    for (const [origin, originChain, peggedTo, paymentMethod] of cases) {
      await ask(origin)
      const { url, body } = asked().at(-1) ?? {}
      t.equal(url, `${version || '/v2'}/fees/calculate`)
      t.match(body, { originChain, originAddress: originChain === 'FIAT' ? '' : TRANSFER.originAddress })
      const more = { peggedTo: body.peggedTo, options: body.options }
      const ofVersion3 = { peggedTo, options: paymentMethod && { paymentMethod } }
      t.same(more, version ? ofVersion3 : { peggedTo: undefined, options: undefined })
    }
  }
})

test('adds the payment method to a rail’s quote unless the fee service sent one', async t => {
  const credit = { paymentMethod: 'creditCard' }
  const debit = { paymentMethod: 'debitCard', newer: 1 }
  for (const [options, expected] of [
    [{ newer: 1 }, { ...credit, newer: 1 }],
    [debit, debit],
    [{ paymentMethod: '' }, credit],
    [['debitCard'], credit],
    [null, credit]
  ]) {
    fees.quote = { ...QUOTE, options }
    t.strictSame((await ask(CARD)).options, expected)
  }
  fees.quote = QUOTE
  t.notOk('options' in (await ask()), 'a crypto origin has no payment method')
})

test('returns 502 for an invalid quote from the fee service', async t => {
  const values = [undefined, { newer: side('1') }, { feeFromOrigin: side(1.5) }]
  for (const change of [
    ...[undefined, 'f 1'].map(feeId => ({ feeId })),
    ...values.map(transactionValues => ({ transactionValues })),
    ...[37, '6'].map(decimals => ({ decimals }))
  ]) {
    fees.quote = { ...QUOTE, ...change }
    t.match(await ask(), failed, JSON.stringify(change))
  }
  for (const paymentMethod of ['sepaEur', 'creditCard ', '\u0441reditCard', 'x'.repeat(65)]) {
    fees.quote = { ...QUOTE, options: { paymentMethod } }
    t.match(await ask(CARD), failed, paymentMethod)
  }
})

test('returns a quote without a fee, but does not store it', async t => {
  const lines: string[] = []
  const env = { SERVICE_QUOTE_CHECK: 'required', LOG_LEVEL: 'warn' }
  const own = await withFeeService(t, env, { logTo: line => lines.push(line) })
  own.fees.quote = { ...QUOTE, feeId: 'f-1', feeTotalBigInt: undefined }
  t.match(await own.ask(), { feeId: 'f-1' })
  t.match(lines, [/"feeId":"f-1"/])
  const options = '{"feeId":"f-1","signature":"0xsigned"}'
  const body = { ...TRANSFER, amount: '100500000', fee: '0', decimals: 6, options }
  t.match((await submit(own.server, body)).json(), { code: 'QUOTE_UNKNOWN' })
})

test('returns the fee service’s reason for a refusal, and 502 for other failures', async t => {
  const reason = 'amount does not cover the fees'
  for (const [status, quote, given = reason] of [
    [400, { message: reason }],
    [422, { error: reason }],
    [422, {}, 'it gave no reason']
  ] as const) {
    Object.assign(fees, { status, quote })
    const message = `The fee service does not quote this transfer: ${given}`
    t.match(await ask(), { statusCode: 400, code: 'QUOTE_REFUSED', message })
  }
  for (const status of [401, 404, 429, 500]) {
    fees.status = status
    t.match(await ask(), failed)
  }
  fees.status = 200
})

test('rejects a quote if neither side’s amount fits the target token’s decimals', async t => {
  const [fits, finer] = [side('100500000000000000000'), side('100500000000000000001')]
  const swapInfo = { amountOutBigInt: '99500000' }
  const tooFine = refused('VALIDATION', 'amount', /at most 6/)
  for (const [change, expected] of [
    [{ transactionValues: { feeFromOrigin: finer, feeFromTarget: finer } }, tooFine],
    [{ transactionValues: { feeFromTarget: finer } }, tooFine],
    [{ transactionValues: { feeFromOrigin: fits, feeFromTarget: finer } }, { feeId: String }],
    [{ transactionValues: { feeFromOrigin: finer }, swapInfo }, { feeId: String }]
  ] as const) {
    fees.quote = { ...QUOTE, decimals: 18, ...change }
    t.match(await ask({ originChain: 'BSC' }), expected, JSON.stringify(change))
  }
})
