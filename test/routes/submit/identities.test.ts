import { randomUUID } from 'node:crypto'
import { base58 } from '@scure/base'
import { build, startNetwork, temporaryFolder } from '../../helpers/app.ts'
import { keyFile } from '../../helpers/callers.ts'
import { advanceClock } from '../../helpers/clock.ts'
import { messagesOn } from '../../helpers/oracle/index.ts'
import { t as root, test } from '../../helpers/tap.ts'
import { cardBody, submit, swapBody, transferBody } from '../../helpers/transfer-flow.ts'

/** The chain refuses transfers to this address. */
const REFUSED = `0x${'f7'.padStart(40, '0')}`

const withKey = (key: string) => ({ headers: { 'idempotency-key': key } })

/** Builds the expected conflict error. `path` is the field whose value is already used. */
const taken = (code: string, path: string) => ({ statusCode: 409, code, details: [{ path }] })
const quoteTaken = taken('QUOTE_ALREADY_USED', '/options/feeId')
const keyTaken = taken('IDEMPOTENCY_KEY_REUSED', '/idempotency-key')
const paymentTaken = taken('PAYMENT_ALREADY_USED', '/options/transactionIdSeed')

const devnet = await startNetwork(root)
const server = await build(root, {}, { devnet })
const executed = () => messagesOn(devnet).transfers.length

test('executes a feeId only once, whatever its idempotency keys are', async t => {
  const before = executed()
  const body = await transferBody(server)
  const answers = []
  for (const options of [withKey('one'), withKey('two'), withKey('three'), {}]) {
    answers.push((await submit(server, body, options)).json())
  }
  for (const answer of answers) t.same(answer, answers[0])
  t.equal(executed(), before + 1)
  t.match((await submit(server, { ...body, htlcVersion: 'other' }, withKey('four'))).json(), quoteTaken)
  t.match(
    (await submit(server, await transferBody(server), withKey('three'))).json(),
    keyTaken,
    'a key that only a retry used'
  )
})

test('accepts a card payment only once even if it is submitted with different feeIds', async t => {
  const before = executed()
  const transactionIdSeed = randomUUID()
  const body = cardBody({}, { transactionIdSeed })
  const first = await submit(server, body)
  t.equal(first.statusCode, 200)
  t.same((await submit(server, body)).json(), first.json(), 'a retry')
  t.match((await submit(server, cardBody({}, { transactionIdSeed }))).json(), paymentTaken)
  const swap = {
    ...cardBody({}, { transactionIdSeed }),
    amountIn: '10050',
    amountOut: '1',
    amountOutDecimals: 6
  }
  t.match((await submit(server, swap, { path: '/submit/swap' })).json(), paymentTaken)
  t.equal(executed(), before + 1)

  const crypto = swapBody({}, { transactionIdSeed })
  t.equal(
    (await submit(server, crypto, { path: '/submit/swap' })).statusCode,
    200,
    'a seed does not identify a transfer with a crypto origin'
  )
})

test('executes every payment of a rail that uses the same quote', async t => {
  const feeId = randomUUID()
  const swap = { amountIn: '10050', amountOut: '1', amountOutDecimals: 6 }
  const payments = [
    { body: cardBody({}, { feeId }) },
    { body: cardBody({}, { feeId }), headers: { 'idempotency-key': feeId } },
    { body: cardBody({ originChain: 'FIAT' }, { feeId }) },
    { body: cardBody({ originChain: 'BANK', originSymbol: 'EUR' }, { feeId, paymentMethod: 'sepaEur' }) },
    { body: cardBody(swap, { feeId }), path: '/submit/swap' }
  ]
  const results = await Promise.all(payments.map(({ body, ...how }) => submit(server, body, how)))
  t.equal(new Set(results.map(result => result.json().txId)).size, payments.length)
  for (const [at, { body, ...how }] of payments.entries())
    t.same((await submit(server, body, how)).json(), results[at]?.json(), 'a retry')
  t.match((await submit(server, cardBody({}, { feeId }), payments[1])).json(), keyTaken)
})

