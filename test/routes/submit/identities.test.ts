import { randomUUID } from 'node:crypto'
import { base58 } from '@scure/base'
import { build, startNetwork, temporaryFolder } from '../../helpers/app.ts'
import { keyFile } from '../../helpers/callers.ts'
import { advanceClock } from '../../helpers/clock.ts'
import { messagesOn } from '../../helpers/oracle/index.ts'
import { t as root, test } from '../../helpers/tap.ts'
import { cardBody, submit, swapBody, TRANSFER, transferBody } from '../../helpers/transfer.ts'
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
const bodyOf = (response: { json(): object }) => response.json()
const executed = () => messagesOn(devnet).transfers.length

test('executes a feeId only once, whatever its idempotency keys are', async t => {
  const before = executed()
  const body = await transferBody(server)
  const answers = await Promise.all(
    [withKey('one'), withKey('two'), withKey('three'), {}].map(key => submit(server, body, key))
  )
  for (const answer of answers) t.same(answer.json(), answers[0]?.json())
  t.equal(executed(), before + 1)
  t.match((await submit(server, { ...body, htlcVersion: 'other' }, withKey('four'))).json(), quoteTaken)
  const another = await submit(server, await transferBody(server), withKey('three'))
  t.match(another.json(), keyTaken, 'a key that only a retry used')
  const unknown = await submit(server, swapBody({ originChain: 'XYZ' }), { path, ...withKey('three') })
  t.match(unknown.json(), keyTaken, 'before the other checks')
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

  const swap = swapBody({}, { transactionIdSeed, feeId: 'f' })
  const crypto = await submit(server, swap, { path, ...withKey(transactionIdSeed) })
  t.equal(crypto.statusCode, 200, 'neither a seed of a crypto origin nor a key identifies the payment')
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

const [HEX, SOLANA] = ['aB'.repeat(65), Buffer.alloc(64, 0xab)]
const BITCOIN = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'
const OPTIONS = { signature: `0x${HEX}`, newer: { b: '0xAB', a: [{ d: 1, c: 2 }] } }
const FROM_SOLANA = { originChain: 'SOL', originAddress: '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV' }
const TO_BITCOIN = { targetChain: 'BTC', targetSymbol: 'BTC', amountOutDecimals: 8, targetAddress: BITCOIN }
const upper = (hex: string) => `0x${hex.slice(2).toUpperCase()}`
const { originAddress, targetAddress } = TRANSFER

/** Changes of a swap's retry and of its options; true if it is the same submission. Some swaps have other ends. */
const RETRIES: [what: string, isSame: boolean, fields: object, options?: object, ends?: object][] = [
  ['target in lower case', true, { targetAddress: targetAddress.toLowerCase() }],
  ['origin in upper case', true, { originAddress: upper(originAddress) }],
  ['order of options', true, {}, { newer: { a: [{ c: 2, d: 1 }], b: '0xab' } }],
  ['hash and key', true, { htlcCreationHash: '0xABCD', senderPubKey: 'ab' }],
  ['case of a signature', true, {}, { signature: `0x${HEX.toLowerCase()}` }],
  ['signature without 0x', true, {}, { signature: HEX }],
  ['Solana signature in hex', true, {}, { signature: `0x${SOLANA.toString('hex')}` }, FROM_SOLANA],
  ['bech32 in upper case', true, { targetAddress: BITCOIN.toUpperCase() }, {}, TO_BITCOIN],
  ['amount', false, { amountIn: '100500001' }],
  ['target', false, { targetAddress: '0x9965507d1a55bcc2695c58ba16fb37d819b0a4dc' }],
  ['signature', false, {}, { signature: `0x${'ac'.repeat(65)}` }],
  ['value of an option', false, {}, { newer: { b: '0xAB', a: [{ c: 1, d: 2 }] } }],
  ['an array for its object', false, {}, { newer: [['b', '0xAB']] }]
]

test('a retry in another spelling returns its submission; other content conflicts', async t => {
  const { length } = messagesOn(devnet).swaps
  for (const [what, isSame, fields, options, ends] of RETRIES) {
    const key = isSame ? withKey(randomUUID()) : {}
    const signature = ends === FROM_SOLANA ? base58.encode(SOLANA) : OPTIONS.signature
    const first = { ...OPTIONS, signature, feeId: `0xA${randomUUID()}` }
    const body = swapBody({ htlcCreationHash: '0xAbCd', senderPubKey: '0xAB', ...ends }, first)
    const accepted = await submit(server, body, { path, ...key })
    t.equal(accepted.statusCode, 200, `${what}: ${accepted.body}`)
    const { feeId, ...others } = { ...first, ...options }
    // The options of a retry are in another order.
    const again = { ...body, ...fields, options: JSON.stringify({ ...others, feeId }) }
    const expected = isSame ? accepted.json() : quoteTaken
    t.match((await submit(server, again, { path, ...key })).json(), expected, what)
  }
  const [feeId, key] = [`0xA${randomUUID()}`, withKey('case')]
  t.equal((await submit(server, swapBody({}, { feeId }), { path, ...key })).statusCode, 200)
  const lower = swapBody({}, { feeId: feeId.toLowerCase() })
  t.match((await submit(server, lower, { path, ...key })).json(), keyTaken, 'a feeId has one spelling')
  t.equal(messagesOn(devnet).swaps.length, length + RETRIES.length + 1)
})

test('only its caller or an operator may redirect a refused payment', async t => {
  const { variables, add } = keyFile(t)
  const shop = add('shop', { scopes: ['submit'] })
  const page = add('page', { scopes: ['submit'], origins: ['https://shop.example'] })
  const operator = add('operator', { scopes: ['submit', 'operate'] })
  const own = await build(t, { ...variables, SERVICE_ACCESS: 'both' })
  for (const [payer, others, owner] of [
    [page, [{}, page, shop], operator],
    [shop, [{}, page], shop]
  ] as const) {
    const transactionIdSeed = randomUUID()
    const pay = async (headers: Record<string, string>, change: object = {}) =>
      (await submit(own, cardBody(change, { transactionIdSeed }), { headers })).json()
    t.match(await pay(payer, { targetAddress: REFUSED }), { code: 'CHAIN_REJECTED' })
    for (const headers of others) t.match(await pay(headers), paymentTaken)
    for (const change of [{ targetChain: 'ARB' }, { targetSymbol: 'USDT' }])
      t.match(await pay({}, { targetAddress: REFUSED, ...change }), paymentTaken, JSON.stringify(change))
    const same = { targetAddress: upper(REFUSED), amount: '10060' }
    t.match(await pay({}, same), { code: 'CHAIN_REJECTED' }, 'the same target')
    t.match(await pay(owner), { txId: Number })
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
  const accepted = [await submit(first, card, withKey('order')), await submit(first, transfer)]
  t.match(accepted.map(bodyOf), [{ txId: Number }, { txId: Number }])
  await first.close()

  advanceClock(13 * 3600)
  const server = await start()
  const retries = [await submit(server, card), await submit(server, transfer, withKey('late'))]
  t.same(retries.map(bodyOf), accepted.map(bodyOf))
  const signedAgain = { ...transfer, htlcVersion: 'other' }
  t.match((await submit(server, signedAgain)).json(), quoteTaken, 'QUOTE_ALREADY_USED, not QUOTE_UNKNOWN')
  t.match((await submit(server, cardBody({}, { transactionIdSeed }))).json(), paymentTaken)
  for (const key of ['order', 'late'])
    t.match((await submit(server, await transferBody(server), withKey(key))).json(), keyTaken)
  t.equal(messagesOn(own).transfers.length, 2)
})
