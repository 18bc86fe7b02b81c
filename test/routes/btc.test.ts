import { hex } from '@scure/base'
import { Address, OutScript, TEST_NETWORK } from '@scure/btc-signer'
import type { FastifyInstance } from 'fastify'
import { complianceAddresses } from '../../packages/devnet/compliance/index.ts'
import { chains } from '../../packages/devnet/registry/chains.ts'
import { poolKeys } from '../../packages/devnet/registry/pools.ts'
import { build, startNetwork } from '../helpers/app.ts'
import { createBitcoinWallet } from '../helpers/bitcoin-wallet.ts'
import { keyFile } from '../helpers/callers.ts'
import { advanceClock, stopClock, takeTime } from '../helpers/clock.ts'
import { json, serve } from '../helpers/local-server.ts'
import { t as root, type Test, test } from '../helpers/tap.ts'
import { refused } from '../helpers/transfer.ts'
import { until } from '../helpers/until.ts'
import { throughProxy, withChanged } from './chain-api.ts'

const { sanctioned } = complianceAddresses
const RECIPIENT = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const AMOUNT = 50_000
const UNKNOWN = 'ab'.repeat(32)
const ON_MAINNET = 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu'

const failed = { statusCode: 502, code: 'UPSTREAM_ERROR' }
const pending = { statusCode: 404, code: 'LOCK_PENDING' }

const { publicKey: senderPubkey, address: senderAddress } = createBitcoinWallet()
const body = {
  senderPubkey,
  senderAddress,
  recipientAddress: RECIPIENT,
  poolAddress: poolKeys.reserved,
  amountSats: AMOUNT
}

const post = (app: FastifyInstance, path: string, payload: object, headers = {}) =>
  app.inject({ method: 'POST', url: `/btc/htlc/${path}`, payload, headers })

async function start(t: Test, variables = {}) {
  const devnet = await startNetwork(t)
  const app = await build(t, variables, { devnet })
  const intend = async (change: object = {}, headers = {}) =>
    (await post(app, 'lock-intent', { ...body, ...change }, headers)).json()
  const record = async (lockId: string, txid: string, headers = {}) =>
    (await post(app, 'record', { lockId, txid }, headers)).json()
  return { app, bitcoin: devnet.bitcoin, devnet, intend, record }
}

const shared = await start(root)

test('reads balances, outputs, blocks and transactions', async t => {
  const { app, bitcoin } = shared
  const get = async (path: string) => (await app.inject(`/btc/${path}`)).json()
  const first = bitcoin.pay([
    [senderAddress, 1000],
    [poolKeys.reserved, 5]
  ])
  const block = bitcoin.mine()
  const second = bitcoin.pay([[senderAddress, 200]])
  const status = { confirmed: true, block_height: 1, block_hash: block.id, block_time: block.timestamp }
  const unspent = [
    { txid: first, vout: 0, value: 1000, status },
    { txid: second, vout: 0, value: 200, status: { confirmed: false } }
  ]
  const outspend = `outspend?txid=${first}&vout=0`
  for (const [path, expected] of [
    [`balance?address=${senderAddress}`, { balance: 1200 }],
    [`balance?address=${senderAddress.toUpperCase()}`, { balance: 1200 }],
    [`utxo/${senderAddress}`, unspent],
    ['height', { height: 1 }],
    ['tip', { height: 1, timestamp: block.timestamp }],
    [outspend, { spent: false }]
  ] as const)
    t.strictSame(await get(path), expected, path)
  const txid = bitcoin.pay([[poolKeys.reserved, 900]], { txid: first, vout: 0 })
  t.strictSame(await get(outspend), { spent: true, txid, vin: 0, status: { confirmed: false } })
  t.strictSame(await get(`balance?address=${senderAddress}`), { balance: 200 })
  t.match(await get(`transaction?hash=${first}`), {
    txid: first,
    vin: [{ is_coinbase: false }],
    vout: [{ value: 1000, scriptpubkey_address: senderAddress }, { value: 5 }],
    status
  })
  for (const [code, ...paths] of [
    ['NOT_FOUND', `transaction?hash=${UNKNOWN}`, `outspend?txid=${UNKNOWN}&vout=0`],
    ['ADDRESS_INVALID', `balance?address=${ON_MAINNET}`, `utxo/${RECIPIENT}`],
    ['VALIDATION', 'transaction?hash=1', `transaction?hash=${UNKNOWN}0`, `outspend?txid=${UNKNOWN}&vout=-1`]
  ])
    for (const path of paths) t.match(await get(path), { code }, path)
})

