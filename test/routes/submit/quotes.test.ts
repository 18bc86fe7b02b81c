import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import Database from 'libsql'
import { build, startNetwork, type Variables } from '../../helpers/app.ts'
import { advanceClock } from '../../helpers/clock.ts'
import { json, serve } from '../../helpers/local-server.ts'
import { messagesOn } from '../../helpers/oracle/index.ts'
import { t as root, type Test, test } from '../../helpers/tap.ts'
import { cardBody, quoteFor, submit, swapBody, TRANSFER, transferBody } from '../../helpers/transfer.ts'
import { pricedFees } from './priced-fees.ts'
import { CARD, quotedPayment, quotedSwap } from './quoted-bodies.ts'

const devnet = await startNetwork(root)
const server = await build(root, {}, { devnet })

const OTHER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const BANK = { originChain: 'BANK', originSymbol: 'EUR', targetChain: 'BASE', targetSymbol: 'EURC' }
const METHOD = '/options/paymentMethod'

type Ends = Partial<typeof TRANSFER>
const accepted = { txId: Number }
const refused = (code: string, ...paths: string[]) =>
  ({ statusCode: 400, code, details: paths.map(path => ({ path })) }) as const
const mismatch = (...paths: string[]) => refused('QUOTE_MISMATCH', ...paths)

/** Submits a body to the route for its amounts. */
const send = async (body: object, to: FastifyInstance = server) =>
  (await submit(to, body, { path: 'amountIn' in body ? '/submit/swap' : '/submit' })).json()

const withOptions = <B extends { options: string }>(body: B, change: object) => ({
  ...body,
  options: JSON.stringify({ ...JSON.parse(body.options), ...change })
})

/** Changes that make a submission contradict its quote, with the values in the expected error. */
const CONTRADICTIONS: [change: object, path: string, quoted: string, sent: string][] = [
  [{ fee: '412749' }, '/fee', '0.41275 tokens', '0.412749'],
  [{ amount: '100500001' }, '/amount', '100.5 or 100.08725 tokens', '100.500001'],
  [{ targetAddress: OTHER }, '/targetAddress', TRANSFER.targetAddress, OTHER],
  [{ originAddress: OTHER }, '/originAddress', TRANSFER.originAddress, OTHER],
  [{ originChain: 'POL' }, '/originChain', 'ETH', 'POL'],
  [{ originSymbol: 'USDC' }, '/originSymbol', 'USDT', 'USDC'],
  [{ targetChain: 'ARB' }, '/targetChain', 'POL', 'ARB'],
  [{ targetSymbol: 'USDT' }, '/targetSymbol', 'USDC', 'USDT']
]

test('rejects a submission that contradicts its quote, and reports both values', async t => {
  const body = await transferBody(server)
  for (const [change, path, quoted, sent] of CONTRADICTIONS) {
    const details = [{ path, message: `must be ${quoted} as in the quote, not ${sent}` }]
    t.match(await send({ ...body, ...change }), { statusCode: 400, code: 'QUOTE_MISMATCH', details })
  }
  t.match((await send({ ...body, decimals: 7 })).details, [
    { path: '/amount', message: 'must be 100.5 or 100.08725 tokens as in the quote, not 10.05' },
    { path: '/fee', message: 'must be 0.41275 tokens as in the quote, not 0.041275' }
  ])
  const several = await send({ ...body, fee: '0', amount: '1', targetChain: 'ARB' })
  t.match(several, mismatch('/targetChain', '/amount', '/fee'))
  t.equal(several.message, 'targetChain must be POL as in the quote, not ARB')
  t.same(messagesOn(devnet).transfers, [])
  t.match(await send(body), accepted)
  const unchecked = await build(t, { SERVICE_QUOTE_CHECK: 'off' }, { devnet: await startNetwork(t) })
  t.match(await send({ ...(await transferBody(unchecked)), fee: '0' }, unchecked), accepted, 'checks are off')
})

test('requires the amount quoted for the side on which the user pays the fees', async t => {
  const { feeFromOrigin, feeFromTarget } = (await quoteFor(server)).transactionValues
  for (const [chargeFeeAtTarget, { submitAmount: amount }, expected] of [
    [false, feeFromOrigin, accepted],
    [false, feeFromTarget, mismatch('/amount')],
    [true, feeFromTarget, accepted],
    [true, feeFromOrigin, mismatch('/amount')],
    [undefined, feeFromTarget, accepted]
  ] as const) {
    const body = withOptions(await transferBody(server), { chargeFeeAtTarget })
    t.match(await send({ ...body, amount }), expected)
  }
})

