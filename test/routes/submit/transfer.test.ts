import { build, startNetwork, temporaryFolder } from '../../helpers/app.ts'
import { withChanged } from '../../helpers/chain-api.ts'
import { messagesOn } from '../../helpers/oracle/index.ts'
import { type RpcResult, startRewritingNode } from '../../helpers/rewriting-node.ts'
import { t as root, test } from '../../helpers/tap.ts'
import { ROUTE } from '../../helpers/transfer.ts'
import { submit, swapBody, TRANSFER, transferBody } from '../../helpers/transfer-flow.ts'
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

const body = (change: object = {}) => ({ ...swapBody(), amount: '100500000', ...change })
const sent = () => messagesOn(devnet)

test('submits a transfer on both paths, and returns its result once it is in a block', async t => {
  for (const path of ['/submit', '/submit/transfer']) {
    const response = await submit(server, await transferBody(server), { path })
    t.equal(response.statusCode, 200)
    const answer = response.json()
    t.notOk('code' in answer, 'only errors have a `code`')
    const { submissionId, txId, transactionHash, height } = answer
    t.match(answer, { txId: Number, transactionHash: /^[0-9A-F]{64}$/, height: Number })
    t.match(answer, { gasUsed: Number, gasWanted: Number })
    const requested = answer.events.find(({ type }: { type: string }) => type === 'transaction_requested')
    const [id] = requested.attributes.filter(({ key }: { key: string }) => key === 'txId')
    t.same(id, { key: 'txId', value: String(txId) })

    const submission = (await server.inject(`/submissions/${submissionId}`)).json()
    t.match(submission, { submissionId, txId, transactionHash, height, status: 'committed' })
    t.match(submission, { createdAt: /Z$/, updatedAt: /Z$/ })
    t.notOk('error' in submission)
    const [record] = (await server.inject(`/tx/${txId}/status`)).json().data.transaction_data
    t.match(record, { tx_id: txId, creator: server.signer.address, servicehash: transactionHash })
    const { originChain, originAddress, targetAddress } = TRANSFER
    const ends = { originchain: originChain, originaddress: originAddress, targetaddress: targetAddress }
    t.match(record, { amount: '100.5', ...ends })
  }
  t.match((await server.inject('/submissions/unknown')).json(), { statusCode: 404, code: 'NOT_FOUND' })
  t.match((await server.inject('/submissions/..%2f..')).json(), { statusCode: 400, code: 'VALIDATION' })
})

test('sends every field of a transfer and of a swap to the chain', async t => {
  const htlc = { htlcExpirationTimestamp: '1700000000', htlcCreationHash: 'h1', htlcVersion: 'v1' }
  const change = { ...htlc, senderPubKey: '0x0241' }
  const transfer = { ...swapBody(change), amount: 100500000, fee: 412750 }
  const swap = swapBody({ ...change, senderPubKey: '0241' })
  t.equal((await submit(server, transfer)).statusCode, 200)
  t.equal((await submit(server, swap, { path: SWAP })).statusCode, 200)
  const creator = server.signer.address
  const common = { creator, ...ROUTE, ...htlc, htlcCreationVout: '', senderPubKey: '\u0002A', fee: '0.41275' }
  const { dex, slippage, options } = swap
  t.strictSame(sent().transfers.at(-1), { ...common, amount: '100.5', options: transfer.options })
  t.strictSame(sent().swaps.at(-1), {
    ...common,
    amountIn: '100.5',
    amountOut: '99.9',
    dex,
    slippage,
    options
  })
})

const signed = (amount: string) =>
  `I approve the transfer of ${amount} USDT from ETH to ${ROUTE.targetAddress} on POL.`

/** Bodies whose amounts can be misread, and the message that the chain gets. */
const READ: [name: string, body: object, expected: object, path?: string][] = [
  [
    'each amount of a swap in the decimals of its own token',
    {
      ...TO_BSC,
      decimals: undefined,
      amountInDecimals: 6,
      amountOutDecimals: 18,
      dex: undefined,
      slippage: 0.5
    },
    { amountIn: '100.5', amountOut: '99.900000000000000001', dex: '', slippage: '0.5' },
    SWAP
  ],
  ['fewer decimals than the token has', { ...TO_BSC, amountOutDecimals: 6 }, { amountIn: '100.5' }, SWAP],
  ['further decimals that are zero', { decimals: 18, amount: '1000001000000000000' }, { amount: '1.000001' }],
  ['as fine as the target token', { ...FROM_BSC, amount: '1000001000000000000' }, { amount: '1.000001' }],
  [
    '1.4, as fine as the target token',
    { ...FROM_BSC, ...OLDER, amount: undefined, submitAmount: '1000001000000000000' },
    { amount: '1.000001' }
  ],
  [
    'a swap that is finer than the target token',
    { ...FROM_BSC, amountIn: '1000001000000000001', amountOut: '1', amountOutDecimals: 6 },
    { amountIn: '1.000001000000000001' },
    SWAP
  ],
  ...['100.5', 100.5, '99', '9.9e1', '99.000', 1e21, undefined].map((amount): (typeof READ)[number] => [
    `1.4 with the amount ${amount}`,
    { ...OLDER, amount },
    { amount: '99', fee: '0' }
  ]),
  ['1.4 with a fee', { ...OLDER, submitAmount: 1, fee: '2' }, { amount: '0.000001', fee: '0.000002' }],
  ['1.4 with a message', { ...OLDER, message: signed('99.41275') }, { fee: '0.41275' }],
  ['1.4 with a message without a fee', { ...OLDER, message: signed('99') }, { fee: '0' }],
  ['1.4 with a message about less', { ...OLDER, message: signed('98') }, { fee: '0' }],
  ['1.4 with another message', { ...OLDER, message: 'I approve' }, { fee: '0' }],
  ['1.4 with a message and a fee', { ...OLDER, message: signed('99.4'), fee: '2' }, { fee: '0.000002' }]
]

