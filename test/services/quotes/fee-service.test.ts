import type { ServerResponse } from 'node:http'
import type { ChainToken } from '../../../schemas/chains.ts'
import type { FeeQuery } from '../../../schemas/fee-quote.ts'
import { createFeeService, type FeeApi } from '../../../services/quotes/fee-service.ts'
import { UpstreamError } from '../../../services/upstream/errors.ts'
import { keepingLog } from '../../helpers/keeping-log.ts'
import { json, type SeenRequest, serve } from '../../helpers/local-server.ts'
import { type Test, test } from '../../helpers/tap.ts'
import { ROUTE } from '../../helpers/transfer.ts'

const token = (symbol: string, decimals: number, address = '') => ({
  symbol,
  decimals,
  address,
  peggedTo: 'USD'
})

/** A small token registry. */
const REGISTRY: Record<string, ChainToken> = {
  'ETH USDT': token('USDT', 6),
  'POL USDC': token('USDC', 6),
  'CC USD': token('USD', 2, 'creditCard'),
  'FIAT EUR': { ...token('EUR', 2, 'sepaEur'), peggedTo: 'EUR' }
}
const knownToken = async (chain: string, symbol: string) => REGISTRY[`${chain} ${symbol}`]

const QUERY: FeeQuery = { ...ROUTE, amount: '100.5' }
const values = (amount: unknown) => ({ allowanceAmount: amount, submitAmount: amount, message: 'I approve' })
const QUOTE = {
  feeId: 'f-1',
  decimals: 6,
  feeTotalFiat: 0.5,
  feeTotalBigInt: '500000',
  newer: { field: [1.25] },
  transactionValues: { feeFromOrigin: values('100500000'), feeFromTarget: values('99500000') }
}

async function feesTo(
  t: Test,
  answer: (request: SeenRequest, response: ServerResponse) => void,
  token: typeof knownToken = knownToken,
  api: FeeApi = 'v2'
) {
  const server = await serve(t, answer)
  const { log, entries } = keepingLog()
  const fees = createFeeService({
    baseUrl: server.url,
    path: `/${api}/fees/calculate`,
    api,
    format: 'documented',
    creator: 'service1creator',
    environment: 'testnet',
    chains: { token, transferLimit: async () => undefined, ownAddresses: async () => [] },
    log
  })
  t.teardown(() => fees.close())
  return {
    fees,
    entries,
    asked: () => server.seen.map(({ method, url, body }) => ({ method, url, body: JSON.parse(body) }))
  }
}

test('amounts stay text, and deductFee is passed on', async t => {
  const { fees, asked } = await feesTo(t, (_q, r) => json(r, QUOTE))
  const amount = '90071992547409931234.000001'
  await fees.quote({ ...QUERY, amount, deductFee: false })
  t.match(asked(), [{ body: { amount, deductFee: false } }])
})

test('the fee service gets a rail as FIAT without an address', async t => {
  const { fees, asked } = await feesTo(t, (_q, r) => json(r, QUOTE))
  for (const originChain of ['BANK', 'CC', 'FIAT']) {
    for (const originAddress of ['', 'anything']) await fees.quote({ ...QUERY, originChain, originAddress })
  }
  t.equal(asked().length, 6)
  for (const { body } of asked()) t.match(body, { originChain: 'FIAT', originAddress: '' })
})

test('the fee service decides about tokens that the registry does not know, or while the registry is down', async t => {
  const down = async () => {
    throw new UpstreamError('chain API', 'HTTP status 500')
  }
  const { fees, entries } = await feesTo(t, (_q, r) => json(r, QUOTE), down)
  t.same(await fees.quote({ ...QUERY, amount: '1.0000001' }), QUOTE)
  t.match(entries, [{ level: 'warn', fields: { err: { upstream: 'chain API' } } }])

  const unknown = await feesTo(t, (_q, r) => json(r, QUOTE))
  t.same(await unknown.fees.quote({ ...QUERY, originChain: 'XYZ', amount: '1.0000001' }), QUOTE)
  t.same(await unknown.fees.quote({ ...QUERY, originSymbol: 'XYZ', amount: '1.0000001' }), QUOTE)
})

test('a number with an exponent is read exactly', async t => {
  const { fees, asked } = await feesTo(t, (_q, r) => json(r, QUOTE))
  await fees.quote({ ...QUERY, amount: '1e-6' })
  await fees.quote({ ...QUERY, amount: '1.005e2' })
  t.match(asked(), [{ body: { amount: '0.000001' } }, { body: { amount: '100.5' } }])
  await t.rejects(fees.quote({ ...QUERY, amount: '1e-7' }), {
    code: 'VALIDATION',
    details: [{ path: '/amount' }]
  })
})

