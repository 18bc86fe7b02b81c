import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { build, startNetwork, temporaryFolder, untilReady } from '../../helpers/app.ts'
import { json, serve } from '../../helpers/local-server.ts'
import { type Test, test } from '../../helpers/tap.ts'
import { cardBody, quoteFor, submit, swapBody, TRANSFER, transferBody } from '../../helpers/transfer-flow.ts'

const OTHER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

const optionsWith = (body: { options: string }, change: object) =>
  JSON.stringify({ ...JSON.parse(body.options), ...change })

/** Changes of a submission that contradict its quote, with the expected error. */
const CONTRADICTIONS: [string, object, string, string][] = [
  ['a fee of one unit less', { fee: '412749' }, '/fee', 'is 0.412749, but the quote has 0.41275'],
  [
    'an amount of one unit more',
    { amount: '100500001' },
    '/amount',
    'is 100.500001, but the quote has 100.5 or 100.08725'
  ],
  ['other decimals', { decimals: 7 }, '/amount', 'is 10.05, but the quote has 100.5 or 100.08725'],
  [
    'another target',
    { targetAddress: OTHER },
    '/targetAddress',
    `is ${OTHER}, but the quote has ${TRANSFER.targetAddress}`
  ],
  [
    'another user’s address',
    { originAddress: OTHER },
    '/originAddress',
    `is ${OTHER}, but the quote has ${TRANSFER.originAddress}`
  ],
  ['another origin chain', { originChain: 'POL' }, '/originChain', 'is POL, but the quote has ETH'],
  ['another origin token', { originSymbol: 'USDC' }, '/originSymbol', 'is USDC, but the quote has USDT'],
  ['another target chain', { targetChain: 'ARB' }, '/targetChain', 'is ARB, but the quote has POL'],
  ['another target token', { targetSymbol: 'USDT' }, '/targetSymbol', 'is USDT, but the quote has USDC']
]

test('a submission that contradicts its quote is a 400 that names the field, what came and what was quoted', async t => {
  const server = await build(t)
  const body = await transferBody(server)
  for (const [name, change, path, message] of CONTRADICTIONS) {
    for (const url of ['/submit', '/submit/transfer']) {
      const answer = (await submit(server, { ...body, ...change }, { path: url })).json()
      t.match(answer, { statusCode: 400, code: 'QUOTE_MISMATCH', details: [{ path, message }] }, name)
    }
  }
  t.equal((await server.inject('/tx/1/status')).statusCode, 404, 'nothing reached the chain')
  t.match((await submit(server, body)).json(), { txId: 1 })
})

test('every contradiction is in the details, the first in the message', async t => {
  const server = await build(t)
  const body = { ...(await transferBody(server)), fee: '0', amount: '1', targetChain: 'ARB' }
  const answer = (await submit(server, body)).json()
  t.equal(answer.message, 'targetChain is ARB, but the quote has POL')
  t.same(
    answer.details.map(({ path }: { path: string }) => path),
    ['/targetChain', '/amount', '/fee']
  )
})

test('the amount is that of the side which the user chose', async t => {
  const server = await build(t)
  const { feeFromOrigin, feeFromTarget } = (await quoteFor(server)).transactionValues
  t.not(feeFromOrigin.submitAmount, feeFromTarget.submitAmount)
  for (const [chargeFeeAtTarget, amount, status] of [
    [false, feeFromOrigin.submitAmount, 200],
    [false, feeFromTarget.submitAmount, 400],
    [true, feeFromTarget.submitAmount, 200],
    [true, feeFromOrigin.submitAmount, 400],
    [undefined, feeFromOrigin.submitAmount, 200],
    [undefined, feeFromTarget.submitAmount, 200]
  ] as const) {
    const body = await transferBody(server)
    const options = optionsWith(body, { chargeFeeAtTarget })
    const response = await submit(server, { ...body, amount, options })
    t.equal(response.statusCode, status, `${chargeFeeAtTarget} ${amount}`)
    if (status === 400) t.match(response.json(), { code: 'QUOTE_MISMATCH', details: [{ path: '/amount' }] })
  }
  const unclear = await transferBody(server)
  const options = optionsWith(unclear, { chargeFeeAtTarget: 'true' })
  t.match((await submit(server, { ...unclear, options })).json(), {
    code: 'OPTIONS_INVALID',
    details: [{ path: '/options/chargeFeeAtTarget' }]
  })
})

test('amounts are compared as numbers of tokens, and addresses in their canonical spelling', async t => {
  const server = await build(t)
  const body = await transferBody(server)
  const eight = { amount: `${body.amount}00`, fee: `${body.fee}00`, decimals: 8 }
  t.equal((await submit(server, { ...body, ...eight })).statusCode, 200)
  const lower = await transferBody(server)
  const targetAddress = TRANSFER.targetAddress.toLowerCase()
  t.equal((await submit(server, { ...lower, targetAddress })).statusCode, 200)
})

test('fewer decimals than the token has are no way round the fee', async t => {
  const server = await build(t)
  const body = await transferBody(server, { amount: '100' })
  const coarse = { ...body, amount: '100', fee: '0', decimals: 0 }
  t.match((await submit(server, coarse)).json(), { code: 'QUOTE_MISMATCH', details: [{ path: '/fee' }] })
})

test('a fee is rounded to the decimals of the quoted amount, where those are fewer than the token has', async t => {
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
  for (const [fee, status] of [
    ['412752', 400],
    ['412749', 400],
    ['412750', 200]
  ] as const) {
    t.equal((await submit(server, { ...body, fee })).statusCode, status, fee)
  }
})

