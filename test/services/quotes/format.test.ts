import type { QuoteSide, ResponseFormat } from '../../../schemas/fee-quote.ts'
import { formatQuote, type Quote } from '../../../services/quotes/format.ts'
import { test } from '../../helpers/tap.ts'

const USDT_TO_USDT = { origin: 6, target: 18 }

const six = (value: string) => ({ value, decimals: 6 })
type Amount = QuoteSide['submitAmount']
const message = 'I approve'
const side = (allowanceAmount: Amount, submitAmount: Amount) => ({ allowanceAmount, submitAmount, message })
const quoteOf = (amount: (value: string) => Amount): Quote => ({
  feeId: 'f-1',
  feeTotalBigInt: amount('500000'),
  feeTotalFiat: 0.5,
  decimals: 6,
  newer: { value: 1.5 },
  transactionValues: {
    feeFromOrigin: side(amount('100500000'), amount('100000000')),
    feeFromTarget: side(amount('100000000'), amount('99500000'))
  }
})
const digits = quoteOf(value => value)
const objects = quoteOf(six)
/** A quote whose digits have no decimals. */
const { decimals: _, ...unnamed } = digits
const unknown = { origin: undefined, target: undefined }

const format = (quote: Quote, as: ResponseFormat, tokens: Parameters<typeof formatQuote>[2] = USDT_TO_USDT) =>
  formatQuote(quote, as, tokens, 'fee service')

test('converts both fee service formats, and a mix of them, to both response formats', async t => {
  for (const quote of [digits, objects, { ...objects, feeTotalBigInt: '500000' }]) {
    t.same(format(quote, 'documented'), digits)
    t.same(format(quote, 'widget'), objects)
  }
  const value = '9007199254740993000000000000000001'
  t.equal(format({ ...digits, feeTotalBigInt: six(value) }, 'documented')['feeTotalBigInt'], value)
})

test('uses the registry’s decimals if the fee service sends none, and fails without', async t => {
  t.same(format(unnamed, 'documented'), digits)
  t.same(format(unnamed, 'widget')['feeTotalBigInt'], six('500000'))
  t.same(format(unnamed, 'documented', unknown), unnamed, 'digits need no decimals')
  const mixed = [
    { ...unnamed, feeTotalBigInt: six('500000') },
    { ...objects, decimals: null, feeTotalBigInt: '500000' }
  ]
  const error = { code: 'UPSTREAM_ERROR', message: /decimals of .* not known/ }
  for (const quote of mixed) t.throws(() => format(quote, 'documented', unknown), error)
  for (const quote of [unnamed, ...mixed]) t.throws(() => format(quote, 'widget', unknown), error)
})

test('reads digits in the registry’s decimals even if other amounts have others', async t => {
  const submitAmount = { value: '100000000000000000000', decimals: 18 }
  const mixed = { ...unnamed, transactionValues: { feeFromOrigin: side('100500000', submitAmount) } }
  t.match(format(mixed, 'widget'), {
    feeTotalBigInt: six('500000'),
    transactionValues: { feeFromOrigin: { allowanceAmount: six('100500000'), submitAmount } }
  })
  t.match(format(mixed, 'documented'), {
    decimals: 18,
    feeTotalBigInt: '500000000000000000',
    transactionValues: {
      feeFromOrigin: { allowanceAmount: '100500000000000000000', submitAmount: submitAmount.value }
    }
  })
  const named = { ...mixed, decimals: 6 }
  t.match(format(named, 'documented'), {
    decimals: 6,
    feeTotalBigInt: '500000',
    transactionValues: { feeFromOrigin: { allowanceAmount: '100500000', submitAmount: '100000000' } }
  })
  t.match(format({ ...mixed, decimals: null }, 'documented'), { decimals: 18, feeTotalBigInt: /^50{17}$/ })
})

test('accepts a quote with only one side, and leaves an unknown swapInfo unchanged', async t => {
  const swapInfo = ['newer', { amountOutBigInt: 1.5 }]
  const newer = { message: 'I approve' }
  const feeFromTarget = side('100000000', '99500000')
  const quote = { ...digits, swapInfo, transactionValues: { feeFromTarget, newer } }
  t.same(format(quote, 'documented'), quote)
  const inTarget = side(six('100000000'), six('99500000'))
  const named = { ...objects, decimals: null, transactionValues: { feeFromTarget: inTarget, newer } }
  t.match(format(named, 'documented', unknown), { decimals: 6, transactionValues: { feeFromTarget, newer } })
  t.same(format({ ...digits, swapInfo: null }, 'documented'), { ...digits, swapInfo: null })
})

test('converts amounts to the decimals of a standard quote', async t => {
  const gas = { ...objects, feeTargetGasBigInt: { value: '1000000000001', decimals: 18 } }
  t.equal(format(gas, 'documented')['feeTargetGasBigInt'], '2', 'a fee is rounded up')
  t.same(format(gas, 'widget')['feeTargetGasBigInt'], { value: '1000000000001', decimals: 18 })
  const cents = { ...objects, feeTargetGasBigInt: { value: '12', decimals: 2 } }
  t.equal(format(cents, 'documented')['feeTargetGasBigInt'], '120000')
})

test('never rounds an amount to approve, to submit or to receive', async t => {
  const finer = { value: '1', decimals: 7 }
  for (const values of [side('1', finer), side(finer, '1')]) {
    const quote = { ...digits, transactionValues: { feeFromOrigin: values } }
    t.throws(() => format(quote, 'documented'), { code: 'UPSTREAM_ERROR', message: /finer/ })
  }
  const out = { ...digits, swapInfo: { amountOutBigInt: { value: '1', decimals: 19 } } }
  t.throws(() => format(out, 'documented'), { code: 'UPSTREAM_ERROR', message: /finer/ })
})

test('reads a swap’s amount out in the target token’s decimals', async t => {
  const quote = { ...digits, feeSwapBigInt: '1200' }
  const swap = (amountOutBigInt: unknown) => ({ ...quote, swapInfo: { amountOutBigInt, dex: 'dex' } })
  const out = '99500000000000000000'
  for (const amount of [out, { value: out, decimals: 18 }, { value: '99500000', decimals: 6 }]) {
    const expected = { feeSwapBigInt: '1200', swapInfo: { amountOutBigInt: out, dex: 'dex' } }
    t.match(format(swap(amount), 'documented'), expected)
  }
  const swapInfo = { amountOutBigInt: { value: out, decimals: 18 } }
  t.match(format(swap(out), 'widget'), { feeSwapBigInt: six('1200'), swapInfo })
})

test('rejects a value that is not an amount', async t => {
  for (const amount of [1.5, 500000, '0x10', '-1', '', null, { value: '1' }, { value: '-1', decimals: 6 }]) {
    const quotes = [
      { ...digits, feeTotalBigInt: amount },
      { ...digits, swapInfo: { amountOutBigInt: amount } }
    ]
    for (const quote of quotes) {
      for (const as of ['documented', 'widget'] as const) {
        const error = { code: 'UPSTREAM_ERROR', statusCode: 502, message: /^fee service: / }
        t.throws(() => format(quote, as), error, `${JSON.stringify(amount)} ${as}`)
      }
    }
  }
})
