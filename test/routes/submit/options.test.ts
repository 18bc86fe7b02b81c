import { createHash, randomUUID } from 'node:crypto'
import { build, startNetwork } from '../../helpers/app.ts'
import { messagesOn } from '../../helpers/oracle/index.ts'
import { t as root, test } from '../../helpers/tap.ts'
import { cardBody, submit, swapBody } from '../../helpers/transfer.ts'

const devnet = await startNetwork(root)
const server = await build(root, {}, { devnet })
const unchecked = await build(root, { SERVICE_QUOTE_CHECK: 'off' })

const BANK = { originChain: 'BANK', originSymbol: 'EUR', targetChain: 'BASE', targetSymbol: 'EURC' }
const OWN = { feeId: 'f', signature: 's' }
const SEED = '3f0e9a5c-7d1b-4c2e-9f86-2b8d1e5a6c70'
const OTHER = '9b2d6c1e-0f3a-4e57-8c44-d1a7b9e03f52'
const PERMIT2 = { r: `0x${'1'.repeat(64)}`, s: `0x${'aB'.repeat(32)}`, v: 27, deadline: 1900000000 }
const nested = (levels: number) =>
  `{"feeId":"f","signature":"s","x":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`
const permit2 = (change: object) => ({ ...OWN, permit2: { ...PERMIT2, ...change } })

/** Options of a transfer that are refused: the option in the error, and its values as JSON; `none` if it is missing. */
const WRONG = `
feeId | none | "" | "f 1" | "${'f'.repeat(256)}" | "f\\u0007" | "f\\u202e" | "f\\u200b" | "f\\udb40\\udc41"
signature | none | "" | {} | "${'x'.repeat(4097)}"
message | 1
chargeFeeAtTarget | "true" | null
permit2 | "0xsigned" | ${JSON.stringify(JSON.stringify(PERMIT2))} | [1] | [] | 1 | false
permit2/r | none | "no" | 1 | "${'1'.repeat(64)}" | "0x${'1'.repeat(63)}" | "0x${'1'.repeat(65)}"
permit2/s | none | null | "0x${'g'.repeat(64)}" | ["${PERMIT2.s}"]
permit2/v | none | 0 | 1 | 26 | 29 | 99 | 27.5 | "" | "0x1b" | [27]
permit2/deadline | none | null | 0 | -1 | 1.5 | 1700000000000 | "1e300" | 1e300 | "tomorrow" | "" | [1900000000]
FEEID | "g"
Message | "g"
Permit2 | "g"
ChargeFeeAtTarget | true
PaymentMethod | "g"
TransactionIdSeed | "g"
TransactionIdSignature | "g"
ſignature | "g"`

/** Fields of the body that contradict the options, and origins whose users sign otherwise. */
const WRONG_BODIES: [path: string, change: object, options?: object][] = [
  ['/feeId', { feeId: 'g' }],
  ['/feeId', { feeId: 'g' }, { feeId: null }],
  ['/signature', { signature: 'x' }],
  ['/message', { message: 'n' }, { message: 'm' }],
  ['/options/signature', { originChain: 'SOL' }, { signature: '0x' }],
  ['/options/signature', { originChain: 'TRX' }, { signature: '0x' }],
  ['/options/signature', { originChain: 'XYZ' }, { signature: '0x' }]
]