test('reads the amounts in bodies of every version', async t => {
  for (const [name, change, expected, path = '/submit'] of READ) {
    const response = await submit(server, path === SWAP ? swapBody(change) : body(change), { path })
    t.equal(response.statusCode, 200, `${name}: ${response.body}`)
    t.match((path === SWAP ? sent().swaps : sent().transfers).at(-1), expected, name)
  }
})

/** A number far above 2^53. Its last digit is not zero, so its decimal fractions have no trailing zeros. */
const HUGE = '123456789012345678901234567890123456789'

test('sends amounts to the chain without rounding', async t => {
  const address = `0x${'0'.repeat(39)}1`
  const decimals = [0, 2, 6, 8, 18]
  const tokens = decimals.map(each => ({
    symbol: `T${each}`,
    decimals: String(each),
    address,
    peggedTo: 'USD' as const
  }))
  const changed = await withChanged(t, 'ETH', chain => ({ tokens: [...chain.tokens, ...tokens] }))
  for (const each of decimals) {
    const huge = each === 0 ? HUGE : `${HUGE.slice(0, -each)}.${HUGE.slice(-each)}`
    const one = each === 0 ? '1' : `0.${'1'.padStart(each, '0')}`
    const common = { originSymbol: `T${each}`, decimals: each }
    const exact = { ...common, targetChain: 'ETH', targetSymbol: 'T18', amount: HUGE }
    const swap = swapBody({ ...common, amountIn: HUGE, amountOut: '1', amountOutDecimals: 6, fee: '1' })
    await submit(changed.server, body({ ...exact, fee: '1' }))
    await submit(changed.server, body({ ...exact, submitAmount: HUGE, fee: undefined }))
    await submit(changed.server, swap, { path: SWAP })
    const { transfers, swaps } = messagesOn(changed.devnet)
    t.match(transfers.at(-2), { amount: huge, fee: one }, `${each} decimals, version 1.5`)
    t.match(transfers.at(-1), { amount: huge, fee: '0' }, `${each} decimals, version 1.4`)
    t.match(swaps.at(-1), { amountIn: huge, amountOut: '0.000001', fee: one }, `${each} decimals, swap`)
  }
})

const INVALID: [
  name: string,
  change: object,
  path: string,
  more?: { code?: string; message?: string | RegExp }
][] = [
  ['options as an object', { options: { feeId: 'f-1', signature: 's' } }, '/options'],
  ['options of 16,385 characters', { options: '{}'.padEnd(16_385) }, '/options'],
  [
    '16,384, without a feeId',
    { options: '{}'.padEnd(16_384) },
    '/options/feeId',
    { code: 'OPTIONS_INVALID' }
  ],
  ['an amount in whole tokens', { amount: '100.5' }, '/amount'],
  ['a number too large to be exact', { amount: 1e21 }, '/amount'],
  ['an amount of zero', { amount: 0 }, '/amount'],
  ['a missing amount', { amount: undefined }, '/amount'],
  ['a missing fee', { fee: undefined }, '/fee'],
  ['an empty address', { originAddress: '' }, '/originAddress', { code: 'ADDRESS_INVALID' }],
  ['a submitAmount of zero', { submitAmount: 0 }, '/submitAmount'],
  ['1.4, an amount below the submitAmount', { ...OLDER, amount: '98.999999' }, '/amount'],
  ['1.4, an amount that is not a number', { ...OLDER, amount: 'a hundred' }, '/amount'],
  ['1.4, a negative amount', { ...OLDER, amount: -100 }, '/amount'],
  ...['1000001000000000001', '1000000100000000000', '1'].flatMap((amount): typeof INVALID => {
    const message = /^must have at most 6 decimal places, the decimals of USDC on POL, not [01].0/
    return [
      [`finer than the target, ${amount}`, { ...FROM_BSC, amount }, '/amount', { message }],
      [
        `1.4, ${amount}`,
        { ...FROM_BSC, ...OLDER, amount: undefined, submitAmount: amount },
        '/submitAmount',
        { message }
      ]
    ]
  })
]

