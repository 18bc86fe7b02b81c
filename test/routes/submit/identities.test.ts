import { randomUUID } from 'node:crypto'
import { build, startNetwork, temporaryFolder } from '../../helpers/app.ts'
import { advanceClock } from '../../helpers/clock.ts'
import { messagesOn } from '../../helpers/oracle/index.ts'
import { test } from '../../helpers/tap.ts'
import { cardBody, submit, swapBody, transferBody } from '../../helpers/transfer-flow.ts'

const withKey = (key: string) => ({ headers: { 'idempotency-key': key } })

/** Builds the expected conflict error. `path` is the field whose value is already used. */
const taken = (code: string, path: string) => ({ statusCode: 409, code, details: [{ path }] })
const quoteTaken = taken('QUOTE_ALREADY_USED', '/options/feeId')
const keyTaken = taken('IDEMPOTENCY_KEY_REUSED', '/idempotency-key')
const paymentTaken = taken('PAYMENT_ALREADY_USED', '/options/transactionIdSeed')

test('executes a feeId only once even if it is submitted with different idempotency keys', async t => {
  const devnet = await startNetwork(t)
  const server = await build(t, {}, { devnet })
  const body = await transferBody(server)
  const answers = []
  for (const options of [withKey('one'), withKey('two'), withKey('three'), {}]) {
    answers.push((await submit(server, body, options)).json())
  }
  for (const answer of answers) t.same(answer, answers[0])
  t.equal(messagesOn(devnet).transfers.length, 1)
  t.match((await submit(server, { ...body, htlcVersion: 'other' }, withKey('four'))).json(), quoteTaken)
  t.match(
    (await submit(server, await transferBody(server), withKey('three'))).json(),
    keyTaken,
    'a key that only a retry used'
  )
})

test('accepts a card payment only once even if it is submitted with different feeIds', async t => {
  const devnet = await startNetwork(t)
  const server = await build(t, {}, { devnet })
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
  t.equal(messagesOn(devnet).transfers.length, 1)

  const crypto = swapBody({}, { transactionIdSeed })
  t.equal(
    (await submit(server, crypto, { path: '/submit/swap' })).statusCode,
    200,
    'a seed does not identify a transfer with a crypto origin'
  )
})

test('identities of different kinds with the same value do not conflict', async t => {
  const server = await build(t)
  const seed = randomUUID()
  const card = cardBody({}, { transactionIdSeed: seed, feeId: seed })
  t.equal((await submit(server, card)).json().txId, 1)
  t.equal((await submit(server, swapBody(), { path: '/submit/swap', ...withKey(seed) })).json().txId, 2)
})

test('executes concurrent duplicates only once even if their idempotency keys differ', async t => {
  const devnet = await startNetwork(t)
  const server = await build(t, {}, { devnet })
  const body = await transferBody(server)
  const keys = ['one', 'two', 'three', 'four']
  const answers = await Promise.all(keys.map(key => submit(server, body, withKey(key))))
  for (const answer of answers) t.same(answer.json(), answers[0]?.json())

  const bodies = [await transferBody(server), await transferBody(server)]
  const racing = await Promise.all(bodies.map(racer => submit(server, racer, withKey('five'))))
  t.same(racing.map(({ statusCode }) => statusCode).sort(), [200, 409])
  t.equal(messagesOn(devnet).transfers.length, 2)
})

test('accepts a new submission that reuses the identities of a rejected submission', async t => {
  const devnet = await startNetwork(t)
  const server = await build(t, {}, { devnet })
  const transactionIdSeed = randomUUID()
  const feeId = randomUUID()
  const refused = cardBody({ targetAddress: `0x${'f7'.padStart(40, '0')}` }, { feeId, transactionIdSeed })
  t.match((await submit(server, refused, withKey('order'))).json(), { code: 'CHAIN_REJECTED' })
  const again = cardBody({}, { feeId, transactionIdSeed })
  t.match((await submit(server, again, withKey('order'))).json(), { txId: Number })
  t.match((await submit(server, refused, withKey('order'))).json(), quoteTaken)
})

test('remembers every identity after a restart', async t => {
  const devnet = await startNetwork(t)
  const settings = { SERVICE_DATA_DIR: temporaryFolder(t) }
  const start = () => build(t, settings, { devnet })
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
  t.match((await submit(server, { ...body, amount: '1' })).json(), quoteTaken)
})

test('a retry returns the existing submission even if its quote has expired or is gone', async t => {
  const devnet = await startNetwork(t)
  const settings = { SERVICE_QUOTE_CHECK: 'required', SERVICE_DATA_DIR: temporaryFolder(t) }
  const start = () => build(t, settings, { devnet })
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
  t.equal(messagesOn(devnet).transfers.length, 2)
})