test('rejects invalid options and reports the field', async t => {
  const refused = async (path: string, change: object) => {
    const answer = (await submit(server, { ...swapBody(), amount: '1', ...change })).json()
    const expected = { statusCode: 400, code: 'OPTIONS_INVALID', details: [{ path }] }
    t.match(answer, expected, JSON.stringify(change).slice(0, 99))
  }
  const longer = `{"feeId":"f","signature":"s","x":[${'1e20,'.repeat(3000)}1]}`
  for (const options of ['feeId=1', '[]', nested(33), nested(8000), longer])
    await refused('/options', { options })
  await refused('/options/feeId', { options: '{"__proto__":{"feeId":"g","signature":"s"}}' })
  for (const row of WRONG.trim().split('\n')) {
    const [option = '', ...values] = row.split(' | ')
    const [, part] = option.split('/')
    for (const text of values) {
      const value = text === 'none' ? undefined : JSON.parse(text)
      const change = part === undefined ? { [option]: value } : permit2({ [part]: value })
      await refused(`/options/${option}`, { options: JSON.stringify({ ...OWN, ...change }) })
    }
  }
  for (const [path, change, options] of WRONG_BODIES)
    await refused(path, { ...change, options: JSON.stringify({ ...OWN, ...options }) })
  t.same(messagesOn(devnet).transfers, [])
})

const odd = '"a":1,"a":{"b":"\\ud800"},"x":1e400,"n":9007199254740993,"feeI\\u0064":"f-4"'
/** Options, what the chain gets, and fields of the body. */
const ACCEPTED: [options: string, text?: string | undefined, fields?: object][] = [
  ['{"newer":1}', '{"newer":1,"feeId":"f-1","signature":"s"}', { feeId: 'f-1', signature: 's', message: '' }],
  ['{"feeId":"f-2","signature":"s"}', undefined, { feeId: 'f-2', signature: 's' }],
  ['{"feeId":"","signature":"s"}', '{"feeId":"f-0","signature":"s"}', { feeId: 'f-0' }],
  [
    '{"feeId":"f-3","signature":"s"}',
    '{"feeId":"f-3","signature":"s","message":"m"}',
    { feeId: '', signature: '', message: 'm' }
  ],
  [`{"feeId":"${'f'.repeat(255)}","signature":"s"}`],
  [nested(32)],
  [
    ` {"feeId":"f","signature":"s",${odd}}`,
    '{"feeId":"f-4","signature":"s","a":{"b":"\\ud800"},"x":null,"n":9007199254740992}'
  ],
  ['{ "feeId" : "f-5","signature":"s","fee":"1","id":7}', '{"feeId":"f-5","signature":"s","fee":"1","id":7}'],
  ...[{}, { v: 28 }, { v: '28' }, { deadline: '1900000000' }].map((change): [string] => [
    JSON.stringify({ ...permit2(change), feeId: randomUUID() })
  ])
]

test('sends the checked options to the chain, merged with fields of the body', async t => {
  for (const [options, text = options, fields] of ACCEPTED) {
    const response = await submit(server, { ...swapBody(), amount: '100500000', ...fields, options })
    t.equal(response.statusCode, 200, options)
    t.equal(messagesOn(devnet).transfers.at(-1)?.['options'], text)
  }
})

/** Options of a card or bank payment that are refused: the field, its values, and fields of the body. */
const WRONG_PAYMENTS: [name: string, values: unknown[], fields?: object][] = [
  ['transactionIdSeed', [undefined, '', 'I approve', '123e4567-e89b-12d3-a456-426614174000']],
  ['paymentMethod', ['CREDITCARD', ' creditCard', '\u0441reditCard', 'creditCard\u200b', 'sepaEur']],
  ['paymentMethod', ['SEPAEUR', 'sepaEur\n', '\u017fepaEur', 'creditCard', 1], BANK],
  ['paymentMethod', ['googlePay', '', undefined, ['creditCard'], null], { originChain: 'FIAT' }]
]

