import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { specialTargets } from '../../../packages/devnet/modules/transfer/special-addresses.ts'
import { poolKeys } from '../../../packages/devnet/registry/pools.ts'
import { createMessageTypes } from '../../../services/messages/index.ts'
import { build, startNetwork } from '../../helpers/app.ts'
import { createBitcoinWallet } from '../../helpers/bitcoin-wallet.ts'
import { keyFile } from '../../helpers/callers.ts'
import { advanceClock } from '../../helpers/clock.ts'
import { forward, json, serve } from '../../helpers/local-server.ts'
import { readBlocks } from '../../helpers/oracle/read-blocks.ts'
import { type Test, test } from '../../helpers/tap.ts'
import { refused } from '../../helpers/transfer.ts'
import { until } from '../../helpers/until.ts'

const TARGET = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const OTHER = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const { requestHtlcLock, htlcReclaim } = createMessageTypes('service')

async function start(t: Test, variables = {}, network?: Awaited<ReturnType<typeof startNetwork>>) {
  const devnet = network ?? (await startNetwork(t))
  const app = await build(t, variables, { devnet })
  const { address, publicKey } = createBitcoinWallet()
  const get = async (url: string, headers = {}) => (await app.inject({ url, headers })).json()
  const post = async (url: string, payload: object, headers = {}) =>
    (await app.inject({ method: 'POST', url, payload, headers })).json()

  async function quote(change: object = {}) {
    const ends = { originChain: 'BTC', originSymbol: 'BTC', targetChain: 'ETH', targetSymbol: 'WBTC' }
    const asked = { originAddress: address, targetAddress: TARGET, ...ends, amount: '0.02', ...change }
    const found = await get(`/submit/fees?${new URLSearchParams(asked)}`)
    const { feeId, feeTotalBigInt: fee, decimals, transactionValues } = found
    const { submitAmount: amount, allowanceAmount } = transactionValues.feeFromOrigin
    const options = JSON.stringify({ feeId, chargeFeeAtTarget: false })
    return { body: { ...asked, amount, fee, decimals, options }, amountSats: Number(allowanceAmount) }
  }

  /** Does what the widget does before it submits. @returns the body of the submission */
  async function lock({ headers = {}, targetAddress = TARGET, isMined = true } = {}) {
    const { body, amountSats } = await quote({ targetAddress })
    const parties = { senderAddress: address, senderPubkey: publicKey, recipientAddress: targetAddress }
    const intent = { ...parties, poolAddress: poolKeys.reserved, amountSats }
    const { lockId, htlcAddress, timeout } = await post('/btc/htlc/lock-intent', intent, headers)
    const txid = devnet.bitcoin.pay([[htlcAddress, amountSats]])
    if (isMined) devnet.bitcoin.mine(3)
    const lock = { htlcLockId: lockId, htlcAddress, htlcAmountSats: amountSats, senderPubKey: publicKey }
    const output = { htlcCreationHash: txid, htlcCreationVout: 0, htlcVersion: 'p2wsh-sha256-cltv-v1' }
    return { ...body, ...lock, ...output, htlcExpirationTimestamp: String(timeout) }
  }

  /** The kinds of the messages in each transaction, and the messages. */
  async function messages() {
    const txs = await readBlocks(devnet.urls.rpc)
    const all = txs.map(({ bytes }) => TxBody.decode(TxRaw.decode(bytes).bodyBytes).messages)
    const kinds = all.map(found => found.map(({ typeUrl }) => typeUrl.slice(typeUrl.lastIndexOf('.') + 1)))
    return { kinds, all: all.flat() }
  }
  return { address, app, bitcoin: devnet.bitcoin, get, lock, messages, post, publicKey, quote }
}

const TRANSFER = 'MsgRequestTransaction'
const PAIR = ['MsgRequestHtlcLock', TRANSFER]

const pending = { statusCode: 404, code: 'LOCK_PENDING' }

