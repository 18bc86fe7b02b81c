import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import Database from 'libsql'
import { parseKeyFile } from '../../services/callers/key-file.ts'
import { type BuildOptions, build, startNetwork, untilReady, type Variables } from '../helpers/app.ts'
import { caller, keyFile } from '../helpers/callers.ts'
import { stretchTimers } from '../helpers/clock.ts'
import { json } from '../helpers/local-server.ts'
import { operatorTool } from '../helpers/operator.ts'
import { type Test, test } from '../helpers/tap.ts'
import { cardBody, submitBody, submit as submitTo, transferBody } from '../helpers/transfer.ts'
import { until } from '../helpers/until.ts'
import { throughProxy } from '../routes/chain-api.ts'

type Headers = Record<string, string>

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
const ORIGIN = { origin: 'https://shop.example' }

/** Creates a key file, and a function that starts a server with its callers. */
async function service(t: Test, overrides: Variables = {}) {
  const { path, variables, add } = keyFile(t)
  const devnet = await startNetwork(t)
  async function start(options: BuildOptions = {}, more: Variables = {}) {
    const settings = { ...variables, SERVICE_ACCESS: 'both', ...overrides, ...more }
    const server = await build(t, settings, { devnet, ...options })
    await untilReady(server)
    return server
  }
  return { path, add, devnet, start }
}

const submit = (server: FastifyInstance, body: string | object, headers: Headers = {}) =>
  submitTo(server, typeof body === 'string' ? JSON.parse(body) : body, { headers })

test('SERVICE_ACCESS=keys needs a valid key and scope; public submissions ignore keys', async t => {
  const { add, start } = await service(t)
  const shop = add('shop', { scopes: ['submit', 'read'] })
  const reader = add('reader', { scopes: ['read'] })
  const page = { ...add('page', { scopes: ['submit'], origins: [ORIGIN.origin] }), ...ORIGIN }
  const { authorization: expired } = add('expired', { scopes: ['submit'] }, '2026-01-01T00:00:00.000Z')
  const server = await start({}, { SERVICE_ACCESS: 'keys' })

  const invalid = { statusCode: 401, code: 'KEY_INVALID' }
  const without = await submit(server, submitBody(randomUUID()))
  t.match(without.json(), { ...invalid, details: [{ path: '/authorization' }] })
  t.equal(without.headers['www-authenticate'], 'Bearer')
  for (const key of ['Basic YTpi', 'Bearer tbe_unknown', 'Bearer ', `${shop.authorization} x`, expired]) {
    const refused = await submit(server, submitBody(randomUUID()), { authorization: key })
    t.match(refused.json(), invalid, key)
    t.equal(refused.headers['www-authenticate'], 'Bearer error="invalid_token"')
  }
  const missing = { statusCode: 403, code: 'SCOPE_MISSING', message: /reader lacks the scope submit$/ }
  const blocked = { statusCode: 403, code: 'ORIGIN_BLOCKED' }
  for (const [headers, expected] of [
    [reader, missing],
    [{ ...shop, ...ORIGIN }, blocked],
    [{ authorization: shop.authorization.replace('Bearer ', 'bearer  ') }, { txId: Number }],
    [page, { txId: Number }]
  ] as const)
    t.match((await submit(server, submitBody(randomUUID()), headers)).json(), expected)

  const compliant = '/compliant?address=0x8ba1f109551bD432803012645Ac136ddd64DBA72'
  for (const [url, headers, status] of [
    [compliant, {}, 401],
    [compliant, reader, 200],
    [compliant, page, 200],
    ['/chains', {}, 200]
  ] as const)
    t.equal((await server.inject({ url, headers })).statusCode, status, url)

  const open = await start({}, { SERVICE_ACCESS: 'public' })
  t.equal((await submit(open, submitBody(randomUUID()), bearer('tbe_wrong'))).statusCode, 200)
  t.match((await open.inject({ url: '/submissions', headers: bearer('tbe_wrong') })).json(), invalid)
})

interface Listed {
  submissionId: string
  caller?: string
  createdAt: string
}