test('a retry in another spelling returns its submission; other content conflicts', async t => {
  const [hex, solana] = ['aB'.repeat(65), Buffer.alloc(64, 0xab)]
  const feeId = () => `0xA${randomUUID()}`
  type Body = ReturnType<typeof swapBody>
  const crypto = (): Body =>
    swapBody(
      { htlcCreationHash: '0xAbCd', senderPubKey: '0xAB' },
      { feeId: feeId(), signature: `0x${hex}`, newer: { b: '0xAB', a: [{ d: 1, c: 2 }] } }
    )
  const fromSolana = (): Body =>
    swapBody(
      { originChain: 'SOL', originAddress: '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV' },
      { feeId: feeId(), signature: base58.encode(solana) }
    )
  const change = (of: () => Body, fields: object, options: object = {}) => {
    const body = of()
    const changed = { ...JSON.parse(body.options), ...options }
    return { body, again: { ...body, options: JSON.stringify(changed), ...fields } }
  }
  const reversed = (body: Body) => {
    const { newer, ...options } = JSON.parse(body.options)
    const inner = { a: [{ c: 2, d: 1 }], b: '0xab' }
    return { ...body, options: JSON.stringify({ newer: inner, ...options }) }
  }
  const toBitcoin = () => ({
    ...crypto(),
    targetChain: 'BTC',
    targetSymbol: 'BTC',
    amountOutDecimals: 8,
    targetAddress: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'
  })
  const lower = (body: Body) => body.targetAddress.toLowerCase()
  const first = crypto()
  for (const [what, { body, again }] of Object.entries({
    'target in lower case': { body: first, again: { ...first, targetAddress: lower(first) } },
    'origin in upper case': change(crypto, {
      originAddress: `0x${first.originAddress.slice(2).toUpperCase()}`
    }),
    'order of options': (body => ({ body, again: reversed(body) }))(crypto()),
    'hash and key': change(crypto, { htlcCreationHash: '0xABCD', senderPubKey: 'ab' }),
    'case of a signature': change(crypto, {}, { signature: `0x${hex.toLowerCase()}` }),
    'signature without 0x': change(crypto, {}, { signature: hex }),
    'Solana signature in hex': change(fromSolana, {}, { signature: `0x${solana.toString('hex')}` }),
    'bech32 in upper case': change(toBitcoin, { targetAddress: toBitcoin().targetAddress.toUpperCase() })
  })) {
    const key = withKey(randomUUID())
    const accepted = await submit(server, body, { path: '/submit/swap', ...key })
    t.equal(accepted.statusCode, 200, `${what}: ${accepted.body}`)
    t.same((await submit(server, again, { path: '/submit/swap', ...key })).json(), accepted.json(), what)
  }
  const { length } = messagesOn(devnet).swaps
  for (const [what, { body, again }] of Object.entries({
    amount: change(crypto, { amountIn: '100500001' }),
    target: change(crypto, { targetAddress: '0x9965507d1a55bcc2695c58ba16fb37d819b0a4dc' }),
    signature: change(crypto, {}, { signature: `0x${'ac'.repeat(65)}` }),
    'value of an option': change(crypto, {}, { newer: { b: '0xAB', a: [{ c: 1, d: 2 }] } }),
    'an array for its object': change(crypto, {}, { newer: [['b', '0xAB']] })
  })) {
    t.equal((await submit(server, body, { path: '/submit/swap' })).statusCode, 200)
    t.match((await submit(server, again, { path: '/submit/swap' })).json(), quoteTaken, what)
  }
  const { body, again } = change(crypto, {}, { feeId: first.options.slice(10, 47).toLowerCase() })
  t.equal((await submit(server, body, { path: '/submit/swap', ...withKey('case') })).statusCode, 200)
  t.match((await submit(server, again, { path: '/submit/swap', ...withKey('case') })).json(), keyTaken)
  t.equal(messagesOn(devnet).swaps.length, length + 6)
})

test('identities of different kinds with the same value do not conflict', async t => {
  const seed = randomUUID()
  const card = await submit(server, cardBody({}, { transactionIdSeed: seed, feeId: seed }))
  const swap = await submit(server, swapBody(), { path: '/submit/swap', ...withKey(seed) })
  for (const answer of [card, swap]) t.equal(answer.statusCode, 200)
})

test('executes concurrent duplicates only once even if their idempotency keys differ', async t => {
  const before = executed()
  const body = await transferBody(server)
  const keys = Array.from({ length: 4 }, () => randomUUID())
  const answers = await Promise.all(keys.map(key => submit(server, body, withKey(key))))
  for (const answer of answers) t.same(answer.json(), answers[0]?.json())

  const bodies = [await transferBody(server), await transferBody(server)]
  const racing = await Promise.all(bodies.map(racer => submit(server, racer, withKey('five'))))
  t.same(racing.map(({ statusCode }) => statusCode).sort(), [200, 409])
  t.equal(executed(), before + 2)
})