test('a lock is registered once, before its transfer and in the same transaction', async t => {
  const { address, app, bitcoin, get, lock, messages, post, publicKey, quote } = await start(t)
  const body = await lock({ isMined: false })
  t.match(await post('/submit/transfer', body), pending, 'until it is confirmed')
  const amounts = { amountIn: body.amount, amountOut: '1', amountOutDecimals: 8 }
  t.match(await post('/submit/swap', { ...body, ...amounts, options: '{"feeId":"other"}' }), pending)
  bitcoin.mine(3)
  const [first, second] = await Promise.all([post('/submit/transfer', body), post('/submit', body)])
  t.match(first, { txId: 1, transactionHash: /^[0-9A-F]{64}$/ })
  t.strictSame(second, first, 'a retry joins')
  const { kinds, all } = await messages()
  t.strictSame(kinds, [PAIR])
  t.match(requestHtlcLock.decode(all[0]?.value ?? new Uint8Array()), {
    fromAddress: address,
    senderPubkey: Buffer.from(publicKey).toString('hex'),
    amount: String(body.htlcAmountSats / 1e8),
    htlcTimeout: body.htlcExpirationTimestamp,
    txHash: body.htlcCreationHash,
    htlcAddress: body.htlcAddress
  })

  const again = { ...body, options: (await quote()).body.options }
  const used = { ...refused('LOCK_ALREADY_USED', 'htlcCreationHash'), statusCode: 409 }
  t.match(await post('/submit', again), used)
  t.match((await get('/tx/1/status')).data, {
    transaction_data: [{ tx_id: 1, originchain: 'BTC' }],
    htlc_lock_request: { txHash: body.htlcCreationHash, senderAddress: address, status: 'Locked' }
  })
  const { body: events } = await app.inject('/tx/1/events')
  const last = events.slice(events.lastIndexOf('\ndata: ') + '\ndata: '.length)
  t.strictSame(JSON.parse(last), await get('/tx/1/status'), 'the last event is the status')
})

test('a lock can be used only by the submission of its intent', async t => {
  const { add, variables } = keyFile(t)
  const headers = add('shop', { scopes: ['submit', 'operate'] })
  const settings = { ...variables, SERVICE_ACCESS: 'both' }
  const { address, get, lock, messages, post, quote } = await start(t, settings)
  const body = await lock({ headers })
  const { senderPubKey } = body
  const other = createBitcoinWallet()
  const unknown = refused('LOCK_UNKNOWN', 'htlcLockId')
  t.match(await post('/submit', body), unknown, 'another caller’s')
  for (const htlcLockId of ['', undefined])
    t.match(await post('/submit', { ...body, htlcLockId }, headers), unknown)
  for (const [field, value] of [
    ['htlcAddress', other.address],
    ['htlcAmountSats', body.htlcAmountSats - 1],
    ['htlcCreationHash', `${body.htlcCreationHash}/outspend/0`],
    ['htlcCreationHash', body.htlcCreationHash.toUpperCase()],
    ['htlcCreationHash', ''],
    ['htlcCreationVout', 1],
    ['htlcExpirationTimestamp', String(Number(body.htlcExpirationTimestamp) + 1)],
    ['htlcVersion', ''],
    ['senderPubKey', other.publicKey]
  ] as const)
    t.match(await post('/submit', { ...body, [field]: value }, headers), refused('LOCK_INVALID', field))
  // The quote has the same terms: only the intent has not.
  for (const change of [{ originAddress: other.address }, { targetAddress: OTHER }, { amount: '0.01' }]) {
    const mine = { ...body, ...(await quote(change)).body }
    const [field = ''] = Object.keys(change)
    t.match(await post('/submit', mine, headers), refused('LOCK_INVALID', field), field)
  }
  t.strictSame((await messages()).kinds, [])

  const spelled = { originAddress: address.toUpperCase(), senderPubKey: `0x${senderPubKey.toUpperCase()}` }
  const omitted = { htlcAddress: '', htlcAmountSats: '' }
  t.match(await post('/submit', { ...body, ...spelled, ...omitted }, headers), { txId: 1 })
  const listed = await get(`/submissions?q=${address}`, headers)
  t.same(await get(`/submissions?q=${body.htlcCreationHash}`, headers), listed, 'by the Bitcoin transaction')
  const request = { originChain: 'BTC', originAddress: address, originSymbol: 'BTC' }
  t.match(listed.submissions.map(({ kind }: { kind: string }) => kind).sort(), ['lock', 'transfer'])
  for (const one of listed.submissions) t.match(one, { status: 'committed', caller: 'shop', request })
})

