import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import Database from 'libsql'
import { type BuildOptions, build, startNetwork, untilReady, type Variables } from '../helpers/app.ts'
import { keyFile } from '../helpers/callers.ts'
import { operatorTool } from '../helpers/operator.ts'
import { type Test, test } from '../helpers/tap.ts'
import { submitBody } from '../helpers/transfer.ts'
import { cardBody, transferBody } from '../helpers/transfer-flow.ts'
import { until } from '../helpers/until.ts'

type Headers = Record<string, string>

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
const ORIGIN = { origin: 'https://shop.example' }

/** Creates a key file, and a function that starts a server with its callers. */
async function service(t: Test, overrides: Variables = {}) {
  const { path, variables, add } = keyFile(t)
  const devnet = await startNetwork(t)
  return {
    path,
    add,
    devnet,
    async start(options: BuildOptions = {}) {
      const settings = { ...variables, SERVICE_ACCESS: 'keys', ...overrides }
      const server = await build(t, settings, { devnet, ...options })
      await untilReady(server)
      return server
    }
  }
}

const submit = (server: FastifyInstance, body: string | object, headers: Headers = {}) =>
  server.inject({
    method: 'POST',
    url: '/submit',
    headers: { 'content-type': 'application/json', ...headers },
    payload: body
  })

test('SERVICE_ACCESS=keys needs a valid key and scope; public submissions ignore keys', async t => {
  const { add, start } = await service(t)
  const shop = add('shop', { scopes: ['submit', 'read'] })
  const reader = add('reader', { scopes: ['read'] })
  const page = add('page', { scopes: ['submit'], origins: [ORIGIN.origin] })
  const expired = add('expired', { scopes: ['submit'] }, '2026-01-01T00:00:00.000Z')
  const server = await start()
  const post = (headers: Headers) => submit(server, submitBody(randomUUID()), headers)

  const invalid = { statusCode: 401, code: 'KEY_INVALID' }
  const without = await post({})
  t.match(without.json(), { ...invalid, details: [{ path: '/authorization' }] })
  t.equal(without.headers['www-authenticate'], 'Bearer')
  const wrong = [
    'Basic YTpi',
    'Bearer tbe_unknown',
    'Bearer ',
    `${shop.authorization} x`,
    expired.authorization
  ]
  for (const authorization of wrong) {
    const refused = await post({ authorization })
    t.match(refused.json(), invalid, authorization)
    t.equal(refused.headers['www-authenticate'], 'Bearer error="invalid_token"')
  }
  const message = /reader lacks the scope submit$/
  t.match((await post(reader)).json(), { statusCode: 403, code: 'SCOPE_MISSING', message })
  t.match((await post({ ...shop, ...ORIGIN })).json(), { statusCode: 403, code: 'ORIGIN_BLOCKED' })
  const another = { authorization: shop.authorization.replace('Bearer ', 'bearer  ') }
  for (const headers of [another, { ...page, ...ORIGIN }]) t.equal((await post(headers)).statusCode, 200)

  const compliant = '/compliant?address=0x8ba1f109551bD432803012645Ac136ddd64DBA72'
  for (const [url, headers, status] of [
    [compliant, {}, 401],
    [compliant, reader, 200],
    [compliant, { ...page, ...ORIGIN }, 200],
    ['/chains', {}, 200]
  ] as const)
    t.equal((await server.inject({ url, headers })).statusCode, status, url)

  const open = await build(t)
  await untilReady(open)
  t.equal((await submit(open, submitBody(randomUUID()), bearer('tbe_wrong'))).statusCode, 200)
  t.match((await open.inject({ url: '/submissions', headers: bearer('tbe_wrong') })).json(), {
    statusCode: 401
  })
})

interface Listed {
  submissionId: string
  caller?: string
  createdAt: string
}