test('each lock intent gets its own address, and its confirmed lock is recorded', async t => {
  stopClock(t)
  const { bitcoin, intend, record } = shared
  const now = Math.floor(Date.now() / 1000)
  const intents = await Promise.all([1, 2, 3].map(() => intend()))
  t.equal(new Set(intents.map(({ htlcAddress }) => htlcAddress)).size, 3)
  t.strictSame(intents.map(({ timeout }) => timeout - now).sort(), [14_400, 14_401, 14_402], 'four hours')
  const [intent] = intents
  const { lockId, htlcAddress, timeout } = intent
  const { poolAddress: _, ...terms } = body
  t.match(intent, {
    ...terms,
    timeoutHeight: timeout,
    hash: hex.encode(OutScript.encode(Address(TEST_NETWORK).decode(htlcAddress))).slice(4)
  })

  t.match(await record(lockId, UNKNOWN), { ...pending, message: /not visible yet/ })
  const txid = bitcoin.pay([
    [senderAddress, 7],
    [htlcAddress, AMOUNT - 1],
    [htlcAddress, AMOUNT]
  ])
  for (const count of [0, 1, 2]) {
    t.match(await record(lockId, txid), { ...pending, message: `The lock has ${count} of 3 confirmations` })
    bitcoin.mine()
  }
  const recorded = {
    lockId,
    htlcCreationHash: txid,
    htlcCreationVout: 2,
    htlcExpirationTimestamp: String(timeout),
    htlcVersion: 'p2wsh-sha256-cltv-v1',
    senderPubKey: senderPubkey
  }
  t.strictSame(await record(lockId, txid), recorded)
  t.strictSame(await Promise.all([record(lockId, txid), record(lockId, txid)]), [recorded, recorded], 'again')

  const other = bitcoin.pay([[htlcAddress, AMOUNT]])
  bitcoin.mine(3)
  const used = { ...refused('LOCK_ALREADY_USED', 'txid'), statusCode: 409 }
  t.match(await record(lockId, other), used)

  bitcoin.reorganise(6)
  t.match(await record(lockId, txid), pending, 'after a reorganisation')
  t.match(await record(lockId, other), pending)
  const replacement = bitcoin.replace(txid, [[htlcAddress, AMOUNT]])
  t.match(await record(lockId, txid), pending, 'after a double spend')
  bitcoin.mine(3)
  t.match(await record(lockId, replacement), { htlcCreationHash: replacement, htlcCreationVout: 0 })
  t.match(await record(lockId, other), used)

  t.match(await record(intents[1].lockId, replacement), { code: 'LOCK_INVALID' }, 'another intent’s')
  bitcoin.pay([[senderAddress, 1]], { txid: replacement, vout: 0 })
  t.match(await record(lockId, replacement), { code: 'LOCK_INVALID', message: /must not be spent/ })
})

test('rejects a transaction that is not the intent’s lock', async t => {
  const { bitcoin, intend, record } = await start(t, { BTC_CONFIRMATIONS: '1' })
  const { lockId, htlcAddress } = await intend()
  const coinbase = bitcoin.mine(1, [htlcAddress, AMOUNT]).txids[0] ?? ''
  const elsewhere = bitcoin.pay([[senderAddress, AMOUNT]])
  const inTwo = bitcoin.pay([
    [htlcAddress, AMOUNT - 1],
    [htlcAddress, 1]
  ])
  bitcoin.mine()
  for (const [txid, message] of [
    [coinbase, /must not be the coinbase/],
    [elsewhere, /must have an output to the htlcAddress/],
    [inTwo, /must pay the htlcAddress 50000 satoshis in one output, not 49999/]
  ] as const)
    t.match(await record(lockId, txid), refused('LOCK_INVALID', 'txid', message))
  const unknown = refused('LOCK_UNKNOWN', 'lockId')
  t.match(await record('2f1c6d1e-6a0f-4b5e-9a54-0a4f2f0f6c11', coinbase), unknown)

  const txid = bitcoin.pay([[htlcAddress, AMOUNT + 1]])
  bitcoin.mine()
  advanceClock(2 * 3600 - 1860)
  t.match(await record(lockId, txid), { htlcCreationHash: txid }, 'more than the amount')
  advanceClock(61)
  t.match(await record(lockId, txid), { code: 'LOCK_INVALID', message: /half an hour before the timeout/ })
  advanceClock(1800)
  t.match(await record(lockId, txid), unknown, 'expired')
})

