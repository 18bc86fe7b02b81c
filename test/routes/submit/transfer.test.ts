import { randomUUID } from 'node:crypto'
import { build, startNetwork, temporaryFolder } from '../../helpers/app.ts'
import { messagesOn } from '../../helpers/oracle/index.ts'
import { inResults, startRewritingNode } from '../../helpers/rewriting-node.ts'
import { t as root, test } from '../../helpers/tap.ts'
import { ROUTE, refused, submit, swapBody, TRANSFER, transferBody } from '../../helpers/transfer.ts'
import { until } from '../../helpers/until.ts'

const devnet = await startNetwork(root)
const server = await build(root, {}, { devnet })

const SWAP = '/submit/swap'
/** A swap to a token with 18 decimals. */
const TO_BSC = { targetChain: 'BSC', targetSymbol: 'USDT', amountOut: '99900000000000000001' }
/** A transfer from a token with 18 decimals to one with six. */
const FROM_BSC = { originChain: 'BSC', decimals: 18 }
/** Changes that turn a body into one of version 1.4, which has the amount in whole tokens. */
const OLDER = { amount: '100.5', submitAmount: '99000000', fee: undefined }
const OLDER_FROM_BSC = { ...FROM_BSC, ...OLDER, amount: undefined }

const body = (change: object = {}) => ({ ...swapBody(), amount: '100500000', ...change })
const sent = () => messagesOn(devnet)

test('submits a transfer on both paths, and returns its result once it is in a block', async t => {
  for (const path of ['/submit', '/submit/transfer']) {
    const answer = (await submit(server, await transferBody(server), { path })).json()
    t.notOk('code' in answer, 'only errors have a `code`')
    const { submissionId, txId, transactionHash, height } = answer
    t.match(answer, { txId: Number, transactionHash: /^[0-9A-F]{64}$/, height: Number, gasUsed: Number })
    const requested = answer.events.find(({ type }: { type: string }) => type === 'transaction_requested')
    const [id] = requested.attributes.filter(({ key }: { key: string }) => key === 'txId')
    t.same(id, { key: 'txId', value: String(txId) })

    const submission = (await server.inject(`/submissions/${submissionId}`)).json()
    t.match(submission, { submissionId, txId, transactionHash, height, status: 'committed', createdAt: /Z$/ })
    t.notOk('error' in submission)
    const [record] = (await server.inject(`/tx/${txId}/status`)).json().data.transaction_data
    t.match(record, { tx_id: txId, creator: server.signer.address, servicehash: transactionHash })
    t.match(record, { amount: '100.5', originchain: 'ETH', targetaddress: TRANSFER.targetAddress })
  }
  for (const way of ['', '/events']) {
    const find = async (id: string) => (await server.inject(`/submissions/${id}${way}`)).json()
    t.match(await find('unknown'), { statusCode: 404, code: 'NOT_FOUND' })
    t.match(await find('..%2f..'), { statusCode: 400, code: 'VALIDATION' })
  }
})

test('sends every field of a transfer and of a swap to the chain', async t => {
  const htlc = { htlcExpirationTimestamp: '1700000000', htlcCreationHash: 'h1', htlcVersion: 'v1' }
  const transfer = { ...swapBody({ ...htlc, senderPubKey: '0x0241' }), amount: 100500000, fee: 412750 }
  const swap = swapBody({ ...htlc, senderPubKey: '0241' })
  t.equal((await submit(server, transfer)).statusCode, 200)
  t.equal((await submit(server, swap, { path: SWAP })).statusCode, 200)
  const creator = server.signer.address
  const common = { creator, ...ROUTE, ...htlc, htlcCreationVout: '', senderPubKey: '\u0002A', fee: '0.41275' }
  const { dex, slippage, options } = swap
  t.strictSame(sent().transfers.at(-1), { ...common, amount: '100.5', options: transfer.options })
  const amounts = { amountIn: '100.5', amountOut: '99.9' }
  t.strictSame(sent().swaps.at(-1), { ...common, ...amounts, dex, slippage, options })
})

const signed = (amount: string) =>
  `I approve the transfer of ${amount} USDT from ETH to ${ROUTE.targetAddress} on POL.`

const SIGNED = JSON.stringify({ feeId: randomUUID(), signature: '0xsigned', message: signed('99.41275') })

const FINE = '1000001000000000000'
const FINER = '1000001000000000001'