test('the third version is told what the origin token follows, and how a rail is paid', async t => {
  const { fees, asked } = await feesTo(t, (_q, r) => json(r, QUOTE), knownToken, 'v3')
  await fees.quote(QUERY)
  await fees.quote({ ...QUERY, originChain: 'CC', originSymbol: 'USD' })
  await fees.quote({ ...QUERY, originChain: 'FIAT', originSymbol: 'EUR' })
  t.match(asked(), [
    { url: '/v3/fees/calculate', body: { peggedTo: 'USD' } },
    { body: { originChain: 'FIAT', peggedTo: 'USD', options: { paymentMethod: 'creditCard' } } },
    { body: { originChain: 'FIAT', peggedTo: 'EUR', options: { paymentMethod: 'sepaEur' } } }
  ])
  const [crypto] = asked()
  t.notOk('options' in (crypto?.body ?? {}), 'a crypto origin has none')
})

test('the quote of a rail names its payment method, whatever the fee service sends', async t => {
  const card = { ...QUERY, originChain: 'CC', originSymbol: 'USD', amount: '100' }
  const CASES: [unknown, object][] = [
    [undefined, { paymentMethod: 'creditCard' }],
    [{ newer: 1 }, { paymentMethod: 'creditCard', newer: 1 }],
    [
      { paymentMethod: 'debitCard', newer: 1 },
      { paymentMethod: 'debitCard', newer: 1 }
    ],
    [{ paymentMethod: 'debitCard' }, { paymentMethod: 'debitCard' }],
    [
      { paymentMethod: null, newer: 1 },
      { paymentMethod: 'creditCard', newer: 1 }
    ],
    [{ paymentMethod: '' }, { paymentMethod: 'creditCard' }],
    [['debitCard'], { paymentMethod: 'creditCard' }],
    ['{"paymentMethod":"debitCard"}', { paymentMethod: 'creditCard' }],
    [null, { paymentMethod: 'creditCard' }]
  ]
  for (const [options, expected] of CASES) {
    const { fees } = await feesTo(t, (_q, r) => json(r, { ...QUOTE, options }))
    t.strictSame((await fees.quote(card))['options'], expected)
  }
  const { fees } = await feesTo(t, (_q, r) => json(r, QUOTE))
  t.notOk('options' in (await fees.quote(QUERY)), 'a crypto origin has none')
})

const BAD_QUOTES: [string, object][] = [
  ['no feeId', { ...QUOTE, feeId: undefined }],
  ['an empty feeId', { ...QUOTE, feeId: '' }],
  ['no transactionValues', { ...QUOTE, transactionValues: undefined }],
  ['empty transactionValues', { ...QUOTE, transactionValues: {} }],
  ['transactionValues of an unknown side', { ...QUOTE, transactionValues: { newer: values('1') } }],
  ['a fraction as decimals', { ...QUOTE, decimals: 1.5 }],
  ['negative decimals', { ...QUOTE, decimals: -1 }],
  ['too many decimals', { ...QUOTE, decimals: 37 }],
  ['decimals as text', { ...QUOTE, decimals: '6' }],
  ['amounts as fractions', { ...QUOTE, transactionValues: { feeFromOrigin: values(1.5) } }]
]
for (const [name, quote] of BAD_QUOTES) {
  test(`a quote with ${name} is a 502`, async t => {
    const { fees } = await feesTo(t, (_q, r) => json(r, quote))
    await t.rejects(fees.quote(QUERY), { statusCode: 502, code: 'UPSTREAM_ERROR', message: /^fee service: / })
  })
}

test('a refusal of the fee service is a 400 with its text', async t => {
  for (const [status, body] of [
    [400, { message: 'amount does not cover the fees' }],
    [422, { error: 'amount does not cover the fees' }]
  ] as const) {
    const { fees } = await feesTo(t, (_q, r) => json(r, body, status))
    await t.rejects(fees.quote(QUERY), {
      statusCode: 400,
      message: 'The fee service does not quote this transfer: amount does not cover the fees'
    })
  }
})

test('other refusals are a 502', async t => {
  for (const status of [401, 403, 404, 429, 500, 503]) {
    const { fees } = await feesTo(t, (_q, r) => json(r, { message: 'no' }, status))
    await t.rejects(fees.quote(QUERY), { statusCode: 502, code: 'UPSTREAM_ERROR' })
  }
})