test('validates the fields of a lock intent', async t => {
  const { intend } = shared
  const script = Address(TEST_NETWORK).encode(OutScript.decode(hex.decode(`0020${UNKNOWN}`)))
  const now = Math.floor(Date.now() / 1000)
  const keys = [createBitcoinWallet().publicKey, `04${'11'.repeat(64)}`, `02${'ff'.repeat(32)}`]
  const WRONG: [code: string, field: string, ...values: unknown[]][] = [
    ['VALIDATION', 'senderPubkey', ...keys],
    ['ADDRESS_INVALID', 'senderAddress', ON_MAINNET, RECIPIENT],
    ['ADDRESS_INVALID', 'poolAddress', senderAddress],
    ['ADDRESS_INVALID', 'recipientAddress', 'nobody'],
    ['VALIDATION', 'amountSats', 329, 330.5, '50000', 21e14 + 1],
    ['VALIDATION', 'timeout', now + 7190, 900_000, now + 49 * 3600]
  ]
  for (const [code, field, ...values] of WRONG) {
    for (const value of values)
      t.match(await intend({ [field]: value }), refused(code, field), `${field} ${value}`)
  }
  t.match(await intend({ senderAddress: script }), refused('VALIDATION', 'senderPubkey'))
  t.match(await intend({ timeout: now + 9000 }), { timeout: now + 9000 })
})

test('rejects an intent with a sanctioned party or a chain that is not allowed', async t => {
  const records = [
    { address: senderAddress, risk_score: 'critical' },
    { address: RECIPIENT, risk_score: 'low' }
  ]
  const provider = await serve(t, (_request, response) => json(response, records))
  const devnet = await startNetwork(t)
  const SERVICE_CHAIN_FILTER = JSON.stringify({ origin: { mode: 'blacklist', chains: ['BTC'] } })
  for (const [settings, change, expected] of [
    [{}, { recipientAddress: sanctioned }, { statusCode: 403, details: [{ path: '/recipientAddress' }] }],
    [{ COMPLIANCE_URL: provider.url }, {}, { code: 'NOT_COMPLIANT', details: [{ path: '/senderAddress' }] }],
    [{ SERVICE_CHAIN_FILTER }, {}, refused('CHAIN_FILTERED', 'poolAddress')]
  ] as const) {
    const app = await build(t, settings, { devnet })
    t.match((await post(app, 'lock-intent', { ...body, ...change })).json(), expected)
  }
  const { server } = await withChanged(t, 'BTC', () => ({ disabled: true }))
  t.match((await post(server, 'lock-intent', body)).json(), refused('CHAIN_DISABLED', 'poolAddress'))
})

test('rejects a lock for a pool whose key has changed', async t => {
  const time = takeTime(t)
  const chain = await throughProxy(t)
  const { lockId } = (await post(chain.server, 'lock-intent', body)).json()
  const recorded = async () => (await post(chain.server, 'record', { lockId, txid: UNKNOWN })).json()
  t.match(await recorded(), pending)
  const tssPubkey = [{ ...poolKeys, reserved: senderAddress }]
  chain.answer = (response, { url }) =>
    json(response, { ...(url.endsWith('tss_pubkey') ? { tssPubkey } : { Chain: chains }), pagination: null })
  time.elapsed += 11_000
  await until(async () => (await recorded()).code !== 'LOCK_PENDING', 'the pool’s new key is known')
  t.match(await recorded(), { code: 'LOCK_INVALID', message: /key has changed/ })
})

test('an intent belongs to its caller, and each client’s number of intents is limited', async t => {
  const { add, variables } = keyFile(t)
  const [one, other] = ['one', 'other'].map(name => add(name, { scopes: ['submit'] }))
  const reader = add('reader', { scopes: ['read'] })
  const { app, intend, record } = await start(t, { ...variables, SERVICE_ACCESS: 'both' })
  const { lockId } = await intend({}, one)
  for (const headers of [other, {}]) t.match(await record(lockId, UNKNOWN, headers), { code: 'LOCK_UNKNOWN' })
  t.match(await record(lockId, UNKNOWN, one), { code: 'LOCK_PENDING' })
  t.match(await intend({}, reader), { code: 'SCOPE_MISSING' })
  t.match(await record(lockId, UNKNOWN, reader), { code: 'SCOPE_MISSING' })

  const lock = await app.store.findLock(lockId)
  if (lock === undefined) throw new Error('the intent is not stored')
  for (let number = 1; number < 1000; number++) {
    const own = { lockId: `lock ${number}`, address: `address ${number}`, client: 'caller one' }
    await app.store.putLock({ ...lock, ...own })
  }
  const response = await post(app, 'lock-intent', body, one)
  t.match(response.json(), { statusCode: 429, code: 'LOCK_SHARE' })
  t.equal(response.headers['retry-after'], '60')
  t.match(await intend({}, other), { htlcAddress: /^tb1q/ }, 'others have their own')
})