test('callers are isolated from each other', async t => {
  const lines: string[] = []
  const { add, start } = await service(t, { SERVICE_ACCESS: 'both', LOG_LEVEL: 'info' })
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

  t.test('a caller lists its own submissions, an operator all of them, in pages', async t => {
    const all = await list(operator)
    const own = await list(shop)
    t.ok(own.submissions.length > 2)
    t.ok(own.submissions.every(({ caller }) => caller === 'shop'))
    t.same(await list(operator, { caller: 'shop' }), own)
    t.same(new Set(all.submissions.map(({ caller }) => caller)), new Set(['shop', 'other', undefined]))
    const paged: Listed[] = []
    let cursor: string | undefined
    do {
      const page = await list(operator, { limit: '2', ...(cursor && { cursor }) })
      paged.push(...page.submissions)
      cursor = page.next
    } while (cursor !== undefined)
    t.same(paged, all.submissions)
    const times = paged.map(({ createdAt }) => createdAt)
    t.same(times, [...times].sort().reverse(), 'lists the newest first')
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
    const { submissionId, txId, transactionHash } = sent.json()
    const request = { originAddress, amount: '100.5' }
    const expected = [{ submissionId, caller: 'shop', kind: 'transfer', request, txstatus: String }]
    const nothing = await list(other, { q: 'unknown' })
    const spellings = [feeId.toUpperCase(), ` ${submissionId.toUpperCase()} `, ` ${txId}\n`]
    const others = [transactionHash.toLowerCase(), originAddress.toLowerCase()]
    for (const q of [...spellings, ...others, `msg_${submissionId}_committed`]) {
      for (const reader of [shop, operator]) t.match((await list(reader, { q })).submissions, expected)
      t.strictSame(await list(other, { q }), nothing, q)
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
      [shop, { feeId, status: 'queued' }, []],
      [shop, { q: feeId, status: 'queued' }, []],
      [shop, { feeId, to: from }, []],
      [other, { feeId }, []]
    ]
    for (const [caller, query, ids] of queries)
      t.same(idsOf(await list(caller, query)), ids, JSON.stringify(query))
    const either = { url: `/submissions?status=queued&status=committed&feeId=${feeId}`, headers: shop }
    t.match((await server.inject(either)).json(), { submissions: [{ submissionId }] })
    const target = { q: '0x8ba1f109551bD432803012645Ac136ddd64DBA72' }
    const page = await list(operator, { ...target, limit: '1' })
    t.same(idsOf(page), [submissionId], 'newest first')
    const rest = idsOf(await list(operator, { ...target, cursor: page.next ?? '' }))
    t.ok(rest.length > 1 && !rest.includes(submissionId))
    const payments = [cardBody({}, { feeId }), cardBody({}, { feeId })]
    const paid = await Promise.all(payments.map(async body => (await submit(server, body, shop)).json()))
    const ofQuote = [submissionId, ...paid.map(one => one.submissionId)]
    t.same(idsOf(await list(shop, { feeId })).sort(), ofQuote.sort(), 'every submission of the quote')
  })

  t.test('invalid list queries are rejected', async t => {
    const refused = async (query: Record<string, string>, headers: Headers = shop) =>
      (await server.inject({ url: '/submissions', query, headers })).json()
    t.match(await refused({ caller: 'other' }), {
      statusCode: 403,
      code: 'SCOPE_MISSING',
      message: /operate/
    })
    for (const headers of [bearer('tbe_no'), {}]) t.match(await refused({}, headers), { code: 'KEY_INVALID' })
    const encoded = (text: string) => Buffer.from(text).toString('base64url')
    const cursor = encoded('12 id')
    t.strictSame((await list(shop, { cursor })).submissions, [])
    const wrong = {
      cursor: [...['forged', '012 id', '12 id ', '9007199254740993 id'].map(encoded), `${cursor}=`],
      limit: ['101', '0'],
      from: ['2025-02-31T25:00:00Z', '2025-02-30', '2025-04-31T12:00:00Z'],
      to: ['2023-02-29'],
      status: ['lost'],
      txId: ['0', '9007199254740992', '1e300'],
      caller: ['SHOP']
    }
    for (const [field, values] of Object.entries(wrong)) {
      for (const value of values) {
        const answer = await refused({ [field]: value })
        t.match(answer, { statusCode: 400, code: 'VALIDATION' }, `${field}=${value}`)
        t.ok(answer.details[0].path.startsWith(`/${field}`), JSON.stringify(answer.details))
      }
    }
  })
})

test('a caller’s quota applies to its key', async t => {
  const { add, start } = await service(t, { SERVICE_ACCESS: 'both', RATE_LIMIT_MAX: '3' })
  const small = add('small', { scopes: ['read'], quota: 2 })
  const large = add('large', { scopes: ['read'], quota: 20 })
  const server = await start()
  async function last(count: number, headers: Headers) {
    const responses = []
    for (let sent = 0; sent < count; sent += 1)
      responses.push(await server.inject({ url: '/chains/names', headers }))
    return responses.at(-1)
  }
  const used = await last(3, small)
  t.match(used?.json(), { statusCode: 429, code: 'QUOTA_EXCEEDED', message: /^small has used its quota/ })
  t.ok(Number(used?.headers['retry-after']) > 0)
  t.match((await last(1, { ...small, 'sec-fetch-site': 'cross-site' }))?.json(), { code: 'QUOTA_EXCEEDED' })
  t.equal((await last(20, large))?.statusCode, 200)
  t.equal((await last(3, {}))?.statusCode, 200, 'client addresses have a separate limit')
})