test('a lock whose transfer was refused is registered only once', async t => {
  const { lock, messages, post, quote } = await start(t)
  const { refusedByEvent: targetAddress } = specialTargets
  const body = await lock({ targetAddress })
  t.match(await post('/submit', body), { code: 'CHAIN_REJECTED' })
  const { options } = (await quote({ targetAddress })).body
  t.match(await post('/submit', { ...body, options }), { code: 'CHAIN_REJECTED' })
  t.strictSame((await messages()).kinds, [PAIR, [TRANSFER]])
})

test('a lock that the chain lists is not registered again', async t => {
  const lists: Record<string, object> = {}
  const asked: string[] = []
  let pauseMs = 0
  const devnet = await startNetwork(t)
  const proxy = await serve(t, async (request, response) => {
    const [path = '', query] = request.url.split('?')
    if (!path.endsWith('/htlc_locking_transaction')) {
      const { status, body } = await forward(`${devnet.urls.rest}${request.url}`, request)
      return json(response, body, status)
    }
    const key = new URLSearchParams(query).get('pagination.key') ?? ''
    asked.push(key)
    const list = lists[key] ?? { HtlcLockingTransaction: [], pagination: null }
    setTimeout(() => json(response, list), pauseMs)
  })
  const settings = { SERVICE_BACKEND_NODE_PROVIDER_QUERY: `${proxy.url}/?key=sealed-letter` }
  const { address, get, lock, messages, post } = await start(t, settings, devnet)
  const body = await lock()
  const { htlcCreationHash: txHash, htlcAddress } = body
  const listed = { id: '1', txHash: txHash.toUpperCase(), senderAddress: address, htlcAddress }
  const others = [{ txHash: 'ab' }, { senderAddress: 'someone' }].map(change => ({ ...listed, ...change }))
  const page = (HtlcLockingTransaction: unknown, next_key: unknown = null) => ({
    HtlcLockingTransaction,
    pagination: { next_key }
  })

  lists[''] = page([{ ...listed, htlcAddress: 'another' }])
  const used = { ...refused('LOCK_ALREADY_USED', 'htlcCreationHash'), statusCode: 409 }
  t.match(await post('/submit', body), used)
  for (const wrong of [page([{ id: 1 }]), page([], 7)]) {
    lists[''] = wrong
    t.match(await post('/submit', body), { statusCode: 502, code: 'UPSTREAM_ERROR' }, JSON.stringify(wrong))
  }
  t.strictSame((await messages()).kinds, [])
  asked.length = 0
  lists[''] = page(others, 'a+/=')
  lists['a+/='] = page([listed], 'more')
  t.match(await post('/submit', body), { code: 'CHAIN_REJECTED', message: /the lock is not registered/ })
  t.strictSame((await messages()).kinds, [[TRANSFER]])
  t.strictSame(asked, ['', 'a+/='])

  asked.length = 0
  const endless = await lock()
  for (const key of ['', 'again']) lists[key] = page(others, 'again')
  t.match(await post('/submit', endless), { txId: 1 })
  t.equal(asked.length, 10, 'the newest pages')
  lists['again'] = page([{ ...listed, txHash: endless.htlcCreationHash, newer: ['sealed-letter'] }])
  pauseMs = 2000
  const shown = async () => (await get('/tx/1/status')).data.htlc_lock_request
  t.equal(await shown(), undefined, 'a status does not wait for a slow list')
  t.match(await until(shown, 'the lock has been read'), { id: '1', newer: ['[secret]'] })
  pauseMs = 0
  const reclaimed = async (htlcTimestamp: string) => {
    lists[''] = page([{ ...listed, htlcTimestamp }])
    return (await post('/reclaim', { txHash, senderAddress: address })).message
  }
  t.match(await reclaimed('900'), /whose timeout \(900\) has passed/, 'a height')
  t.notMatch(await reclaimed('1'), /timeout/)
})