test('callers are isolated from each other', async t => {
  const lines: string[] = []
  const { add, start } = await service(t, { LOG_LEVEL: 'info' })
  const shop = add('shop', { scopes: ['submit', 'read'] })
  const other = add('other', { scopes: ['submit', 'read'] })
  const operator = add('operator', { scopes: ['operate'] })
  const server = await start({ logTo: line => void lines.push(line) })

  async function list(headers: Headers, query: Record<string, string> = {}) {
    const response = await server.inject({ url: '/submissions', query, headers })
    t.equal(response.statusCode, 200, response.body)
    return response.json<{ submissions: Listed[]; next?: string }>()
  }
  const idsOf = ({ submissions }: { submissions: Listed[] }) =>
    submissions.map(({ submissionId }) => submissionId)

  t.test('callers may share an idempotency key, but never a submission', async t => {
    const post = async (headers: Headers, body: string | object, key?: string) =>
      (await submit(server, body, { ...headers, ...(key && { 'idempotency-key': key }) })).json()
    for (const headers of [shop, other, {}])
      t.match(await post(headers, submitBody(randomUUID()), 'order-1'), { txId: Number })
    t.match(await post(shop, submitBody(randomUUID()), 'order-1'), { code: 'IDEMPOTENCY_KEY_REUSED' })
    const named = () => lines.some(line => /"caller":"shop".*responseTime/.test(line))
    await until(named, 'the line of the request names its caller')

    const body = submitBody(randomUUID())
    const { submissionId } = await post(shop, body)
    t.match(await post(shop, body), { submissionId })
    for (const headers of [other, {}]) t.match(await post(headers, body), { code: 'QUOTE_ALREADY_USED' })
  })

  t.test('a caller may not use another caller’s quote', async t => {
    const { inject } = server
    const asShop = Object.assign(Object.create(server), {
      inject: (url: string) => inject({ url, headers: shop })
    })
    const body = await transferBody(asShop)
    for (const headers of [other, {}])
      t.match((await submit(server, body, headers)).json(), { code: 'QUOTE_UNKNOWN' })
    t.equal((await submit(server, body, shop)).statusCode, 200)
    t.equal((await submit(server, await transferBody(server), other)).statusCode, 200)
  })

  t.test('a caller lists its own submissions, an operator all of them', async t => {
    const all = await list(operator)
    const own = await list(shop)
    t.ok(own.submissions.length > 2)
    t.ok(own.submissions.every(({ caller }) => caller === 'shop'))
    t.same(await list(operator, { caller: 'shop' }), own)
    t.same(new Set(all.submissions.map(({ caller }) => caller)), new Set(['shop', 'other', undefined]))
  })

  t.test('the list skips a damaged submission', async t => {
    await submit(server, submitBody(randomUUID()), shop)
    const all = (await list(shop)).submissions
    const id = all[0]?.submissionId ?? ''
    const database = new Database(join(server.config.SERVICE_DATA_DIR, 'submissions.db'))
    t.teardown(() => database.close())
    database.prepare('UPDATE submission SET gas_used = -1 WHERE submission_id = ?').run([id])
    const { submissions, next = '' } = await list(shop, { limit: '1' })
    t.strictSame(submissions, [])
    t.strictSame((await list(shop, { limit: '100', cursor: next })).submissions, all.slice(1))
    t.match(lines.join(''), new RegExp(`${id} is damaged: column gas_used.*read a damaged row`))
  })

  t.test('the list’s q and filters find the caller’s payments, and nobody else’s', async t => {
    const feeId = randomUUID()
    const originAddress = '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc'
    const sent = await submit(server, submitBody(feeId, { originAddress }), shop)
    const { submissionId, txId } = sent.json()
    const request = { originAddress, amount: '100.5' }
    const expected = [{ submissionId, caller: 'shop', kind: 'transfer', request, txstatus: String }]
    // test/operator/find.test.ts has all identifiers.
    for (const q of [feeId.toUpperCase(), ` ${txId}\n`, originAddress.toLowerCase()]) {
      for (const reader of [shop, operator]) t.match((await list(reader, { q })).submissions, expected)
      t.strictSame((await list(other, { q })).submissions, [], q)
    }
    const [found] = (await list(shop, { feeId })).submissions
    const from = found?.createdAt ?? ''
    const own = [submissionId]
    const queries: [caller: Headers, query: Record<string, string>, ids: string[]][] = [
      [shop, { txId: String(txId) }, own],
      [shop, { from }, own],
      [shop, { feeId, from: from.slice(0, 10) }, own],
      [shop, { feeId, from: from.replace('Z', '+00:00') }, own],
      [shop, { feeId, status: 'committed' }, own],
      [shop, { q: feeId, status: 'queued' }, []],
      [shop, { feeId, to: from }, []],
      [other, { feeId }, []]
    ]
    for (const [caller, query, ids] of queries)
      t.same(idsOf(await list(caller, query)), ids, JSON.stringify(query))
    const either = { url: `/submissions?status=queued&status=committed&feeId=${feeId}`, headers: shop }
    t.match((await server.inject(either)).json(), { submissions: [{ submissionId }] })
    const paid = (await submit(server, cardBody({}, { feeId }), shop)).json()
    const ofQuote = [submissionId, paid.submissionId].sort()
    t.same(idsOf(await list(shop, { feeId })).sort(), ofQuote, 'every submission of the quote')
  })

  t.test('invalid list queries are rejected', async t => {
    const refused = async (query: Record<string, string>, headers: Headers = shop) =>
      (await server.inject({ url: '/submissions', query, headers })).json()
    const missing = { statusCode: 403, code: 'SCOPE_MISSING', message: /operate/ }
    t.match(await refused({ caller: 'other' }), missing)
    for (const headers of [bearer('tbe_no'), {}]) t.match(await refused({}, headers), { code: 'KEY_INVALID' })
    const encoded = (text: string) => Buffer.from(text).toString('base64url')
    const cursor = encoded('12 id')
    t.strictSame((await list(shop, { cursor })).submissions, [])
    for (const [field, ...values] of [
      ['cursor', ...['forged', '012 id', '12 id ', '9007199254740993 id'].map(encoded), `${cursor}=`],
      ['limit', '101', '0'],
      ['from', '2025-02-31T25:00:00Z', '2025-02-30', '2025-04-31T12:00:00Z'],
      ['to', '2023-02-29'],
      ['status', 'lost'],
      ['txId', '0', '9007199254740992', '1e300'],
      ['caller', 'SHOP']
    ] as const) {
      for (const value of values) {
        const answer = await refused({ [field]: value })
        t.match(answer, { statusCode: 400, code: 'VALIDATION' }, `${field}=${value}`)
        t.ok(answer.details[0].path.startsWith(`/${field}`), JSON.stringify(answer.details))
      }
    }
  })
})