test('a version 1.4 submission is compared with its quote too', async t => {
  const server = await build(t)
  const older = async (change: object) => {
    const { feeId, decimals, transactionValues } = await quoteFor(server)
    const { submitAmount, message } = transactionValues.feeFromTarget
    const signed = { feeId, decimals, submitAmount, message, signature: '0xsigned', options: '{}' }
    return (await submit(server, { ...TRANSFER, ...signed, ...change })).json()
  }
  t.match(await older({}), { txId: Number })
  const mismatch = (path: string) => ({ code: 'QUOTE_MISMATCH', details: [{ path }] })
  t.match(await older({ submitAmount: '100000000' }), mismatch('/submitAmount'))
  t.match(await older({ fee: '0' }), mismatch('/fee'))
  t.match(await older({ message: undefined }), mismatch('/fee'), 'the signed message has the fee')
  t.match(await older({ amount: '99' }), { code: 'VALIDATION', details: [{ path: '/amount' }] })
})

test('a card payment of another amount than the quoted one is refused', async t => {
  const server = await build(t)
  const card = { originChain: 'CC', originSymbol: 'USD', originAddress: '' }
  const { feeId, feeTotalBigInt: fee, transactionValues } = await quoteFor(server, card)
  const { submitAmount: amount } = transactionValues.feeFromOrigin
  const body = (change: object) => cardBody({ amount, fee, ...change }, { feeId })
  t.match((await submit(server, body({ amount: '999999' }))).json(), {
    code: 'QUOTE_MISMATCH',
    details: [{ path: '/amount', message: /^is 9999.99, but the quote has 100.5/ }]
  })
  const crypto = {
    originChain: 'ETH',
    originAddress: TRANSFER.originAddress,
    originSymbol: 'USDT',
    decimals: 2
  }
  const options = JSON.stringify({ feeId, signature: '0xsigned' })
  t.match((await submit(server, body({ ...crypto, options }))).json(), {
    code: 'QUOTE_MISMATCH',
    details: [{ path: '/originChain', message: 'is ETH, but the quote has FIAT' }]
  })
  t.equal((await submit(server, body({}))).statusCode, 200)
})

test('a swap is compared by the amount in and the amount out, and a transfer is no swap', async t => {
  const server = await build(t)
  const path = '/submit/swap'
  const ends = { targetChain: 'AVX', targetSymbol: 'EURC' }
  const quote = await quoteFor(server, ends)
  const { submitAmount: amountIn } = quote.transactionValues.feeFromOrigin
  const { amountOutBigInt: amountOut } = quote.swapInfo
  const { feeId, feeTotalBigInt: fee } = quote
  const body = (change: object) => swapBody({ ...ends, amountIn, amountOut, fee, ...change }, { feeId })
  const mismatch = (path: string) => ({ code: 'QUOTE_MISMATCH', details: [{ path }] })
  t.match((await submit(server, body({ amountIn: '1' }), { path })).json(), mismatch('/amountIn'))
  t.match((await submit(server, body({ amountOut: '1' }), { path })).json(), mismatch('/amountOut'))
  t.match((await submit(server, body({ fee: '1' }), { path })).json(), mismatch('/fee'))
  const transfer = { ...body({}), amount: amountIn }
  t.match((await submit(server, transfer)).json(), mismatch('/amountOut'), 'a transfer')
  t.match((await submit(server, body({}), { path })).json(), { txId: Number })

  const { amount, ...plain } = await transferBody(server)
  const swap = { ...plain, amountIn: amount, amountOut: amount }
  t.match((await submit(server, swap, { path })).json(), mismatch('/amountOut'), 'the quote of a transfer')
})

const unknown = { code: 'QUOTE_UNKNOWN', details: [{ path: '/options/feeId' }] }

test('an invented feeId passes, unless quotes are required', async t => {
  const devnet = await startNetwork(t)
  const invented = () => swapBody()
  const server = await build(t, {}, { devnet })
  t.equal((await submit(server, invented(), { path: '/submit/swap' })).statusCode, 200)
  await server.close()

  const strict = await build(t, { SERVICE_QUOTE_CHECK: 'required' }, { devnet })
  await untilReady(strict)
  for (const [body, path] of [
    [invented(), '/submit/swap'],
    [cardBody({ amount: '999999' }), '/submit']
  ] as const) {
    t.match((await submit(strict, body, { path })).json(), unknown)
  }
})

test('nothing is compared when the check is off', async t => {
  const folder = temporaryFolder(t)
  const server = await build(t, { SERVICE_QUOTE_CHECK: 'off', SERVICE_DATA_DIR: folder })
  const body = await transferBody(server)
  t.equal((await submit(server, { ...body, fee: '0' })).statusCode, 200)
})

async function restarted(t: Test, first: FastifyInstance, settings: Record<string, string>, devnet: object) {
  await first.close()
  return build(t, settings, devnet)
}

test('quotes are still known after a restart', async t => {
  const devnet = await startNetwork(t)
  const settings = { SERVICE_QUOTE_CHECK: 'required', SERVICE_DATA_DIR: temporaryFolder(t) }
  const first = await build(t, settings, { devnet })
  const body = await transferBody(first)
  const second = await restarted(t, first, settings, { devnet })
  t.match((await submit(second, { ...body, fee: '0' })).json(), { code: 'QUOTE_MISMATCH' })
  t.equal((await submit(second, body)).statusCode, 200)
})