test('reports a Bitcoin API that fails, is wrong or is on another network', async t => {
  const devnet = await startNetwork(t)
  type Lie = (answer: string) => string | undefined
  const lie: { path?: RegExp; by: Lie } = { by: answer => answer }
  const api = await serve(t, async (request, response) => {
    const url = request.url.replace('/secret-path-1', '')
    const answer = await fetch(`${devnet.urls.bitcoin}${url}`)
    const text = await answer.text()
    const told = lie.path?.test(url) ? lie.by(text) : text
    if (told !== undefined) response.writeHead(answer.status).end(told)
  })
  const log: string[] = []
  const options = { devnet, logTo: (line: string) => log.push(line) }
  const app = await build(
    t,
    { BTC_API_URL: `${api.url}/secret-path-1`, BTC_CONFIRMATIONS: '1', LOG_LEVEL: 'error' },
    options
  )
  const { htlcAddress, lockId } = (await post(app, 'lock-intent', body)).json()
  const record = async (txid: string) => (await post(app, 'record', { lockId, txid })).json()
  const short = devnet.bitcoin.pay([[htlcAddress, 1]])
  const coinbase = devnet.bitcoin.mine(1, [htlcAddress, AMOUNT]).txids[0] ?? ''
  t.match(await record(short), { code: 'LOCK_INVALID', message: /not 1$/ })
  const ofTx = /^\/tx\/\w+$/
  const isCoinbase = { message: /must not be the coinbase/ }
  const late = { statusCode: 504, code: 'UPSTREAM_TIMEOUT' }
  const LIES: [path: RegExp, by: Lie, expected: object, txid?: string][] = [
    [ofTx, answer => answer.replace('"value":1}', `"value":${AMOUNT}}`), failed],
    [ofTx, answer => answer.replace('"value":1}', '"value":-1}'), failed],
    [ofTx, answer => answer.replaceAll(short, UNKNOWN), failed],
    [/tip\/hash/, () => 'nothing', failed],
    [/^\/block\//, answer => answer.replace(/"id":"\w+"/, `"id":"${UNKNOWN}"`), failed],
    [ofTx, text => text.replaceAll('"is_coinbase":true', '"is_coinbase":false'), isCoinbase, coinbase],
    [/outspend/, () => undefined, late, devnet.bitcoin.pay([[htlcAddress, AMOUNT]])]
  ]
  for (const [path, by, expected, txid = short] of LIES) {
    Object.assign(lie, { path, by })
    t.match(await record(txid), expected, `${path} ${by}`)
  }
  const another = (answer: string) => answer.replace(/"address":"\w+"/, '"address":"x"')
  Object.assign(lie, { path: /^\/address/, by: another })
  t.match((await app.inject(`/btc/balance?address=${senderAddress}`)).json(), failed)

  const echo = (answer: string) => answer.replace(/_address":"\w+"/, '_address":"secret-path-1"')
  Object.assign(lie, { path: ofTx, by: echo })
  t.match((await app.inject(`/btc/transaction?hash=${short}`)).body, '_address":"[secret]"')

  const regtest = '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206'
  const foreign = await serve(t, ({ url }, response) =>
    url.endsWith(`/block/${regtest}`)
      ? json(response, { id: regtest, height: 0, timestamp: 1_296_688_602 })
      : response.writeHead(404).end('Block not found')
  )
  const settings = { BTC_API_URL: `${foreign.url}/secret-path-1`, LOG_LEVEL: 'error' }
  const elsewhere = await build(t, settings, options)
  t.match((await elsewhere.inject('/btc/height')).json(), failed)
  t.match((await post(elsewhere, 'lock-intent', body)).json(), failed)
  t.match(log.at(-1), /not on a Bitcoin network of testnet/)
  t.notMatch(log.join('\n'), /secret-path-1/)
})
