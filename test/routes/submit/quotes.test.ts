import { randomUUID } from 'node:crypto'
import { build } from '../../helpers/app.ts'
import { json, serve } from '../../helpers/local-server.ts'
import { test } from '../../helpers/tap.ts'
import { cardBody, quoteFor, submit, swapBody, TRANSFER, transferBody } from '../../helpers/transfer-flow.ts'

const OTHER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

const optionsWith = (body: { options: string }, change: object) =>
  JSON.stringify({ ...JSON.parse(body.options), ...change })

/** Changes that make a submission contradict its quote, with the values in the expected error. */
const CONTRADICTIONS: [object, string, quoted: string, sent: string][] = [
  [{ fee: '412749' }, '/fee', '0.41275 tokens', '0.412749'],
  [{ amount: '100500001' }, '/amount', '100.5 or 100.08725 tokens', '100.500001'],
  [{ targetAddress: OTHER }, '/targetAddress', TRANSFER.targetAddress, OTHER],
  [{ originAddress: OTHER }, '/originAddress', TRANSFER.originAddress, OTHER],
  [{ originChain: 'POL' }, '/originChain', 'ETH', 'POL'],
  [{ originSymbol: 'USDC' }, '/originSymbol', 'USDT', 'USDC'],
  [{ targetChain: 'ARB' }, '/targetChain', 'POL', 'ARB'],
  [{ targetSymbol: 'USDT' }, '/targetSymbol', 'USDC', 'USDT']
]

test('rejects a submission that contradicts its quote and names each field with both values', async t => {
  const server = await build(t)
  const body = await transferBody(server)
  for (const [change, path, quoted, sent] of CONTRADICTIONS) {
    const message = `must be ${quoted} as in the quote, not ${sent}`
    const answer = (await submit(server, { ...body, ...change })).json()
    t.match(answer, { statusCode: 400, code: 'QUOTE_MISMATCH', details: [{ path, message }] })
  }
  const shifted = (await submit(server, { ...body, decimals: 7 })).json()
  t.match(shifted.details, [
    { path: '/amount', message: 'must be 100.5 or 100.08725 tokens as in the quote, not 10.05' },
    { path: '/fee', message: 'must be 0.41275 tokens as in the quote, not 0.041275' }
  ])
  const several = (await submit(server, { ...body, fee: '0', amount: '1', targetChain: 'ARB' })).json()
  t.equal(several.message, 'targetChain must be POL as in the quote, not ARB')
  t.match(several.details, [{ path: '/targetChain' }, { path: '/amount' }, { path: '/fee' }])
  t.equal((await server.inject('/tx/1/status')).statusCode, 404, 'nothing was sent to the chain')
  t.match((await submit(server, body)).json(), { txId: 1 })
})

test('requires the amount quoted for the side on which the user pays the fees', async t => {
  const server = await build(t)
  const { feeFromOrigin, feeFromTarget } = (await quoteFor(server)).transactionValues
  t.not(feeFromOrigin.submitAmount, feeFromTarget.submitAmount)
  for (const [chargeFeeAtTarget, amount, status] of [
    [false, feeFromOrigin.submitAmount, 200],
    [false, feeFromTarget.submitAmount, 400],
    [true, feeFromTarget.submitAmount, 200],
    [true, feeFromOrigin.submitAmount, 400],
    [undefined, feeFromTarget.submitAmount, 200]
  ] as const) {
    const body = await transferBody(server)
    const options = optionsWith(body, { chargeFeeAtTarget })
    const response = await submit(server, { ...body, amount, options })
    t.equal(response.statusCode, status, `${chargeFeeAtTarget} ${amount}`)
    if (status === 400) t.match(response.json(), { code: 'QUOTE_MISMATCH', details: [{ path: '/amount' }] })
  }
})

test('compares amounts in whole tokens, addresses in their canonical spelling, and a fee that rounds to zero', async t => {
  const server = await build(t)
  const { amount, fee, ...body } = await transferBody(server)
  const targetAddress = TRANSFER.targetAddress.toLowerCase()
  const eight = { ...body, targetAddress, amount: `${amount}00`, fee: `${fee}00`, decimals: 8 }
  t.equal((await submit(server, eight)).statusCode, 200)
  const coarse = { ...(await transferBody(server, { amount: '100' })), amount: '100', fee: '0', decimals: 0 }
  t.match((await submit(server, coarse)).json(), { code: 'QUOTE_MISMATCH', details: [{ path: '/fee' }] })
})

