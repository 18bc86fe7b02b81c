import { transactionIdSignature } from '../../../services/fiat/transaction-id.ts'
import { fiatOptions, type OptionsInput } from '../../../services/requests/options.ts'
import { test } from '../../helpers/tap.ts'
import { wallet } from '../../helpers/wallet.ts'

const SEED = '3f0e9a5c-7d1b-4c2e-9f86-2b8d1e5a6c70'
const OTHER = '9b2d6c1e-0f3a-4e57-8c44-d1a7b9e03f52'
const CARD = { feeId: 'f-1', paymentMethod: 'creditCard', transactionIdSeed: SEED }
const SIGNED = { ...CARD, transactionIdSignature: await transactionIdSignature(SEED, wallet) }

type Fields = Omit<OptionsInput, 'options'>

const read = async (options: object, fields: Fields = {}, originChain = 'CC') => {
  const input = { options: JSON.stringify(options), ...fields }
  const { feeId, rail, text } = await fiatOptions(input, originChain, wallet)
  return { feeId, rail, options: JSON.parse(text) }
}

test('merges body fields into the options, and the seed under either name', async t => {
  const { feeId, transactionIdSeed: _none, ...without } = CARD
  const message = 'I approve'
  const merged = await read(without, { feeId, message, fiatTransactionIdSeed: SEED })
  t.same(merged.options, { ...SIGNED, message })
  t.same((await read(CARD, { fiatTransactionIdSeed: SEED, ccTransactionIdSeed: SEED })).options, SIGNED)
  t.same((await read(CARD, { fiatTransactionIdSeed: '' })).options, SIGNED, 'an empty seed counts as missing')
  t.same((await read({ ...CARD, transactionIdSeed: '' }, { fiatTransactionIdSeed: SEED })).options, SIGNED)
})

test('derives the rail from the origin chain and the payment method', async t => {
  for (const [originChain, paymentMethod, rail, sent] of [
    ['BANK', 'sepaGbp', 'BANK'],
    ['CC', undefined, 'CC', 'creditCard'],
    ['BANK', '', 'BANK', 'sepaEur']
  ]) {
    const expected = { rail, options: { paymentMethod: sent ?? paymentMethod } }
    t.match(
      await read({ ...CARD, paymentMethod }, {}, originChain),
      expected,
      `${originChain} ${paymentMethod}`
    )
  }
})

const WRONG: [string, object, string, Fields?, string?][] = [
  ['FIAT without a payment method', { paymentMethod: '' }, '/options/paymentMethod', {}, 'FIAT'],
  ['a payment method of null', { paymentMethod: null }, '/options/paymentMethod'],
  ['a bank’s payment method for a card', { paymentMethod: 'sepaEur' }, '/options/paymentMethod'],
  ['a card’s payment method for a bank', {}, '/options/paymentMethod', {}, 'BANK'],
  ['FIAT with an unknown payment method', { paymentMethod: 'sepaGbp' }, '/options/paymentMethod', {}, 'FIAT'],
  ['chargeFeeAtTarget as a string', { chargeFeeAtTarget: 'true' }, '/options/chargeFeeAtTarget'],
  ['chargeFeeAtTarget as null', { chargeFeeAtTarget: null }, '/options/chargeFeeAtTarget'],
  ['a missing seed', { transactionIdSeed: undefined }, '/options/transactionIdSeed'],
  ['an empty seed', { transactionIdSeed: '' }, '/options/transactionIdSeed'],
  ['any text as a seed', { transactionIdSeed: 'I approve' }, '/options/transactionIdSeed'],
  [
    'a seed of another UUID version',
    { transactionIdSeed: '123e4567-e89b-12d3-a456-426614174000' },
    '/options/transactionIdSeed'
  ],
  ['another seed in the body', {}, '/fiatTransactionIdSeed', { fiatTransactionIdSeed: OTHER }],
  ['another seed under the older name', {}, '/ccTransactionIdSeed', { ccTransactionIdSeed: OTHER }],
  ['a seed in another case', {}, '/fiatTransactionIdSeed', { fiatTransactionIdSeed: SEED.toUpperCase() }]
]

test('rejects invalid options in a card or bank payment and names the field', async t => {
  for (const [name, change, path, fields, originChain] of WRONG) {
    const expected = { statusCode: 400, code: 'OPTIONS_INVALID', details: [{ path }] }
    await t.rejects(read({ ...CARD, ...change }, fields, originChain), expected, name)
  }
})