test('a caller’s quota applies to its key, and separately to each visitor of a page', async t => {
  const { add, start } = await service(t, { RATE_LIMIT_MAX: '2', TRUST_PROXY: 'loopback' })
  const small = add('small', { scopes: ['read'], quota: 2 })
  const large = add('large', { scopes: ['read'], quota: 20 })
  const page = add('page', { scopes: ['submit'], quota: 2, origins: [ORIGIN.origin] })
  const server = await start()
  async function last(count: number, headers: Headers) {
    for (let sent = 1; sent < count; sent += 1) await server.inject({ url: '/chains/names', headers })
    return server.inject({ url: '/chains/names', headers })
  }
  const used = await last(3, small)
  t.match(used.json(), { statusCode: 429, code: 'QUOTA_EXCEEDED', message: /^small has used its quota/ })
  t.ok(Number(used.headers['retry-after']) > 0)
  t.match((await last(1, { ...small, 'sec-fetch-site': 'cross-site' })).json(), { code: 'QUOTA_EXCEEDED' })
  t.equal((await last(20, large)).statusCode, 200)
  t.equal((await last(2, {})).statusCode, 200, 'client addresses have a separate limit')

  const visitor = (address: string) => ({ ...page, ...ORIGIN, 'x-forwarded-for': address })
  await last(3, { ...visitor('192.0.2.1'), origin: 'https://evil.example' })
  await last(3, { ...visitor('192.0.2.1'), authorization: `${page.authorization}x` })
  t.equal((await last(2, visitor('192.0.2.1'))).statusCode, 200, 'rejected keys do not count for the key')
  t.match((await last(1, visitor('192.0.2.1'))).json(), { code: 'QUOTA_EXCEEDED' })
  for (const other of ['192.0.2.2', '2001:db8::1']) t.equal((await last(1, visitor(other))).statusCode, 200)
})