test('rounds a quoted fee to the decimals of the quoted amount if the fee has more decimals', async t => {
  const submitAmount = { value: '100500000', decimals: 6 }
  const quote = {
    feeId: randomUUID(),
    feeTotalBigInt: { value: '412750000000000001', decimals: 18 },
    transactionValues: { feeFromOrigin: { submitAmount, allowanceAmount: submitAmount } }
  }
  const feeService = await serve(t, (_request, response) => json(response, quote))
  const server = await build(t, { SERVICE_BACKEND_FEE_URL: feeService.url })
  const options = JSON.stringify({ feeId: quote.feeId, signature: '0xsigned' })
  const body = { ...TRANSFER, originChain: 'BSC', amount: '100500000', decimals: 6, options }
  await quoteFor(server, { originChain: 'BSC' })
  const atTarget = optionsWith(body, { chargeFeeAtTarget: true })
  const message = 'must be false as in the quote, not true'
  t.match((await submit(server, { ...body, fee: '412750', options: atTarget })).json(), {
    code: 'QUOTE_MISMATCH',
    details: [{ path: '/options/chargeFeeAtTarget', message }, { path: '/fee' }]
  })
  for (const [fee, status] of [
    ['412752', 400],
    ['412749', 400],
    ['412750', 200]
  ] as const) {
    t.equal((await submit(server, { ...body, fee })).statusCode, status, fee)
  }
})

test('compares a submission in the format of version 1.4 with its quote', async t => {
  const server = await build(t)
  const older = async (change: object) => {
    const { feeId, decimals, transactionValues } = await quoteFor(server)
    const { submitAmount, message } = transactionValues.feeFromTarget
    const signed = { feeId, decimals, submitAmount, message, signature: '0xsigned', options: '{}' }
    return (await submit(server, { ...TRANSFER, ...signed, ...change })).json()
  }
  t.match(await older({}), { txId: Number })
  const mismatch = (...paths: string[]) => ({
    code: 'QUOTE_MISMATCH',
    details: paths.map(path => ({ path }))
  })
  t.match(await older({ submitAmount: '100000000' }), mismatch('/submitAmount', '/fee'))
  t.match(await older({ fee: '0' }), mismatch('/fee'))
  t.match(await older({ message: undefined }), mismatch('/fee'), 'the fee is unknown')
  t.match(await older({ amount: '99' }), { code: 'VALIDATION', details: [{ path: '/amount' }] })
})

const CARD = { originChain: 'CC', originSymbol: 'USD', originAddress: '' }
const BANK = { originChain: 'BANK', originSymbol: 'EUR', targetChain: 'BASE', targetSymbol: 'EURC' }

test('rejects a card payment whose amount or origin differs from the quote', async t => {
  const server = await build(t)
  const { feeId, feeTotalBigInt: fee, transactionValues } = await quoteFor(server, CARD)
  const { submitAmount: amount } = transactionValues.feeFromOrigin
  const { originAddress } = TRANSFER
  const crypto = { originChain: 'ETH', originAddress, originSymbol: 'USDT', decimals: 2 }
  const signed = { ...crypto, options: JSON.stringify({ feeId, signature: '0xsigned' }) }
  const changes: [object, ...details: object[]][] = [
    [{ amount: '999999' }, { path: '/amount', message: /^must be 100.5 .* as in the quote, not 9999.99$/ }],
    [
      signed,
      { path: '/originChain', message: 'must be CC as in the quote, not ETH' },
      { path: '/originAddress', message: /^must be empty as in the quote/ },
      { path: '/originSymbol' },
      { path: '/options/paymentMethod', message: 'must be creditCard as in the quote, not empty' }
    ]
  ]
  const send = async (change: object) =>
    (await submit(server, cardBody({ amount, fee, ...change }, { feeId }))).json()
  for (const [change, ...details] of changes) t.match(await send(change), { code: 'QUOTE_MISMATCH', details })
  t.match(await send({}), { txId: Number })
})

type Ends = Partial<typeof TRANSFER>
const as = (originChain: string, ends: Ends) => ({ ...ends, originChain })
const METHOD = '/options/paymentMethod'
const OTHER_ENDS = ['/originChain', '/originSymbol', '/targetChain', '/targetSymbol', METHOD]

/** Payment methods or rails that are not the quoted ones, with the fields that differ. */
const METHODS: [quoted: Ends, sent: Ends, paymentMethod: string, paths: string[]][] = [
  [BANK, BANK, 'SEPAEUR', [METHOD]],
  [BANK, BANK, 'CREDITCARD', [METHOD]],
  [BANK, BANK, 'googlePay', [METHOD]],
  [CARD, CARD, 'SEPAEUR', [METHOD]],
  [CARD, BANK, 'sepaEur', OTHER_ENDS],
  [CARD, as('FIAT', BANK), 'sepaEur', OTHER_ENDS],
  [BANK, as('FIAT', CARD), 'creditCard', OTHER_ENDS],
  [BANK, CARD, '', OTHER_ENDS]
]

