import { build, startNetwork, temporaryFolder } from '../../helpers/app.ts'
import { messagesOn } from '../../helpers/oracle/index.ts'
import { test } from '../../helpers/tap.ts'
import { ROUTE } from '../../helpers/transfer.ts'
import { submit, swapBody, TRANSFER, transferBody } from '../../helpers/transfer-flow.ts'
import { until } from '../../helpers/until.ts'

const status = async (server: Awaited<ReturnType<typeof build>>, txId: number) =>
  (await server.inject(`/tx/${txId}/status`)).json().data.transaction_data[0]

for (const path of ['/submit', '/submit/transfer']) {
  test(`POST ${path} submits a transfer to the chain`, async t => {
    const server = await build(t)
    const response = await submit(server, await transferBody(server), { path })
    t.equal(response.statusCode, 200)
    const answer = response.json()
    t.notOk('code' in answer, 'only errors have a `code`')
    t.match(answer, {
      txId: 1,
      transactionHash: /^[0-9A-F]{64}$/,
      height: Number,
      gasUsed: Number,
      gasWanted: Number
    })
    const requested = answer.events.find(({ type }: { type: string }) => type === 'transaction_requested')
    t.ok(requested.attributes.some((attribute: object) => t.same(attribute, { key: 'txId', value: '1' })))

    const submission = (await server.inject(`/submissions/${answer.submissionId}`)).json()
    const { submissionId, txId, transactionHash, height } = answer
    t.match(submission, {
      submissionId,
      txId,
      transactionHash,
      height,
      status: 'committed',
      createdAt: /Z$/,
      updatedAt: /Z$/
    })
    t.notOk('error' in submission)

    t.match(await status(server, txId), {
      tx_id: 1,
      creator: server.signer.address,
      amount: '100.5',
      originchain: 'ETH',
      originaddress: TRANSFER.originAddress,
      targetaddress: TRANSFER.targetAddress,
      servicehash: transactionHash
    })
  })
}

test('sends every field of a transfer and of a swap to the chain', async t => {
  const devnet = await startNetwork(t)
  const server = await build(t, {}, { devnet })
  const htlc = { htlcExpirationTimestamp: '1700000000', htlcCreationHash: 'h1', htlcVersion: 'v1' }
  const change = { ...htlc, senderPubKey: '0x0241' }
  const transfer = { ...swapBody(change), amount: 100500000, fee: 412750 }
  const swap = swapBody({ ...change, senderPubKey: '0241' })
  t.equal((await submit(server, transfer)).statusCode, 200)
  t.equal((await submit(server, swap, { path: '/submit/swap' })).statusCode, 200)
  const { transfers, swaps } = messagesOn(devnet)
  const creator = server.signer.address
  const common = { creator, ...ROUTE, ...htlc, htlcCreationVout: '', senderPubKey: '\u0002A', fee: '0.41275' }
  t.strictSame(transfers, [{ ...common, amount: '100.5', options: transfer.options }])
  const { dex, slippage, options } = swap
  t.strictSame(swaps, [{ ...common, amountIn: '100.5', amountOut: '99.9', dex, slippage, options }])
})

/** Changes that turn a body into a version 1.4 body. Version 1.4 sends the amount in whole tokens. */
const OLDER = { submitAmount: '99000000', fee: undefined }

/** Name, change to the body, error code and field. */
const INVALID: [string, object, string, string][] = [
  ['options as an object', { options: { feeId: 'f-1', signature: 's' } }, 'VALIDATION', '/options'],
  ['options of 16,385 characters', { options: '{}'.padEnd(16_385) }, 'VALIDATION', '/options'],
  ['16,384, without a feeId', { options: '{}'.padEnd(16_384) }, 'OPTIONS_INVALID', '/options/feeId'],
  ['an amount in whole tokens', { amount: '100.5' }, 'VALIDATION', '/amount'],
  ['a number too large to be exact', { amount: 1e21 }, 'VALIDATION', '/amount'],
  ['an amount of zero', { amount: 0 }, 'VALIDATION', '/amount'],
  ['a missing amount', { amount: undefined }, 'VALIDATION', '/amount'],
  ['a missing fee', { fee: undefined }, 'VALIDATION', '/fee'],
  ['an empty address', { originAddress: '' }, 'ADDRESS_INVALID', '/originAddress'],
  ['a submitAmount of zero', { submitAmount: 0 }, 'VALIDATION', '/submitAmount'],
  ['a 1.4 amount below the submitAmount', { ...OLDER, amount: '98.999999' }, 'VALIDATION', '/amount'],
  ['a 1.4 amount that is not a number', { ...OLDER, amount: 'a hundred' }, 'VALIDATION', '/amount'],
  ['a negative 1.4 amount', { ...OLDER, amount: -100 }, 'VALIDATION', '/amount']
]