test('visitors of a page that share its key have separate rate limits', async t => {
  const { add, start } = await service(t, { SERVICE_ACCESS: 'both', TRUST_PROXY: 'loopback' })
  const origin = 'https://shop.example'
  const key = add('page', { scopes: ['submit'], quota: 20, origins: [origin] })
  const server = await start()
  const visitor = (address: string) => ({ ...key, origin, 'x-forwarded-for': address })
  const askFrom = (address: string) => server.inject({ url: '/chains/names', headers: visitor(address) })
  const spend = async (headers: Headers) => {
    for (let sent = 0; sent < 20; sent += 1) await server.inject({ url: '/chains/names', headers })
  }
  await spend({ ...visitor('192.0.2.1'), origin: 'https://evil.example' })
  await spend({ ...visitor('192.0.2.1'), authorization: `${key.authorization}x` })
  t.equal((await askFrom('192.0.2.1')).statusCode, 200, 'rejected keys do not count for the key')
  await spend(visitor('192.0.2.1'))
  t.match((await askFrom('192.0.2.1')).json(), { code: 'QUOTA_EXCEEDED' })
  // A busy server might be overloaded for a while.
  for (const other of ['192.0.2.2', '2001:db8::1'])
    await until(async () => (await askFrom(other)).statusCode === 200, `${other} is served`)
})

test('the operator tool creates a key and its caller’s entry for the key file', async t => {
  const { path, start } = await service(t, { SERVICE_ACCESS: 'keys' })
  const tool = operatorTool(t, await startNetwork(t), {})
  const create = (...argv: string[]) => tool('keys', 'create', ...argv)
  const [a, b] = ['https://a.example', 'https://b.example']
  const page = await create(
    ...['page', '--scopes', 'submit, read,submit', '--quota', '5', '--origins', `${a},${b}`]
  )
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
  const server = await start()
  t.equal((await submit(server, submitBody(randomUUID()), bearer(key))).statusCode, 200)

  for (const [argv, err] of [
    [['x', '--scopes', 'read,all'], /^the entry is malformed at `scopes.1`/],
    [['x', '--scopes', 'read', '--origins', `${a},b/c`], /^the entry has an invalid origin for x: expected/],
    [['x', '--scopes', 'read', '--quota', '0'], /^--quota 0: expected/],
    [['x', '--scopes', 'read', '--expires', 'soon'], /^--expires soon: expected/]
  ] as const) {
    t.match(await create(...argv), { code: 2, err, out: '' })
  }
})

test('startup fails with an invalid key file', async t => {
  const { path, start, add } = await service(t)
  t.match(await start().catch(error => error.problems), [
    /^SERVICE_API_KEYS_FILE points to a file that does not exist/
  ])
  add('shop', { scopes: ['read'] })
  const text = readFileSync(path, 'utf8')
  const caller = JSON.parse(text).callers[0]
  const invalid = { ...caller.keys[0], hash: '0'.repeat(64), expiresAt: '2026-13-01T00:00:00.000Z' }
  const [key] = caller.keys
  const malformed = (field: string) => new RegExp(`is malformed at \`callers.0.${field}`)
  const wrong: [object | string, RegExp][] = [
    [{ callers: [caller, caller] }, /has more than one entry named shop/],
    [{ callers: [caller, { ...caller, name: 'other' }] }, /has the same key twice/],
    [text.replace('{"name"', '{"scopes":["operate"],"name"'), /has a property name twice/],
    ...Object.entries({ scopes: ['all'], quota: 0, origins: [], keys: [], expiresAt: '2026-01-01' }).map(
      ([field, value]): [object, RegExp] => [{ callers: [{ ...caller, [field]: value }] }, malformed(field)]
    ),
    [{ callers: [{ ...caller, scopes: [] }] }, malformed('scopes')],
    [{ callers: [{ ...caller, keys: [{ ...key, expires: '2026-01-01' }] }] }, malformed('keys.0.expires')],
    [{ callers: [{ ...caller, origins: ['shop/path'] }] }, /invalid origin for shop/],
    [{ callers: [{ ...caller, keys: [...caller.keys, invalid] }] }, /key of shop with an invalid expiry time/]
  ]
  for (const [content, problem] of wrong) {
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
    t.match(await start().catch(error => error.problems), [problem])
  }
})