test('a lock can be reclaimed after its timeout, unless it is spent', async t => {
  const { add, variables } = keyFile(t)
  const headers = add('shop', { scopes: ['submit'] })
  const devnet = await startNetwork(t)
  const settings = { ...variables, SERVICE_ACCESS: 'both' }
  const { address, get, lock, messages, post } = await start(t, settings, devnet)
  const taken = await lock()
  t.match(await post('/submit', taken), { txId: 1 })
  const outspend = `/btc/outspend?txid=${taken.htlcCreationHash}&vout=0`
  await until(async () => (await get(outspend)).spent, 'the pool has the bitcoins')
  const { refusedByEvent: targetAddress } = specialTargets
  const body = await lock({ targetAddress })
  const reclaim = { senderAddress: address, txHash: body.htlcCreationHash }
  t.match(await post('/reclaim', reclaim), refused('LOCK_UNKNOWN', 'txHash'))
  t.match(await post('/submit', body), { code: 'CHAIN_REJECTED' })
  const early = /must belong to a lock whose timeout \(\d+\) has passed/
  t.match(await post('/reclaim', reclaim), refused('LOCK_INVALID', 'txHash', early))
  t.match(await post('/reclaim', { ...reclaim, senderAddress: TARGET }), { code: 'ADDRESS_INVALID' })
  t.match(await post('/reclaim', { ...reclaim, txHash: '1' }), { code: 'VALIDATION' })
  advanceClock(5 * 3600)
  const spent = refused('LOCK_INVALID', 'txHash', /must belong to a lock that is not spent/)
  t.match(await post('/reclaim', { ...reclaim, txHash: taken.htlcCreationHash }), spent)
  const shadow = await start(t, { SERVICE_SHADOW: 'true' }, devnet)
  t.match(await shadow.post('/reclaim', reclaim), { code: 'SHADOW', shadow: { statusCode: 202 } })
  const keyed = { ...headers, 'idempotency-key': 'once' }
  const done = await post('/reclaim', reclaim, keyed)
  t.match(done, { submissionId: String, status: 'committed' })
  const again = await post('/reclaim', { ...reclaim, senderAddress: address.toUpperCase() }, headers)
  t.strictSame(again, done, 'once')
  const other = await post('/reclaim', { ...reclaim, txHash: taken.htlcCreationHash }, keyed)
  t.match(other, { code: 'IDEMPOTENCY_KEY_REUSED' })
  t.match(await post('/reclaim', reclaim), { statusCode: 409 }, 'another caller’s')
  const { kinds, all } = await messages()
  t.strictSame(kinds, [PAIR, PAIR, ['MsgHtlcReclaim']])
  t.match(htlcReclaim.decode(all.at(-1)?.value ?? new Uint8Array()), reclaim)
})

test('without a Bitcoin API, Bitcoin is only a target, and has no routes', async t => {
  const { get, post } = await start(t, { BTC_API_URL: '' })
  const chains: { shortName: string }[] = await get('/chains')
  const bitcoin = chains.find(({ shortName }) => shortName === 'BTC')
  t.match(bitcoin, { supportedLocations: ['target'] })
  const ends = { originChain: 'BTC', originSymbol: 'BTC', targetChain: 'ETH', targetSymbol: 'WBTC' }
  const route = { originAddress: createBitcoinWallet().address, targetAddress: TARGET, ...ends }
  const unsupported = refused('CHAIN_UNSUPPORTED', 'originChain')
  t.match(await get(`/submit/fees?${new URLSearchParams({ ...route, amount: '0.02' })}`), unsupported)
  const body = { ...route, amount: '1', fee: '0', decimals: 8, options: '{"feeId":"f"}' }
  t.match(await post('/submit', body), unsupported)
  const none = { code: 'ROUTE_NOT_FOUND' }
  for (const path of ['/reclaim', '/btc/htlc/lock-intent', '/btc/htlc/record'])
    t.match(await post(path, {}), none, path)
  for (const path of ['/btc/height', '/btc/tip']) t.match(await get(path), none, path)
})
