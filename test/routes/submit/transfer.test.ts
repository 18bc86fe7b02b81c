import { build, startNetwork } from '../../helpers/app.ts'
import { test } from '../../helpers/tap.ts'
import { quoteFor, submit, TRANSFER, transferBody } from '../../helpers/transfer-flow.ts'
import { until } from '../../helpers/until.ts'

const status = async (server: Awaited<ReturnType<typeof build>>, txId: number) =>
  (await server.inject(`/tx/${txId}/status`)).json().data.transaction_data[0]

for (const path of ['/submit', '/submit/transfer']) {
  test(`POST ${path} puts a transfer on the chain`, async t => {
    const server = await build(t)
    const response = await submit(server, await transferBody(server), { path })
    t.equal(response.statusCode, 200)
    const answer = response.json()
    t.notOk('code' in answer, '`code` is that of an error')
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

test('a version 1.4 request transfers its submitAmount', async t => {
  const server = await build(t)
  const quote = await quoteFor(server)
  const { submitAmount, message } = quote.transactionValues.feeFromTarget
  const body = {
    ...TRANSFER,
    submitAmount,
    message,
    signature: '0xsigned',
    feeId: quote.feeId,
    decimals: quote.decimals,
    options: '{}',
    htlcVersion: '',
    newer: { ignored: true }
  }
  const { txId } = (await submit(server, body)).json()
  t.match(await status(server, txId), { amount: '100.08725' })
})

test('an Idempotency-Key has 1 to 255 visible ASCII characters', async t => {
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
  test(`a transfer that the chain refuses by ${name} is a 400 with the chain’s message`, async t => {
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

// The default of SERVICE_SUBMIT_TIMEOUT is longer than this test may take.
const timeout = 40_000

test('a transfer that is not decided in time is a 202, and a retry gets its result', { timeout }, async t => {
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
  }, 'the transfer is decided')
  t.equal(retry.statusCode, 200)
  t.match(retry.json(), { submissionId, txId: 1 })
  t.match((await server.inject(`/submissions/${submissionId}`)).json(), { status: 'committed', txId: 1 })
})

test('an unknown submission is a 404', async t => {
  const server = await build(t)
  t.match((await server.inject('/submissions/unknown')).json(), { statusCode: 404, code: 'NOT_FOUND' })
  t.match((await server.inject('/submissions/..%2f..')).json(), { statusCode: 400, code: 'VALIDATION' })
})