test('requires the rail and the payment method of the quote, character by character', async t => {
  const server = await build(t)
  async function payment(quoted: Ends, sent: Ends, paymentMethod: string | undefined) {
    const { feeId, feeTotalBigInt: fee, transactionValues } = await quoteFor(server, quoted)
    const { submitAmount: amount } = transactionValues.feeFromOrigin
    return cardBody({ ...sent, originAddress: '', amount, fee }, { feeId, paymentMethod })
  }
  for (const [quoted, sent, paymentMethod, paths] of METHODS) {
    const body = await payment(quoted, sent, paymentMethod)
    const swap = { ...body, amountIn: body.amount, amountOut: '1', amountOutDecimals: 6 }
    for (const [path, differing] of [
      ['/submit', paths],
      ['/submit/swap', [...paths, '/amountOut']]
    ] as const) {
      const answer = (await submit(server, path === '/submit' ? body : swap, { path })).json()
      const expected = { code: 'QUOTE_MISMATCH', details: differing.map(path => ({ path })) }
      t.match(answer, expected, `${path}: ${paymentMethod} as ${sent.originChain}`)
    }
  }
  for (const [quoted, sent, paymentMethod] of [
    [CARD, CARD, 'creditCard'],
    [CARD, as('FIAT', CARD), 'creditCard'],
    [BANK, BANK, undefined],
    [as('FIAT', BANK), BANK, 'sepaEur']
  ] as const)
    t.match((await submit(server, await payment(quoted, sent, paymentMethod))).json(), { txId: Number })
})

test('accepts a payment method that only the fee service knows with its quote, and only on its rail', async t => {
  const amount = '10050'
  const side = { allowanceAmount: amount, submitAmount: amount, message: 'x' }
  const feeService = await serve(t, (_request, response) =>
    json(response, {
      feeId: randomUUID(),
      decimals: 2,
      feeTotalBigInt: '42',
      options: { paymentMethod: 'debitCard' },
      transactionValues: { feeFromOrigin: side }
    })
  )
  const withoutCards = {
    SERVICE_CHAIN_FILTER: JSON.stringify({ origin: { mode: 'blacklist', chains: ['CC'] } })
  }
  for (const [settings, ends, paymentMethod, expected] of [
    [{}, CARD, 'debitCard', { txId: Number }],
    [{}, CARD, 'creditCard', { code: 'QUOTE_MISMATCH', details: [{ path: METHOD }] }],
    [{}, as('FIAT', CARD), 'debitCard', { code: 'OPTIONS_INVALID', details: [{ path: METHOD }] }],
    [withoutCards, CARD, 'debitCard', { code: 'CHAIN_FILTERED', details: [{ path: '/originChain' }] }],
    [withoutCards, BANK, 'debitCard', { code: 'QUOTE_MISMATCH', details: [{ path: '/originChain' }] }]
  ] as const) {
    const server = await build(t, { SERVICE_BACKEND_FEE_URL: feeService.url, ...settings })
    const { feeId, options } = await quoteFor(server, CARD)
    t.match(options, { paymentMethod: 'debitCard' })
    const body = cardBody({ ...ends, amount }, { feeId, paymentMethod })
    const answer = (await submit(server, body)).json()
    t.match({ ...answer, details: answer.details?.slice(0, 1) }, expected, ends.originChain)
  }
})

test('compares both amounts of a swap, and rejects a transfer that uses a swap’s quote', async t => {
  const server = await build(t)
  const path = '/submit/swap'
  const ends = { targetChain: 'AVX', targetSymbol: 'EURC' }
  const quote = await quoteFor(server, ends)
  const { submitAmount: amountIn } = quote.transactionValues.feeFromOrigin
  const { amountOutBigInt: amountOut } = quote.swapInfo
  const { feeId, feeTotalBigInt: fee } = quote
  const body = (change: object) => swapBody({ ...ends, amountIn, amountOut, fee, ...change }, { feeId })
  const send = async (sent: object, to = path) => (await submit(server, sent, { path: to })).json()
  const mismatch = (path: string) => ({ code: 'QUOTE_MISMATCH', details: [{ path }] })
  for (const field of ['amountIn', 'amountOut', 'fee'])
    t.match(await send(body({ [field]: '1' })), mismatch(`/${field}`))
  t.match(await send({ ...body({}), amount: amountIn }, '/submit'), mismatch('/amountOut'), 'a transfer')
  t.match(await send(body({})), { txId: Number })

  const { amount, ...plain } = await transferBody(server)
  const swap = { ...plain, amountIn: amount, amountOut: amount }
  t.match(await send(swap), mismatch('/amountOut'), 'a swap that uses a transfer’s quote')
})

test('accepts a submission that contradicts its quote if quote checks are off', async t => {
  const server = await build(t, { SERVICE_QUOTE_CHECK: 'off' })
  const body = await transferBody(server)
  t.equal((await submit(server, { ...body, fee: '0' })).statusCode, 200)
})