test('the operator tool creates a key and its caller’s entry for the key file', async t => {
  const { path, start, devnet } = await service(t, { SERVICE_ACCESS: 'keys' })
  const tool = operatorTool(t, devnet, {})
  const create = (...argv: string[]) => tool('keys', 'create', ...argv)
  const [a, b] = ['https://a.example', 'https://b.example']
  const given = ['--scopes', 'submit, read,submit', '--quota', '5', '--origins', `${a},${b}`]
  const page = await create('page', ...given)
  t.match(page.out, /^Warning: a key in a web page is public/)
  const { code, out } = await create('shop', '--scopes', 'submit', '--expires', '1d')
  t.equal(code, 0)
  const [, key = '', , line = ''] = out.split('\n')
  t.match(key, /^tbe_/)
  t.notOk(line.includes(key), 'the entry has only the hash')
  const entries = [page.out, out].map(text => JSON.parse(text.trim().split('\n').at(-1) ?? ''))
  const hashed = { keys: [{ hash: /^[0-9a-f]{64}$/ }] }
  t.match(entries, [
    { name: 'page', scopes: ['submit', 'read'], quota: 5, origins: [a, b], ...hashed },
    { name: 'shop', scopes: ['submit'], keys: [{ expiresAt: /Z$/ }] }
  ])
  writeFileSync(path, JSON.stringify({ callers: entries }))
  t.equal((await submit(await start(), submitBody(randomUUID()), bearer(key))).statusCode, 200)
})

test('a search omits slow statuses, and then no longer delays other polls', async t => {
  const { variables, headers } = caller(t)
  const settings = { ...variables, SERVICE_BACKEND_NODE_PROVIDER_GRAPHQL: '', COMPLIANCE_URL: '' }
  const api = await throughProxy(t, undefined, settings)
  // Two more than the number of concurrent polls.
  await Promise.all(Array.from({ length: 34 }, () => submit(api.server, cardBody(), headers)))
  stretchTimers(t)
  const held: (() => void)[] = []
  let isSlow = true
  api.answer = response => {
    const give = () => json(response, {}, 500)
    if (isSlow) held.push(give)
    else give()
  }
  const search = async (q: string) => {
    const found = await api.server.inject({ url: '/submissions', query: { q, limit: '100' }, headers })
    return found.json<{ submissions: { txId: number; txstatus?: string }[] }>().submissions
  }
  const slow = await search(cardBody().targetAddress)
  t.equal(slow.length, 34)
  t.notOk(slow.some(({ txstatus }) => txstatus))
  const polled = () => new Set(api.asked().filter(path => path.includes('/transaction_data/')))
  const isPolled = ({ txId }: { txId: number }) => polled().has(`/transaction/transaction_data/${txId}`)
  const waiting = slow.filter(each => !isPolled(each))
  isSlow = false
  for (const give of held) give()
  await search(String(waiting.at(-1)?.txId))
  t.notOk(waiting.every(isPolled), 'those that nobody waits for are not polled')
})

test('startup fails with an invalid key file', async t => {
  const { path, start } = await service(t)
  const lost = /^SERVICE_API_KEYS_FILE points to a file that does not exist/
  t.match(await start().catch(error => error.problems), [lost])
  const [key, other] = ['a', 'b'].map(digit => ({ hash: digit.repeat(64) }))
  const caller = { name: 'shop', scopes: ['read'], keys: [key] }
  const malformed = (field: string) => new RegExp(`^is malformed at \`callers.0.${field}`)
  const repeated = JSON.stringify({ callers: [caller] }).replace('{"name"', '{"scopes":["operate"],"name"')
  const never = { ...other, expiresAt: '2026-13-01T00:00:00.000Z' }
  const wrong: [callers: object[] | string, problem: RegExp][] = [
    [[caller, caller], /^has more than one entry named shop$/],
    [[caller, { ...caller, name: 'other' }], /^has the same key twice$/],
    [repeated, /^has a property name twice/],
    ...Object.entries({ scopes: ['all'], quota: 0, origins: [], keys: [], expiresAt: '2026-01-01' }).map(
      ([field, value]): [object[], RegExp] => [[{ ...caller, [field]: value }], malformed(field)]
    ),
    [[{ ...caller, scopes: [] }], malformed('scopes')],
    [[{ ...caller, keys: [{ ...key, expires: '2026-01-01' }] }], malformed('keys.0.expires')],
    [[{ ...caller, origins: ['shop/path'] }], /^has an invalid origin for shop/],
    [[{ ...caller, keys: [key, never] }], /^has a key of shop with an invalid expiry time$/]
  ]
  for (const [callers, message] of wrong) {
    const text = typeof callers === 'string' ? callers : JSON.stringify({ callers })
    t.throws(() => parseKeyFile(text), { name: 'KeyFileError', message }, text)
  }
  writeFileSync(path, '{}')
  const empty = /^SERVICE_API_KEYS_FILE points to a file that is malformed at `callers`; expected/
  t.match(await start().catch(error => error.problems), [empty])
})