test('compares whole tokens, canonical addresses, and a fee that rounds to zero', async t => {
  const { amount, fee, ...body } = await transferBody(server)
  const targetAddress = TRANSFER.targetAddress.toLowerCase()
  const finer = { ...body, targetAddress, amount: `${amount}00`, fee: `${fee}00`, decimals: 8 }
  t.match(await send(finer), accepted)
  const coarse = { ...(await transferBody(server, { amount: '100' })), amount: '100', fee: '0', decimals: 0 }
  t.match(await send(coarse), mismatch('/fee'))
})

test('requires the fee of a quote, which may be rounded to fewer decimals', async t => {
  const side = { allowanceAmount: '100500000', submitAmount: '100500000', message: 'x' }
  const quoted = { decimals: 6, feeTotalBigInt: { value: '412750500000000000', decimals: 18 } }
  const fees = await serve(t, (_request, response) =>
    json(response, { feeId: randomUUID(), ...quoted, transactionValues: { feeFromOrigin: side } })
  )
  const precise = await build(t, { SERVICE_BACKEND_FEE_URL: fees.url, SERVICE_RESPONSE_FORMAT: 'widget' })
  for (const [fee, decimals, expected] of [
    ['412750', 6, accepted],
    ['412751', 6, accepted],
    ['412749', 6, mismatch('/fee')],
    ['412752', 6, mismatch('/fee')],
    ['412750', 5, mismatch('/amount', '/fee')],
    ['412750', 7, mismatch('/amount', '/fee')]
  ] as const) {
    const { feeId } = await quoteFor(precise)
    const options = JSON.stringify({ feeId, signature: '0xsigned' })
    const body = { ...TRANSFER, amount: '100500000', fee, decimals, options }
    t.match(await send(body, precise), expected, `${fee} with ${decimals} decimals`)
  }
})

test('a swap needs a swap’s quote and its amounts, and a transfer a transfer’s quote', async t => {
  const { amount: _, ...swap } = await quotedSwap(server)
  const { amountIn, amountOut, ...transfer } = swap
  const raised = (units: string) => String(BigInt(units) + 1n)
  t.match(await send({ ...swap, amountIn: raised(amountIn) }), mismatch('/amountIn'))
  t.match(await send({ ...swap, amountOut: raised(amountOut) }), mismatch('/amountOut'))
  t.match(await send({ ...transfer, amount: amountIn }), mismatch('/amountOut'))
  const body = await transferBody(server)
  t.match(await send({ ...body, amountIn: body.amount, amountOut }), mismatch('/amountOut'))
  t.match(await send(swap), accepted)
})

test('compares a submission in the format of version 1.4 with its quote', async t => {
  const older = async (change: object) => {
    const { feeId, decimals, transactionValues } = await quoteFor(server)
    const { submitAmount, message } = transactionValues.feeFromTarget
    const signed = { feeId, decimals, submitAmount, message, signature: '0xsigned', options: '{}' }
    return send({ ...TRANSFER, ...signed, ...change })
  }
  t.match(await older({}), accepted)
  t.match(await older({ submitAmount: '100000000' }), mismatch('/submitAmount', '/fee'))
  t.match(await older({ fee: '0' }), mismatch('/fee'))
  t.match(await older({ message: undefined }), mismatch('/fee'), 'the fee is unknown')
  t.match(await older({ amount: '99' }), refused('VALIDATION', '/amount'))
})

const payment = (quoted: Ends, change: object, paymentMethod?: string, to = server) =>
  quotedPayment(to, { quoted, ...change }, { paymentMethod })

const as = (originChain: string, ends: Ends) => ({ ...ends, originChain })
const OTHER_ENDS = ['/originChain', '/originSymbol', '/targetChain', '/targetSymbol', METHOD]

/** Rails and payment methods, with the fields that differ from the quoted ones. */
const METHODS: [quoted: Ends, sent: Ends, paymentMethod: string | undefined, differing?: string[]][] = [
  [CARD, CARD, 'creditCard'],
  [CARD, as('FIAT', CARD), 'creditCard'],
  [BANK, BANK, undefined],
  [as('FIAT', BANK), BANK, 'sepaEur'],
  [BANK, BANK, 'SEPAEUR', [METHOD]],
  [CARD, BANK, 'sepaEur', OTHER_ENDS],
  [BANK, as('FIAT', CARD), 'creditCard', OTHER_ENDS],
  [BANK, CARD, '', OTHER_ENDS]
]