/** A body whose amounts can be misread, and the message that the chain gets. */
type Read = [name: string, change: object, expected: object]
const READ: Read[] = [
  ['further decimals that are zero', { decimals: 18, amount: FINE }, { amount: '1.000001' }],
  ['as fine as the target token', { ...FROM_BSC, amount: FINE }, { amount: '1.000001' }],
  ['1.4, as fine', { ...OLDER_FROM_BSC, submitAmount: FINE }, { amount: '1.000001' }],
  ...['100.5', '9.9e1', 1e21, undefined].map(
    (amount): Read => [`1.4 with the amount ${amount}`, { ...OLDER, amount }, { amount: '99', fee: '0' }]
  ),
  ['1.4 with a fee', { ...OLDER, submitAmount: 1, fee: '2' }, { amount: '0.000001', fee: '0.000002' }],
  ['1.4 with a message', { ...OLDER, message: signed('99.41275') }, { fee: '0.41275' }],
  ['1.4 with a message in the options', { ...OLDER, message: '', options: SIGNED }, { fee: '0.41275' }],
  ['1.4 with a message about less', { ...OLDER, message: signed('98') }, { fee: '0' }],
  ['1.4 with another message', { ...OLDER, message: 'I approve' }, { fee: '0' }],
  ['1.4 with a message and a fee', { ...OLDER, message: signed('99.4'), fee: '2' }, { fee: '0.000002' }]
]
const OWN_DECIMALS = { ...TO_BSC, decimals: undefined, amountInDecimals: 6, amountOutDecimals: 18 }
const READ_SWAPS: Read[] = [
  [
    'each amount in the decimals of its own token',
    { ...OWN_DECIMALS, dex: undefined, slippage: 0.5 },
    { amountIn: '100.5', amountOut: '99.900000000000000001', dex: '', slippage: '0.5' }
  ],
  ['fewer decimals than the token has', { ...TO_BSC, amountOutDecimals: 6 }, { amountIn: '100.5' }],
  [
    'finer than the target token',
    { ...FROM_BSC, amountIn: FINER, amountOut: '1', amountOutDecimals: 6 },
    { amountIn: '1.000001000000000001' }
  ]
]

test('reads the amounts in bodies of every version', async t => {
  for (const [path, rows] of Object.entries({ '/submit': READ, [SWAP]: READ_SWAPS })) {
    for (const [name, change, expected] of rows) {
      const response = await submit(server, path === SWAP ? swapBody(change) : body(change), { path })
      t.equal(response.statusCode, 200, `${name}: ${response.body}`)
      t.match((path === SWAP ? sent().swaps : sent().transfers).at(-1), expected, name)
    }
  }
})

const TOO_FINE = /^must have at most 6 decimal places, the decimals of USDC on POL, not [01].0/
const OF_BSC = 'must be 18, the decimals of USDT on BSC'
const split = (inDecimals?: number, outDecimals?: number) =>
  ({ decimals: undefined, amountInDecimals: inDecimals, amountOutDecimals: outDecimals }) as const

type Row = [field: string, changes: object[], more?: { code?: string; message?: string | RegExp }]

const INVALID: Row[] = [
  ['options', [{ options: { feeId: 'f-1', signature: 's' } }, { options: '{}'.padEnd(16_385) }]],
  ['options/feeId', [{ options: '{}'.padEnd(16_384) }], { code: 'OPTIONS_INVALID' }],
  ['amount', ['100.5', 1e21, 0, undefined].map(amount => ({ amount }))],
  ['amount', ['98.999999', 'a hundred', -100].map(amount => ({ ...OLDER, amount }))],
  ['amount', [FINER, '1'].map(amount => ({ ...FROM_BSC, amount })), { message: TOO_FINE }],
  ['submitAmount', [{ ...OLDER_FROM_BSC, submitAmount: FINER }], { message: TOO_FINE }],
  ['submitAmount', [{ submitAmount: 0 }]],
  ['fee', [{ fee: undefined }]],
  ['originAddress', [{ originAddress: '' }], { code: 'ADDRESS_INVALID' }]
]

const INVALID_SWAP: Row[] = [
  ['amountIn', [undefined, '0', 1].map(amountIn => ({ amountIn }))],
  ['amountOut', ['0', 1].map(amountOut => ({ amountOut }))],
  ['fee', [{ fee: 1 }]],
  ['decimals', [undefined, 18].map(decimals => ({ decimals }))],
  [
    'amountInDecimals',
    [split(18, 6), split(undefined, 6), { amountInDecimals: 18, amountIn: '1000000000000' }]
  ],
  ['amountOutDecimals', [split(6), { amountOutDecimals: 18 }]],
  ['amountOutDecimals', [TO_BSC, { ...TO_BSC, amountInDecimals: 6 }], { message: OF_BSC }],
  ['slippage', [{ slippage: 1e-7 }]],
  ['options/signature', [{ options: '{"feeId":"f-1"}' }], { code: 'OPTIONS_INVALID' }]
]