test('without a known quote, accepts only the fiat rail’s own payment method', async t => {
  const seeds = { fiatTransactionIdSeed: [OTHER, SEED.toUpperCase()], ccTransactionIdSeed: [OTHER] }
  const others = Object.entries(seeds).flatMap(([field, values]) =>
    values.map(value => [`/${field}`, { [field]: value }, { transactionIdSeed: SEED }] as const)
  )
  const rows = WRONG_PAYMENTS.flatMap(([name, values, fields = {}]) =>
    values.map(value => [`/options/${name}`, fields, { [name]: value }] as const)
  )
  for (const [path, fields, options] of [...rows, ...others]) {
    const expected = { code: 'OPTIONS_INVALID', details: [{ path, message: /^must / }] }
    const body = cardBody(fields, options)
    const swap = { ...body, amountIn: '10050', amountOut: '99000000', amountOutDecimals: 6 }
    for (const each of [server, unchecked]) {
      t.match((await submit(each, body)).json(), expected, `${path} ${JSON.stringify(options)}`)
      t.match((await submit(each, swap, { path: '/submit/swap' })).json(), expected)
    }
  }
})

const transactionId = async (from: typeof server, transactionIdSeed: string) =>
  (await from.inject({ url: '/submit/transactionId', query: { transactionIdSeed } })).json().transactionId

test('derives the id of a payment from its seed with RFC 6979', async t => {
  // The first test phrase from the BIP-39 standard. The id is from an independent implementation of RFC 6979.
  const SERVICE_BACKEND_MNEMONIC = `${'abandon '.repeat(11)}about`
  const own = await build(t, { SERVICE_BACKEND_MNEMONIC }, { devnet })
  const id = 'f4ccf7d687d5658243235f4f7182b8a9bb49a8493a4673c534ce97e06ae47d20'
  t.equal(await transactionId(own, OTHER.toUpperCase()), id)
})

test('submits every fiat payment as FIAT, whether the client sends FIAT, CC or BANK', async t => {
  const without = { transactionIdSeed: undefined }
  const [card, sepa] = [{ paymentMethod: 'creditCard' }, { paymentMethod: 'sepaEur' }]
  const signed = { signature: '0xsigned' }
  const kept = { chargeFeeAtTarget: true, message: 'I approve' }
  const payments: [body: object, paymentMethod: object][] = [
    [cardBody(signed, { ...kept, ...signed, transactionIdSignature: 'the client’s' }), { ...card, ...kept }],
    [cardBody({ originChain: 'FIAT' }), card],
    [cardBody({}, { paymentMethod: undefined }), card],
    [cardBody(BANK, sepa), sepa],
    [cardBody(BANK, { paymentMethod: '' }), sepa],
    [cardBody({ ...BANK, originChain: 'FIAT' }, sepa), sepa],
    [cardBody({ originAddress: 'anything', ccTransactionIdSeed: randomUUID() }, without), card],
    [cardBody({ fiatTransactionIdSeed: randomUUID() }, { transactionIdSeed: '' }), card],
    [{ ...cardBody(), amountIn: '10050', amountOut: '99000000', amountOutDecimals: 6 }, card]
  ]
  for (const [body, expected] of payments) {
    const path = 'amountIn' in body ? '/submit/swap' : '/submit'
    const response = await submit(server, body, { path })
    t.equal(response.statusCode, 200)
    const { transfers, swaps } = messagesOn(devnet)
    const { options = '', ...message } = (path === '/submit' ? transfers : swaps).at(-1) ?? {}
    t.match(message, { originChain: 'FIAT', originAddress: '', fee: '0.42' })
    t.match(message, path === '/submit' ? { amount: '100.5' } : { amountIn: '100.5', amountOut: '99' })
    const { transactionIdSeed, transactionIdSignature: signature, ...rest } = JSON.parse(options)
    t.match(signature, /^[0-9a-f]{128}$/)
    const id = createHash('sha256').update(signature).digest('hex')
    t.equal(await transactionId(server, transactionIdSeed), id)
    t.match(rest, { feeId: /./, ...expected })
    t.notOk('signature' in rest)
    if (path !== '/submit') continue
    const [status] = (await server.inject(`/tx/${response.json().txId}/status`)).json().data.transaction_data
    t.match(status, { originchain: 'FIAT', originaddress: '' })
  }
})