test('requires the amount, the rail and the payment method of a payment’s quote', async t => {
  for (const [quoted, sent, paymentMethod, differing = []] of METHODS) {
    const body = await payment(quoted, sent, paymentMethod)
    const swap = { ...body, amountIn: body.amount, amountOut: '1', amountOutDecimals: 6 }
    t.match(await send(swap), mismatch(...differing, '/amountOut'))
    const expected = differing.length > 0 ? mismatch(...differing) : accepted
    t.match(await send(body), expected, `${paymentMethod} as ${sent.originChain}`)
  }
  const other = (await send(await payment(CARD, { amount: '999999' }, 'creditCard'))).details
  t.match(other, [{ path: '/amount', message: /^must be 100.5 .* as in the quote, not 9999.99$/ }])
  const ends = { originChain: 'ETH', originAddress: TRANSFER.originAddress, originSymbol: 'USDT' }
  const crypto = withOptions(await payment(CARD, ends), { signature: '0xsigned' })
  t.match((await send(crypto)).details, [
    { path: '/originChain', message: 'must be CC as in the quote, not ETH' },
    { path: '/originAddress', message: /^must be empty as in the quote/ },
    { path: '/originSymbol' },
    { path: METHOD, message: 'must be creditCard as in the quote, not empty' }
  ])
})

test('accepts a payment method that only the fee service knows, with its quote', async t => {
  const side = { allowanceAmount: '10050', submitAmount: '10050', message: 'x' }
  const quoted = { decimals: 2, feeTotalBigInt: '42', options: { paymentMethod: 'debitCard' } }
  const fees = await serve(t, (_request, response) =>
    json(response, { feeId: randomUUID(), ...quoted, transactionValues: { feeFromOrigin: side } })
  )
  const noCards = JSON.stringify({ origin: { mode: 'blacklist', chains: ['CC'] } })
  const open = await build(t, { SERVICE_BACKEND_FEE_URL: fees.url })
  const filtered = await build(t, { SERVICE_BACKEND_FEE_URL: fees.url, SERVICE_CHAIN_FILTER: noCards })
  for (const [to, ends, paymentMethod, expected] of [
    [open, CARD, 'debitCard', accepted],
    [open, CARD, 'creditCard', mismatch(METHOD)],
    [open, as('FIAT', CARD), 'debitCard', refused('OPTIONS_INVALID', METHOD)],
    [filtered, CARD, 'debitCard', refused('CHAIN_FILTERED', '/originChain')]
  ] as const)
    t.match(await send(await payment(CARD, ends, paymentMethod, to), to), expected, ends.originChain)
})

test('rejects a submission whose stored quote is damaged', async t => {
  const body = await transferBody(server)
  const database = new Database(join(server.config.SERVICE_DATA_DIR, 'submissions.db'))
  t.teardown(() => database.close())
  const { feeId } = JSON.parse(body.options)
  t.equal(database.prepare(`UPDATE quote SET terms = '{' WHERE fee_id = ?`).run([feeId]).changes, 1)
  t.match(await send(body), refused('QUOTE_UNKNOWN', '/options/feeId'))
})

const MINUTES = 60
const HOURS = 60 * MINUTES
const unknown = refused('QUOTE_UNKNOWN', '/options/feeId')
const expired = refused('QUOTE_EXPIRED', '/options/feeId')

test('a quote of another environment, chain, brand or wallet is unknown', async t => {
  const devnet = await startNetwork(t)
  const strict = await build(t, { SERVICE_QUOTE_CHECK: 'required' }, { devnet })
  const database = new Database(join(strict.config.SERVICE_DATA_DIR, 'submissions.db'))
  t.teardown(() => database.close())
  const move = database.prepare('UPDATE quote SET network = replace(network, ?, ?) WHERE fee_id = ?')
  for (const part of ['testnet ', ` ${devnet.chain.chainId} `, ' service ', ` ${strict.signer.address}`]) {
    const body = await transferBody(strict)
    move.run([part, part.replace(/\w+/, 'other'), JSON.parse(body.options).feeId])
    t.match(await send(body, strict), unknown, part)
  }
})