test('accepts a new submission that reuses the identities of a rejected submission', async t => {
  const feeId = randomUUID()
  const refused = swapBody({ targetAddress: REFUSED }, { feeId })
  const [path, order] = ['/submit/swap', withKey('order')]
  t.match((await submit(server, refused, { path, ...order })).json(), { code: 'CHAIN_REJECTED' })
  t.match((await submit(server, swapBody({}, { feeId }), { path, ...order })).json(), { txId: Number })
  t.match((await submit(server, refused, { path, ...order })).json(), quoteTaken)
})

test('only its caller or an operator may redirect a refused payment', async t => {
  const { variables, add } = keyFile(t)
  const shop = add('shop', { scopes: ['submit'] })
  const another = add('another', { scopes: ['submit'] })
  const page = add('page', { scopes: ['submit'], origins: ['https://shop.example'] })
  const operator = add('operator', { scopes: ['submit', 'operate'] })
  const server = await build(t, { ...variables, SERVICE_ACCESS: 'both' })
  const rejected = { code: 'CHAIN_REJECTED' }
  const executed = { txId: Number }
  for (const [payer, others] of [
    [{}, [{}, another, page]],
    [page, [{}, page, another]],
    [shop, [{}, another, page]]
  ] as const) {
    const transactionIdSeed = randomUUID()
    const pay = async (headers: Record<string, string>, change: object, options: object = {}) =>
      (await submit(server, cardBody(change, { transactionIdSeed, ...options }), { headers })).json()
    const again = { targetAddress: REFUSED.toUpperCase().replace('X', 'x'), originChain: 'FIAT' }
    t.match(await pay(payer, { targetAddress: REFUSED }), rejected)
    for (const headers of others) {
      t.match(await pay(headers, {}), paymentTaken)
      for (const change of [{ targetSymbol: 'USDT' }, { targetChain: 'BSC' }])
        t.match(await pay(headers, { targetAddress: REFUSED, ...change }), paymentTaken)
    }
    for (const headers of [...others, payer]) t.match(await pay(headers, again), rejected, 'the same target')
    t.match(await pay(payer === shop ? shop : operator, {}), executed)
    t.match(await pay({}, again), paymentTaken, 'it was executed')
  }
})

test('remembers every identity after a restart', async t => {
  const own = await startNetwork(t)
  const settings = { SERVICE_DATA_DIR: temporaryFolder(t) }
  const start = () => build(t, settings, { devnet: own })
  const first = await start()
  const transactionIdSeed = randomUUID()
  const body = cardBody({}, { transactionIdSeed })
  const accepted = (await submit(first, body, withKey('order'))).json()
  await first.close()
  const server = await start()
  t.same((await submit(server, body)).json(), accepted)
  t.same((await submit(server, body, withKey('order'))).json(), accepted)
  t.match((await submit(server, cardBody(), withKey('order'))).json(), keyTaken)
  t.match((await submit(server, cardBody({}, { transactionIdSeed }))).json(), paymentTaken)
  t.match((await submit(server, { ...body, amount: '1' })).json(), paymentTaken)
})

test('a retry returns the existing submission even if its quote has expired or is gone', async t => {
  const own = await startNetwork(t)
  const settings = { SERVICE_QUOTE_CHECK: 'required', SERVICE_DATA_DIR: temporaryFolder(t) }
  const start = () => build(t, settings, { devnet: own })
  const first = await start()
  const body = await transferBody(first)
  const accepted = (await submit(first, body)).json()
  t.match(accepted, { txId: Number })
  await first.close()
  advanceClock(13 * 3600)
  const server = await start()
  t.same((await submit(server, body, withKey('late'))).json(), accepted)
  const signedAgain = { ...body, htlcVersion: 'other' }
  t.match((await submit(server, signedAgain)).json(), quoteTaken, 'QUOTE_ALREADY_USED, not QUOTE_UNKNOWN')

  const late = await transferBody(server)
  const expiring = (await submit(server, late)).json()
  advanceClock(601)
  t.same((await submit(server, late)).json(), expiring)
  t.match((await submit(server, await transferBody(server), withKey('late'))).json(), keyTaken)
  t.equal(messagesOn(own).transfers.length, 2)
})