test('rejects an invalid transfer or swap and reports the field', async t => {
  const { length } = [...sent().transfers, ...sent().swaps]
  for (const [path, rows] of Object.entries({ '/submit': INVALID, [SWAP]: INVALID_SWAP })) {
    for (const [field, changes, { code = 'VALIDATION', message } = {}] of rows) {
      for (const change of changes) {
        const response = await submit(server, path === SWAP ? swapBody(change) : body(change), { path })
        t.match(response.json(), refused(code, field, message), JSON.stringify(change))
      }
    }
  }
  const headers = { 'content-type': 'application/json' }
  for (const field of ['amount', 'fee', 'submitAmount']) {
    for (const number of ['9007199254740993', '1e400', '0.5', '-1']) {
      const payload = JSON.stringify(body({ [field]: 0 })).replace(`"${field}":0`, `"${field}":${number}`)
      const answer = await server.inject({ method: 'POST', url: '/submit', payload, headers })
      const { code, details } = answer.json()
      t.same([code, details[0].path], ['VALIDATION', `/${field}`], `${field} ${number}`)
    }
  }
  t.equal([...sent().transfers, ...sent().swaps].length, length, 'nothing was sent to the chain')
})

test('SERVICE_MIN_VERSION=1.5 rejects 1.4 bodies; retrying an accepted one still works', async t => {
  const settings = { SERVICE_DATA_DIR: temporaryFolder(t) }
  const own = await startNetwork(t)
  const first = await build(t, settings, { devnet: own })
  const older = body(OLDER)
  const { submissionId } = (await submit(first, older)).json()
  await first.close()

  const strict = await build(t, { ...settings, SERVICE_MIN_VERSION: '1.5' }, { devnet: own })
  const expected = { statusCode: 400, code: 'VALIDATION', message: /version 1\.5 has `amount` .*`options`$/ }
  for (const [field, change] of [
    ['submitAmount', OLDER],
    ['feeId', { options: '{"signature":"0x"}', feeId: 'f-1' }],
    ['signature', { options: '{"feeId":"f-1"}', signature: '0x' }],
    ['message', { message: 'I approve' }]
  ] as const) {
    const answer = (await submit(strict, body(change))).json()
    t.match(answer, { ...expected, details: [{ path: `/${field}` }] }, field)
  }
  t.equal((await submit(strict, body({ feeId: '', signature: '', message: '' }))).statusCode, 200)
  t.match((await submit(strict, older)).json(), { submissionId })
})

test('accepts an Idempotency-Key of 1 to 255 visible ASCII characters', async t => {
  const transfer = await transferBody(server)
  const withKey = (key: string) => submit(server, transfer, { headers: { 'idempotency-key': key } })
  t.equal((await withKey('k'.repeat(255))).statusCode, 200)
  for (const key of ['', 'two words', 'ü', 'x'.repeat(256)])
    t.match((await withKey(key)).json(), { statusCode: 400, code: 'VALIDATION' }, `key "${key}"`)
})

test('returns 400 with the chain’s reason if a message fails or has an error event', async t => {
  const message = /^The chain refused the transaction \(\S+ \d+\): .*target address/
  for (const byte of ['f7', 'f6']) {
    const transfer = await transferBody(server, { targetAddress: `0x${byte.padStart(40, '0')}` })
    const answer = (await submit(server, transfer)).json()
    t.match(answer, { statusCode: 400, code: 'CHAIN_REJECTED', message })
  }
})

test('commits a transfer once, without a txId, if its result has no readable id', async t => {
  const own = await startNetwork(t)
  const unreadable = inResults(result => ({ ...result, data: '////', log: '{"cut' }))
  const node = await startRewritingNode(t, own.urls.rpc, unreadable)
  const damaged = await build(t, { SERVICE_BACKEND_NODE_PROVIDER: node }, { devnet: own })
  const transfer = await transferBody(damaged)

  // Pause the chain, because the header of the next block would contradict the damaged result.
  own.control.pause()
  const responded = submit(damaged, transfer)
  await until(() => own.chain.mempool.size === 1, 'the transaction waits for its block')
  own.control.produceBlocks(1)
  const response = await responded
  t.equal(response.statusCode, 202)
  const { submissionId } = response.json()
  t.strictSame(response.json(), { submissionId, status: 'committed' })

  const record = (await damaged.inject(`/submissions/${submissionId}`)).json()
  t.match(record, { status: 'committed', transactionHash: /^[0-9A-F]{64}$/, height: Number })
  t.notOk('txId' in record)
  await until(async () => {
    const { checks } = (await damaged.inject('/ready')).json()
    return /1 committed without a transaction id\b/.test(checks.engine.detail)
  }, 'the engine has caught up and reports the missing id')

  t.same((await submit(damaged, transfer)).json(), response.json(), 'a retry returns the same response')
  const other = await submit(damaged, { ...transfer, htlcVersion: 'other' })
  t.match(other.json(), { code: 'QUOTE_ALREADY_USED' }, 'its feeId stays used')
  t.equal(messagesOn(own).transfers.length, 1, 'nothing was executed twice')
})
