import { transactionIdSignature } from '../../../services/fiat/transaction-id.ts'
import type { OptionsInput } from '../../../services/requests/options.ts'
import { fiatOptions } from '../../../services/requests/options.ts'
import { test } from '../../helpers/tap.ts'
import { wallet } from '../../helpers/wallet.ts'

const SEED = '3f0e9a5c-7d1b-4c2e-9f86-2b8d1e5a6c70'
const OTHER = '9b2d6c1e-0f3a-4e57-8c44-d1a7b9e03f52'
const CARD = { feeId: 'f-1', paymentMethod: 'creditCard', transactionIdSeed: SEED }
const SIGNED = { ...CARD, transactionIdSignature: await transactionIdSignature(SEED, wallet) }

const read = async (options: object, beside: Omit<OptionsInput, 'options'> = {}, originChain = 'CC') => {
  const { feeId, rail, text } = await fiatOptions(
    { options: JSON.stringify(options), ...beside },
    originChain,
    wallet
  )
  return { feeId, rail, options: JSON.parse(text) }
}

test('a seed in the body is merged into the options, under either name', async t => {
  const { transactionIdSeed: _none, ...without } = CARD
  t.same((await read(without, { fiatTransactionIdSeed: SEED })).options, SIGNED)
  t.same((await read(without, { ccTransactionIdSeed: SEED })).options, SIGNED)
  t.same((await read(CARD, { fiatTransactionIdSeed: SEED, ccTransactionIdSeed: SEED })).options, SIGNED)
  t.same((await read(CARD, { fiatTransactionIdSeed: '' })).options, SIGNED, 'an empty one counts as missing')
  t.same((await read({ ...CARD, transactionIdSeed: '' }, { fiatTransactionIdSeed: SEED })).options, SIGNED)
})

test('a name that differs in its case alone from one of the service’s is refused', async t => {
  for (const name of ['TransactionIdSignature', 'TRANSACTIONIDSEED', 'PaymentMethod', 'Signature']) {
    await t.rejects(read({ ...CARD, [name]: 'x' }), {
      code: 'OPTIONS_INVALID',
      details: [{ path: `/options/${name}` }]
    })
  }
})

test('a missing payment method becomes that of the rail', async t => {
  for (const paymentMethod of [undefined, '']) {
    t.same((await read({ ...CARD, paymentMethod })).options, SIGNED)
    t.match(await read({ ...CARD, paymentMethod }, {}, 'BANK'), {
      rail: 'BANK',
      options: { paymentMethod: 'sepaEur' }
    })
  }
})

test('the rail follows from the origin’s name and the payment method', async t => {
  const CASES: [originChain: string, paymentMethod: string, rail: string][] = [
    ['CC', 'creditCard', 'CC'],
    ['BANK', 'sepaEur', 'BANK'],
    ['FIAT', 'creditCard', 'CC'],
    ['FIAT', 'sepaEur', 'BANK'],
    ['BANK', 'sepaGbp', 'BANK']
  ]
  for (const [originChain, paymentMethod, rail] of CASES) {
    t.equal(
      (await read({ ...CARD, paymentMethod }, {}, originChain)).rail,
      rail,
      `${originChain} ${paymentMethod}`
    )
  }
})

const WRONG: [string, object, string, Omit<OptionsInput, 'options'>?, string?][] = [
  ['no feeId', { feeId: undefined }, '/options/feeId'],
  ['another feeId beside', {}, '/feeId', { feeId: 'f-2' }],
  ['FIAT without a payment method', { paymentMethod: undefined }, '/options/paymentMethod', {}, 'FIAT'],
  ['FIAT with an empty payment method', { paymentMethod: '' }, '/options/paymentMethod', {}, 'FIAT'],
  ['a payment method of null', { paymentMethod: null }, '/options/paymentMethod'],
  ['a payment method that is no text', { paymentMethod: 1 }, '/options/paymentMethod'],
  ['a bank’s payment method for a card', { paymentMethod: 'sepaEur' }, '/options/paymentMethod'],
  ['a card’s payment method for a bank', {}, '/options/paymentMethod', {}, 'BANK'],
  ['FIAT with an unknown method', { paymentMethod: 'sepaGbp' }, '/options/paymentMethod', {}, 'FIAT'],
  ['chargeFeeAtTarget as text', { chargeFeeAtTarget: 'true' }, '/options/chargeFeeAtTarget'],
  ['chargeFeeAtTarget as null', { chargeFeeAtTarget: null }, '/options/chargeFeeAtTarget'],
  ['no seed', { transactionIdSeed: undefined }, '/options/transactionIdSeed'],
  ['an empty seed', { transactionIdSeed: '' }, '/options/transactionIdSeed'],
  ['a seed that is no UUID', { transactionIdSeed: 'seed' }, '/options/transactionIdSeed'],
  ['a seed that is a number', { transactionIdSeed: 7 }, '/options/transactionIdSeed'],
  [
    'a UUID of version 1',
    { transactionIdSeed: '123e4567-e89b-12d3-a456-426614174000' },
    '/options/transactionIdSeed'
  ],
  ['another seed beside', {}, '/fiatTransactionIdSeed', { fiatTransactionIdSeed: OTHER }],
  ['another seed beside, older name', {}, '/ccTransactionIdSeed', { ccTransactionIdSeed: OTHER }],
  [
    'a seed in other letters beside',
    {},
    '/fiatTransactionIdSeed',
    { fiatTransactionIdSeed: SEED.toUpperCase() }
  ],
  [
    'two seeds beside',
    { transactionIdSeed: undefined },
    '/ccTransactionIdSeed',
    { fiatTransactionIdSeed: SEED, ccTransactionIdSeed: OTHER }
  ]
]

for (const [name, change, path, beside, originChain] of WRONG) {
  test(`refused: ${name}`, async t => {
    await t.rejects(read({ ...CARD, ...change }, beside, originChain), {
      statusCode: 400,
      code: 'OPTIONS_INVALID',
      details: [{ path }]
    })
  })
}