/** Starts a server that requires quotes, with a fee service whose prices the test can change. */
async function shop(t: Test, settings: Variables = {}) {
  const own = await startNetwork(t)
  const fees = await pricedFees(t, own)
  const env = { SERVICE_QUOTE_CHECK: 'required', SERVICE_BACKEND_FEE_URL: fees.url, ...settings }
  const strict = await build(t, env, { devnet: own })
  const ofSide = async (side: 'feeFromOrigin' | 'feeFromTarget', chargeFeeAtTarget?: boolean) => {
    const { feeId, feeTotalBigInt: fee, decimals, transactionValues } = await quoteFor(strict)
    const options = JSON.stringify({ feeId, signature: '0xsigned', chargeFeeAtTarget })
    return { ...TRANSFER, amount: transactionValues[side].submitAmount, fee, decimals, options }
  }
  /** Functions that request a quote and build a body, by kind. */
  const bodies = {
    transfer: () => ofSide('feeFromOrigin', false),
    'transfer with fees at the target': () => ofSide('feeFromTarget', true),
    'transfer that chooses no side': () => ofSide('feeFromTarget'),
    'card payment': () => payment(CARD, {}, 'creditCard', strict),
    swap: () => quotedSwap(strict)
  }
  return { devnet: own, fees, bodies, pay: (body: object) => send(body, strict) }
}

test('accepts an expired quote at its price if the transfer costs no more now', async t => {
  const { devnet, fees, bodies, pay } = await shop(t)
  for (const [name, bodyOf] of Object.entries(bodies)) {
    fees.prices.surcharge = 0n
    const body = await bodyOf()
    advanceClock(11 * MINUTES)
    fees.prices.fails = true
    t.match(await pay(body), { statusCode: 502, code: 'UPSTREAM_ERROR' })
    Object.assign(fees.prices, { fails: false, surcharge: -1n })
    const { length: asked } = fees.seen
    t.match(await pay(body), accepted, `${name}: a retry after the fee service had failed`)
    const [quoted, ...compared] = fees.seen.slice(asked - 2).map(({ body }) => body)
    t.same(compared, [quoted, quoted], `${name}: one request each, for the same transfer`)
  }
  const { transfers, swaps } = messagesOn(devnet)
  t.equal(transfers.length + swaps.length, Object.keys(bodies).length)
})

test('permanently rejects an expired quote if the transfer costs more now', async t => {
  const { fees, bodies, pay } = await shop(t)
  for (const [kind, change] of [
    ['transfer', { surcharge: 1n }],
    ['swap', { lessOut: 1n }],
    ['swap', { lessOut: 10n ** 30n }],
    ['transfer', { lifetimeMs: -1000 }],
    ['card payment', { paymentMethod: 'debitCard' }]
  ] as const) {
    const body = await bodies[kind]()
    advanceClock(11 * MINUTES)
    const before = { ...fees.prices }
    Object.assign(fees.prices, change)
    const { length: asked } = fees.seen
    t.match(await pay(body), expired, JSON.stringify(Object.keys(change)))
    Object.assign(fees.prices, before)
    t.match(await pay(body), expired, 'still rejected after the price has fallen')
    t.equal(fees.seen.length, asked + 1)
  }
})

test('requests a new price only if quotes are required and this one has expired', async t => {
  const { fees, bodies, pay } = await shop(t)
  const [valid, late] = [await bodies.transfer(), await bodies.transfer()]
  fees.prices.surcharge = 1n
  const { length: asked } = fees.seen
  t.match(await pay(valid), accepted)
  advanceClock(11 * MINUTES)
  t.match(await pay({ ...late, fee: '0' }), mismatch('/fee'))
  advanceClock(12 * HOURS)
  t.match(await pay(late), unknown)
  for (const invented of [cardBody(), swapBody()]) t.match(await pay(invented), unknown)
  t.equal(fees.seen.length, asked)

  const lenient = await shop(t, { SERVICE_QUOTE_CHECK: 'known' })
  const body = await lenient.bodies.transfer()
  advanceClock(11 * MINUTES)
  lenient.fees.prices.fails = true
  t.match(await lenient.pay({ ...body, fee: '0' }), mismatch('/fee'))
  t.match(await lenient.pay(body), accepted)
})