test('rejects an invalid transfer and names the field', async t => {
  const server = await build(t)
  const body = { ...swapBody(), amount: '100500000' }
  for (const [name, change, code, path] of INVALID) {
    const response = await submit(server, { ...body, ...change })
    t.match(response.json(), { statusCode: 400, code, details: [{ path }] }, name)
  }
  t.equal((await server.inject('/tx/1/status')).statusCode, 404, 'nothing was sent to the chain')
})

test('SERVICE_MIN_VERSION=1.5 rejects new bodies of version 1.4 and reports the fields of 1.5; a retry joins', async t => {
  const devnet = await startNetwork(t)
  const settings = { SERVICE_DATA_DIR: temporaryFolder(t) }
  const body = { ...swapBody(), amount: '100500000' }
  const older = { ...swapBody(), ...OLDER, amount: '100.5' }
  const first = await build(t, settings, { devnet })
  const { submissionId } = (await submit(first, older)).json()
  await first.close()

  const server = await build(t, { ...settings, SERVICE_MIN_VERSION: '1.5' }, { devnet })
  const refused = { statusCode: 400, code: 'VALIDATION', message: /version 1\.5 has `amount` .*`options`$/ }
  for (const [field, change] of [
    ['submitAmount', OLDER],
    ['feeId', { options: '{"signature":"0x"}', feeId: 'f-1' }],
    ['signature', { options: '{"feeId":"f-1"}', signature: '0x' }],
    ['message', { message: 'I approve' }]
  ] as const)
    t.match(
      (await submit(server, { ...body, ...change })).json(),
      { ...refused, details: [{ path: `/${field}` }] },
      field
    )
  t.equal((await submit(server, { ...body, feeId: '', signature: '', message: '' })).statusCode, 200)
  t.match((await submit(server, older)).json(), { submissionId })
})

test('accepts an Idempotency-Key of 1 to 255 visible ASCII characters', async t => {
  const server = await build(t)
  const body = await transferBody(server)
  const withKey = (key: string) => submit(server, body, { headers: { 'idempotency-key': key } })
  t.equal((await withKey('k'.repeat(255))).statusCode, 200)
  for (const key of ['', 'two words', 'ü', 'x'.repeat(256)]) {
    t.match((await withKey(key)).json(), { statusCode: 400, code: 'VALIDATION' }, `key "${key}"`)
  }
})

const REFUSING = { 'a failing message': 'f7', 'an error event': 'f6' }
for (const [name, byte] of Object.entries(REFUSING)) {
  test(`returns 400 with the chain’s message for a transfer that the chain rejects with ${name}`, async t => {
    const server = await build(t)
    const body = await transferBody(server, { targetAddress: `0x${byte.padStart(40, '0')}` })
    const response = await submit(server, body)
    t.match(response.json(), {
      statusCode: 400,
      code: 'CHAIN_REJECTED',
      message: /^The chain refused the transaction \(\S+ \d+\): .*target address/
    })
  })
}

// The default SERVICE_SUBMIT_TIMEOUT is longer than the test's time limit.
const timeout = 40_000

test('returns 202 for a transfer that is not settled in time, and returns the result on a retry', {
  timeout
}, async t => {
  const devnet = await startNetwork(t)
  const server = await build(t, { SERVICE_SUBMIT_TIMEOUT: '100' }, { devnet })
  const body = await transferBody(server)
  devnet.chain.pause()
  const pending = await submit(server, body)
  t.equal(pending.statusCode, 202)
  const { submissionId } = pending.json()
  t.match(pending.json(), { submissionId: /./, status: /^(queued|broadcast)$/ })
  t.match((await server.inject(`/submissions/${submissionId}`)).json(), {
    submissionId,
    status: /^(queued|broadcast)$/
  })

  devnet.chain.resume()
  const retry = await until(async () => {
    const retry = await submit(server, body)
    return retry.statusCode !== 202 && retry
  }, 'the transfer is settled')
  t.equal(retry.statusCode, 200)
  t.match(retry.json(), { submissionId, txId: 1 })
  t.match((await server.inject(`/submissions/${submissionId}`)).json(), { status: 'committed', txId: 1 })
})

test('returns 404 for an unknown submission', async t => {
  const server = await build(t)
  t.match((await server.inject('/submissions/unknown')).json(), { statusCode: 404, code: 'NOT_FOUND' })
  t.match((await server.inject('/submissions/..%2f..')).json(), { statusCode: 400, code: 'VALIDATION' })
})
