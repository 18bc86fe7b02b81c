import { randomUUID } from 'node:crypto'
import { base58 } from '@scure/base'
import { build, startNetwork, temporaryFolder } from '../../helpers/app.ts'
import { keyFile } from '../../helpers/callers.ts'
import { advanceClock } from '../../helpers/clock.ts'
import { messagesOn } from '../../helpers/oracle/index.ts'
import { t as root, test } from '../../helpers/tap.ts'
import { cardBody, submit, swapBody, transferBody } from '../../helpers/transfer-flow.ts'
import { quotedPayment } from './quoted-bodies.ts'

/** The chain refuses transfers to this address. */
const REFUSED = `0x${'f7'.padStart(40, '0')}`

const path = '/submit/swap'
/** What makes a card payment a swap. */
const SWAP = { amountIn: '10050', amountOut: '1', amountOutDecimals: 6 }

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
  t.match((await submit(server, cardBody(SWAP, { transactionIdSeed }), { path })).json(), paymentTaken)
  t.equal(executed(), before + 1)

  const crypto = await submit(server, swapBody({}, { transactionIdSeed }), { path })
  t.equal(crypto.statusCode, 200, 'a seed does not identify a transfer with a crypto origin')
})

test('executes every payment of a rail that uses the same quote', async t => {
  const feeId = randomUUID()
  const payments = [
    { body: cardBody({}, { feeId }) },
    { body: cardBody({}, { feeId }), headers: { 'idempotency-key': feeId } },
    { body: cardBody({ originChain: 'FIAT' }, { feeId }) },
    { body: cardBody({ originChain: 'BANK', originSymbol: 'EUR' }, { feeId, paymentMethod: 'sepaEur' }) },
    { body: cardBody(SWAP, { feeId }), path }
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
    return { body, again: { ...body, options: JSON.stringify({ newer: inner, ...options }) } }
  }
  const bitcoin = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'
  const toBitcoin = () => ({
    ...{ ...crypto(), targetChain: 'BTC', targetSymbol: 'BTC', amountOutDecimals: 8 },
    targetAddress: bitcoin
  })
  const first = crypto()
  for (const [what, { body, again }] of Object.entries({
    'target in lower case': change(() => first, { targetAddress: first.targetAddress.toLowerCase() }),
    'origin in upper case': change(crypto, {
      originAddress: `0x${first.originAddress.slice(2).toUpperCase()}`
    }),
    'order of options': reversed(crypto()),
    'hash and key': change(crypto, { htlcCreationHash: '0xABCD', senderPubKey: 'ab' }),
    'case of a signature': change(crypto, {}, { signature: `0x${hex.toLowerCase()}` }),
    'signature without 0x': change(crypto, {}, { signature: hex }),
    'Solana signature in hex': change(fromSolana, {}, { signature: `0x${solana.toString('hex')}` }),
    'bech32 in upper case': change(toBitcoin, { targetAddress: bitcoin.toUpperCase() })
  })) {
    const key = withKey(randomUUID())
    const accepted = await submit(server, body, { path, ...key })
    t.equal(accepted.statusCode, 200, `${what}: ${accepted.body}`)
    t.same((await submit(server, again, { path, ...key })).json(), accepted.json(), what)
  }
  const { length } = messagesOn(devnet).swaps
  for (const [what, { body, again }] of Object.entries({
    amount: change(crypto, { amountIn: '100500001' }),
    target: change(crypto, { targetAddress: '0x9965507d1a55bcc2695c58ba16fb37d819b0a4dc' }),
    signature: change(crypto, {}, { signature: `0x${'ac'.repeat(65)}` }),
    'value of an option': change(crypto, {}, { newer: { b: '0xAB', a: [{ c: 1, d: 2 }] } }),
    'an array for its object': change(crypto, {}, { newer: [['b', '0xAB']] })
  })) {
    t.equal((await submit(server, body, { path })).statusCode, 200)
    t.match((await submit(server, again, { path })).json(), quoteTaken, what)
  }
  const { body, again } = change(crypto, {}, { feeId: first.options.slice(10, 47).toLowerCase() })
  t.equal((await submit(server, body, { path, ...withKey('case') })).statusCode, 200)
  t.match((await submit(server, again, { path, ...withKey('case') })).json(), keyTaken)
  t.equal(messagesOn(devnet).swaps.length, length + 6)
})

test('identities of different kinds with the same value do not conflict', async t => {
  const seed = randomUUID()
  const card = await submit(server, cardBody({}, { transactionIdSeed: seed, feeId: seed }))
  const swap = await submit(server, swapBody(), { path, ...withKey(seed) })
  t.strictSame([card.statusCode, swap.statusCode], [200, 200])
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
  const order = withKey('order')
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
  for (const [payer, others] of [
    [{}, [{}, another, page]],
    [page, [{}, page, another]],
    [shop, [{}, another, page]]
  ] as const) {
    const transactionIdSeed = randomUUID()
    const pay = async (headers: Record<string, string>, change: object = {}) =>
      (await submit(server, cardBody(change, { transactionIdSeed }), { headers })).json()
    t.match(await pay(payer, { targetAddress: REFUSED }), rejected)
    for (const headers of others) {
      t.match(await pay(headers), paymentTaken)
      t.match(await pay(headers, { targetAddress: REFUSED }), rejected, 'the same target')
    }
    t.match(await pay(payer === shop ? shop : operator), { txId: Number })
  }
})

test('remembers every identity after a restart, even if its quote is gone', async t => {
  const own = await startNetwork(t)
  const settings = { SERVICE_QUOTE_CHECK: 'required', SERVICE_DATA_DIR: temporaryFolder(t) }
  const start = () => build(t, settings, { devnet: own })
  const first = await start()
  const transactionIdSeed = randomUUID()
  const card = await quotedPayment(first, {}, { transactionIdSeed })
  const transfer = await transferBody(first)
  const accepted = [
    (await submit(first, card, withKey('order'))).json(),
    (await submit(first, transfer)).json()
  ]
  t.match(accepted, [{ txId: Number }, { txId: Number }])
  await first.close()

  advanceClock(13 * 3600)
  const server = await start()
  const retries = [await submit(server, card), await submit(server, transfer, withKey('late'))]
  t.same(
    retries.map(retry => retry.json()),
    accepted
  )
  const signedAgain = { ...transfer, htlcVersion: 'other' }
  t.match((await submit(server, signedAgain)).json(), quoteTaken, 'QUOTE_ALREADY_USED, not QUOTE_UNKNOWN')
  t.match((await submit(server, cardBody({}, { transactionIdSeed }))).json(), paymentTaken)
  for (const key of ['order', 'late'])
    t.match((await submit(server, await transferBody(server), withKey(key))).json(), keyTaken)

  const expiring = await transferBody(server)
  const result = (await submit(server, expiring)).json()
  advanceClock(601)
  t.same((await submit(server, expiring)).json(), result)
  t.equal(messagesOn(own).transfers.length, 3)
})