const INVALID_SWAP: typeof INVALID = [
  ['a missing amountIn', { amountIn: undefined }, '/amountIn'],
  ['an amountIn of zero', { amountIn: '0' }, '/amountIn'],
  ['an amountOut of zero', { amountOut: '0' }, '/amountOut'],
  ...['amountIn', 'amountOut', 'fee'].map((name): (typeof INVALID)[number] => [
    `${name} as a number`,
    { [name]: 1 },
    `/${name}`
  ]),
  ['missing decimals', { decimals: undefined }, '/decimals'],
  ['another token’s decimals', { decimals: 18 }, '/decimals'],
  [
    'too many for amountIn',
    { decimals: undefined, amountInDecimals: 18, amountOutDecimals: 6 },
    '/amountInDecimals'
  ],
  ['contradicting decimals', { amountInDecimals: 18 }, '/amountInDecimals'],
  ['wrong decimals for the target token', { amountOutDecimals: 18 }, '/amountOutDecimals'],
  ['missing for amountIn', { decimals: undefined, amountOutDecimals: 6 }, '/amountInDecimals'],
  ['missing for amountOut', { decimals: undefined, amountInDecimals: 6 }, '/amountOutDecimals'],
  ...[{}, { amountInDecimals: 6 }].map((change): (typeof INVALID)[number] => [
    'ambiguous decimals of the target token',
    { ...TO_BSC, ...change },
    '/amountOutDecimals',
    { message: 'must be 18, the decimals of USDT on BSC' }
  ]),
  ['a slippage that needs an exponent', { slippage: 1e-7 }, '/slippage'],
  ['a missing signature', { options: '{"feeId":"f-1"}' }, '/options/signature', { code: 'OPTIONS_INVALID' }]
]

test('rejects an invalid transfer or swap and reports the field', async t => {
  const { length } = [...sent().transfers, ...sent().swaps]
  for (const [path, rows] of [
    ['/submit', INVALID],
    [SWAP, INVALID_SWAP]
  ] as const) {
    for (const [name, change, field, { code = 'VALIDATION', message = /./ } = {}] of rows) {
      const response = await submit(server, path === SWAP ? swapBody(change) : body(change), { path })
      t.match(response.json(), { statusCode: 400, code, details: [{ path: field, message }] }, name)
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

// The default SERVICE_SUBMIT_TIMEOUT is longer than the test's time limit.
const timeout = 40_000

test('returns 202 for a submission not settled in time; a retry gets the result', {
  timeout
}, async t => {
  const own = await startNetwork(t)
  const impatient = await build(t, { SERVICE_SUBMIT_TIMEOUT: '100' }, { devnet: own })
  const transfer = await transferBody(impatient)
  own.chain.pause()
  const pending = await submit(impatient, transfer)
  t.equal(pending.statusCode, 202)
  const { submissionId } = pending.json()
  const read = async () => (await impatient.inject(`/submissions/${submissionId}`)).json()
  const waiting = { submissionId: /./, status: /^(queued|broadcast)$/ }
  t.match(pending.json(), waiting)
  t.match(await read(), { ...waiting, submissionId })

  own.chain.resume()
  const settled = async () => {
    const retry = await submit(impatient, transfer)
    return retry.statusCode !== 202 && retry
  }
  const retry = await until(settled, 'the transfer is settled')
  t.equal(retry.statusCode, 200)
  t.match(retry.json(), { submissionId, txId: 1 })
  t.match(await read(), { status: 'committed', txId: 1 })
})

test('commits a transfer once, without a txId, if its result has no readable id', async t => {
  const own = await startNetwork(t, { control: true })
  let isDamaging = true
  const node = await startRewritingNode(t, own.urls.rpc, (method, result): RpcResult | undefined => {
    const results = result['txs_results']
    if (!isDamaging || method !== 'block_results' || !Array.isArray(results)) return undefined
    const damaged = results.map((each: object) => ({ ...each, data: '////', log: '{"cut' }))
    return { ...result, txs_results: damaged }
  })
  const lines: string[] = []
  const env = { SERVICE_BACKEND_NODE_PROVIDER: node, LOG_LEVEL: 'error' }
  const damaged = await build(t, env, { devnet: own, logTo: line => lines.push(line) })
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
  const { transactionHash: hash, height } = record
  t.match(record, { status: 'committed', transactionHash: /^[0-9A-F]{64}$/, height: Number })
  t.notOk('txId' in record)
  const logged = lines.map(line => JSON.parse(line)).filter(entry => entry.submissionId === submissionId)
  t.match(logged, [{ level: 50, hash, height, msg: /returned no readable transaction id/ }])
  await until(async () => {
    const { checks } = (await damaged.inject('/ready')).json()
    return /1 committed without a transaction id\b/.test(checks.engine.detail)
  }, 'the engine has caught up and reports the missing id')

  t.same((await submit(damaged, transfer)).json(), response.json(), 'a retry returns the same response')
  const other = await submit(damaged, { ...transfer, htlcVersion: 'other' })
  t.match(other.json(), { code: 'QUOTE_ALREADY_USED' }, 'its feeId stays used')
  isDamaging = false
  own.control.resume()
  t.match((await submit(damaged, await transferBody(damaged))).json(), { txId: 2 })
  t.equal((await damaged.inject('/tx/3/status')).statusCode, 404, 'nothing was executed twice')
})
