import { randomUUID } from 'node:crypto'
import { chmodSync, chownSync, lstatSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import Database from 'libsql'
import {
  type BuildOptions,
  build,
  startNetwork,
  temporaryFolder,
  untilReady,
  type Variables
} from '../helpers/app.ts'
import { operatorTool } from '../helpers/operator.ts'
import { type Test, test } from '../helpers/tap.ts'
import { submitBody } from '../helpers/transfer.ts'
import { transferBody } from '../helpers/transfer-flow.ts'
import { until } from '../helpers/until.ts'

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

/** Starts a server that reads its callers from a key file, and the operator tool that manages the file. */
async function service(t: Test, overrides: Variables = {}) {
  const path = join(temporaryFolder(t), 'keys.json')
  const variables = { SERVICE_API_KEYS_FILE: path, SERVICE_ACCESS: 'keys', ...overrides }
  const devnet = await startNetwork(t)
  const tool = operatorTool(t, devnet, variables)

  async function keys(...argv: string[]): Promise<string> {
    const { code, out, err } = await tool('keys', ...argv)
    t.equal(code, 0, err)
    return out.trim().split('\n').at(-1) ?? ''
  }

  return {
    path,
    tool,
    keys,
    async start(options: BuildOptions = {}) {
      const server = await build(t, variables, { devnet, ...options })
      await untilReady(server)
      return server
    }
  }
}

const submit = (server: FastifyInstance, body: string | object, headers: Record<string, string> = {}) =>
  server.inject({
    method: 'POST',
    url: '/submit',
    headers: { 'content-type': 'application/json', ...headers },
    payload: body
  })

test('SERVICE_ACCESS=keys', async t => {
  const { keys, start } = await service(t)
  const shop = await keys('add', 'shop', '--scopes', 'submit,read')
  const reader = await keys('add', 'reader', '--scopes', 'read')
  const page = await keys('add', 'page', '--scopes', 'submit', '--origins', 'https://shop.example')
  const server = await start()

  t.test('accepts submissions only from callers with the submit scope', async t => {
    const without = await submit(server, submitBody(randomUUID()))
    t.equal(without.statusCode, 401)
    t.match(without.json(), { code: 'KEY_INVALID', details: [{ path: '/authorization' }] })
    t.equal(without.headers['www-authenticate'], 'Bearer')
    for (const wrong of ['Basic YTpi', 'Bearer tbe_unknown', 'Bearer ', `Bearer ${shop} ${shop}`]) {
      const refused = await submit(server, submitBody(randomUUID()), { authorization: wrong })
      t.match(refused.json(), { statusCode: 401, code: 'KEY_INVALID' }, wrong)
      t.equal(refused.headers['www-authenticate'], 'Bearer error="invalid_token"')
    }
    const scopeless = await submit(server, submitBody(randomUUID()), bearer(reader))
    t.match(scopeless.json(), {
      statusCode: 403,
      code: 'SCOPE_MISSING',
      message: /reader lacks the scope submit$/
    })
    const authorization = `bearer  ${shop}`
    t.equal((await submit(server, submitBody(randomUUID()), { authorization })).statusCode, 200)
  })

  t.test('accepts a key from a server, or from a page on one of the key’s origins', async t => {
    const origin = 'https://shop.example'
    const refused = await submit(server, submitBody(randomUUID()), { ...bearer(shop), origin })
    t.match(refused.json(), { statusCode: 403, code: 'ORIGIN_BLOCKED' })
    t.equal((await submit(server, submitBody(randomUUID()), { ...bearer(page), origin })).statusCode, 200)
  })

  t.test('requires a key for compliance checks, but not for other reads', async t => {
    const compliant = '/compliant?address=0x8ba1f109551bD432803012645Ac136ddd64DBA72'
    t.equal((await server.inject(compliant)).statusCode, 401)
    for (const headers of [bearer(reader), { ...bearer(page), origin: 'https://shop.example' }])
      t.equal((await server.inject({ url: compliant, headers })).statusCode, 200)
    t.equal((await server.inject('/chains')).statusCode, 200)
    t.equal((await server.inject({ url: '/chains', headers: bearer('tbe_wrong') })).statusCode, 401)
    t.equal((await server.inject({ url: '/health', headers: bearer('tbe_wrong') })).statusCode, 200)
  })
})

test('callers are isolated from each other', async t => {
  const lines: string[] = []
  const { keys, start } = await service(t, { SERVICE_ACCESS: 'both', LOG_LEVEL: 'info' })
  const [shop, other] = [
    await keys('add', 'shop', '--scopes', 'submit,read'),
    await keys('add', 'other', '--scopes', 'submit,read')
  ]
  const operator = await keys('add', 'operator', '--scopes', 'operate')
  const server = await start({ logTo: line => void lines.push(line) })

  const list = async (key: string, query: Record<string, string> = {}) => {
    const response = await server.inject({ url: '/submissions', query, headers: bearer(key) })
    t.equal(response.statusCode, 200, response.body)
    return response.json()
  }

  t.test('callers may use the same idempotency key', async t => {
    const submitAs = (key: string | undefined, idempotency: string) =>
      submit(server, submitBody(randomUUID()), {
        ...(key && bearer(key)),
        'idempotency-key': idempotency
      })
    t.equal((await submitAs(shop, 'order-1')).statusCode, 200)
    t.equal((await submitAs(other, 'order-1')).statusCode, 200)
    t.equal((await submitAs(undefined, 'order-1')).statusCode, 200)
    t.match((await submitAs(shop, 'order-1')).json(), { code: 'IDEMPOTENCY_KEY_REUSED' })
    const named = () => lines.some(line => /"caller":"shop".*responseTime/.test(line))
    await until(named, 'the line of the request names its caller')
  })

  t.test('a caller cannot read the result of another caller’s submission', async t => {
    const body = submitBody(randomUUID())
    const first = await submit(server, body, bearer(shop))
    t.match((await submit(server, body, bearer(shop))).json(), { submissionId: first.json().submissionId })
    t.match((await submit(server, body, bearer(other))).json(), { code: 'QUOTE_ALREADY_USED' })
    t.match((await submit(server, body)).json(), { code: 'QUOTE_ALREADY_USED' })
  })

  t.test('a caller may not use another caller’s quote', async t => {
    const as = (key: string) =>
      ({
        inject: (url: string) => server.inject({ url, headers: bearer(key) })
      }) as FastifyInstance
    const body = await transferBody(as(shop))
    t.match((await submit(server, body, bearer(other))).json(), { code: 'QUOTE_UNKNOWN' })
    t.match((await submit(server, body)).json(), { code: 'QUOTE_UNKNOWN' })
    t.equal((await submit(server, body, bearer(shop))).statusCode, 200)
    t.equal(
      (await submit(server, await transferBody(server), bearer(other))).statusCode,
      200,
      'any caller may use a quote that was requested without a key'
    )
  })

  t.test('a caller lists only its own submissions, and an operator all, page by page', async t => {
    const all = await list(operator)
    const own = await list(shop)
    t.ok(own.submissions.length > 2)
    t.ok(own.submissions.every(({ caller }: { caller: string }) => caller === 'shop'))
    t.same(await list(operator, { caller: 'shop' }), own)
    t.same(
      new Set(all.submissions.map(({ caller }: { caller?: string }) => caller)),
      new Set(['shop', 'other', undefined])
    )
    const paged = []
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
    const feeId = randomUUID()
    await submit(server, submitBody(feeId), bearer(shop))
    const all = (await list(shop)).submissions
    const database = new Database(join(server.config.SERVICE_DATA_DIR, 'submissions.db'))
    t.teardown(() => database.close())
    database.prepare('UPDATE submission SET gas_used = -1 WHERE submission_id = ?').run([all[0].submissionId])
    const { submissions, next } = await list(shop, { limit: '1' })
    t.strictSame(submissions, [])
    t.strictSame((await list(shop, { limit: '100', cursor: next })).submissions, all.slice(1))
    t.match(
      lines.join(''),
      new RegExp(
        `${all[0].submissionId} is damaged: column gas_used.*skipped a corrupt submission while listing submissions`
      )
    )
  })

  t.test('each filter returns the matching submissions', async t => {
    const feeId = randomUUID()
    const { submissionId, txId } = (await submit(server, submitBody(feeId), bearer(shop))).json()
    const ids = async (query: Record<string, string>) =>
      (await list(shop, query)).submissions.map((found: { submissionId: string }) => found.submissionId)
    t.same(await ids({ feeId }), [submissionId])
    t.same(await ids({ txId: String(txId) }), [submissionId])
    t.same(await ids({ status: 'queued' }), [])
    const either = {
      url: `/submissions?status=queued&status=committed&feeId=${feeId}`,
      headers: bearer(shop)
    }
    t.match((await server.inject(either)).json(), { submissions: [{ submissionId }] })
    t.ok((await ids({ status: 'committed' })).includes(submissionId))
    const [{ createdAt }] = (await list(shop, { feeId })).submissions
    t.same(await ids({ from: createdAt }), [submissionId])
    for (const from of [createdAt.slice(0, 10), createdAt.replace('Z', '+00:00')])
      t.same(await ids({ feeId, from }), [submissionId], from)
    t.notOk((await ids({ to: createdAt })).includes(submissionId))
    t.same((await list(other, { feeId })).submissions, [], 'omits submissions of other callers')
  })

  t.test('invalid list queries are rejected', async t => {
    const refused = async (query: Record<string, string>, headers = bearer(shop)) =>
      (await server.inject({ url: '/submissions', query, headers })).json()
    t.match(await refused({ caller: 'other' }), {
      statusCode: 403,
      code: 'SCOPE_MISSING',
      message: /operate/
    })
    t.match(await refused({}, bearer('tbe_no')), { statusCode: 401 })
    t.match((await server.inject('/submissions')).json(), { statusCode: 401, code: 'KEY_INVALID' })
    const cursor = Buffer.from('12 id').toString('base64url')
    t.strictSame((await list(shop, { cursor })).submissions, [])
    const encoded = ['forged', '012 id', '12 id ', '9007199254740993 id', 'NaN '].map(text =>
      Buffer.from(text).toString('base64url')
    )
    const wrong = {
      cursor: [...encoded, `${cursor}=`, `${cursor}.`, ` ${cursor}`],
      limit: ['101'],
      from: ['2025-02-31T25:00:00Z', '2025-02-30', '2025-04-31T12:00:00Z'],
      to: ['2023-02-29'],
      status: ['lost'],
      txId: ['0', '99999999999999999999', '9007199254740992', '1e300'],
      caller: ['SHOP']
    }
    for (const [field, values] of Object.entries(wrong)) {
      for (const value of values) {
        const answer = await refused({ [field]: value })
        t.match(answer, { statusCode: 400, code: 'VALIDATION' }, `${field}=${value}`)
        t.ok(answer.details[0].path.startsWith(`/${field}`), JSON.stringify(answer.details))
      }
    }
    t.match((await refused({ caller: 'SHOP' })).message, /^query\/caller must be a name/)
  })
})

test('a caller’s quota applies to its key', async t => {
  const { keys, start } = await service(t, { SERVICE_ACCESS: 'both', RATE_LIMIT_MAX: '3' })
  const [small, large] = [
    await keys('add', 'small', '--scopes', 'read', '--quota', '2'),
    await keys('add', 'large', '--scopes', 'read', '--quota', '20')
  ]
  const server = await start()
  const statuses = async (count: number, headers: Record<string, string>) => {
    const found = []
    for (let sent = 0; sent < count; sent += 1)
      found.push(await server.inject({ url: '/chains/names', headers }))
    return found
  }
  const used = (await statuses(3, bearer(small))).at(-1)
  t.match(used?.json(), { statusCode: 429, code: 'QUOTA_EXCEEDED', message: /^small has used its quota/ })
  t.ok(Number(used?.headers['retry-after']) > 0)
  const crossSite = { ...bearer(small), 'sec-fetch-site': 'cross-site' }
  t.match((await statuses(1, crossSite))[0]?.json(), { code: 'QUOTA_EXCEEDED' }, 'ignores cross-site headers')
  t.ok((await statuses(20, bearer(large))).every(({ statusCode }) => statusCode === 200))
  t.equal((await statuses(3, {})).at(-1)?.statusCode, 200, 'client addresses have a separate limit')
})

test('key file changes apply while the server runs', async t => {
  const { path, keys, tool, start } = await service(t)
  const first = await keys('add', 'shop', '--scopes', 'submit,read')
  const brief = await keys('add', 'brief', '--scopes', 'read', '--expires', '1s')
  const server = await start()
  const answer = async (key: string) =>
    (await server.inject({ url: '/submissions', headers: bearer(key) })).json()
  const untilAnswer = (key: string, expected: object, what: string) =>
    until(async () => matches(await answer(key), expected), what)
  const matches = (found: object, expected: object) =>
    Object.entries(expected).every(([name, value]) => Reflect.get(found, name) === value)

  await untilAnswer(
    brief,
    { statusCode: 401, message: 'authorization has an expired key' },
    'the key expires'
  )
  const second = await keys('rotate', 'shop', '--keep', '1d')
  await until(async () => 'submissions' in (await answer(second)), 'the second key is valid')
  t.ok('submissions' in (await answer(first)), 'the first key is still valid')

  const text = readFileSync(path, 'utf8')
  writeFileSync(path, text.replace('"brief"', '"shop"'))
  t.match(await tool('keys', 'list'), { code: 1, err: /has more than one entry named shop/ })
  t.ok('submissions' in (await answer(second)), 'the previous keys stay valid while the file is invalid')
  writeFileSync(path, text)

  await keys('end', 'shop')
  await untilAnswer(
    second,
    { statusCode: 401, message: 'authorization has a revoked key' },
    'the key is revoked'
  )
  t.match(await tool('keys', 'add', 'shop', '--scopes', 'read'), { code: 1, err: /already/ })
  t.notMatch(
    readFileSync(path, 'utf8'),
    new RegExp(`${first}|${second}`),
    'the file contains no key in plain text'
  )
})

test('startup fails with an invalid key file', async t => {
  const { path, start, keys } = await service(t)
  t.match(await start().catch(error => error.problems), [
    /^SERVICE_API_KEYS_FILE points to a file that cannot be read/
  ])
  await keys('add', 'shop', '--scopes', 'read')
  const text = readFileSync(path, 'utf8')
  const caller = JSON.parse(text).callers[0]
  const invalid = { ...caller.keys[0], hash: '0'.repeat(64), expiresAt: '2026-13-01T00:00:00.000Z' }
  const wrong: [object, RegExp][] = [
    [{ callers: [caller, caller] }, /has more than one entry named shop/],
    [{ callers: [caller, { ...caller, name: 'other' }] }, /has the same key twice/],
    ...Object.entries({ scopes: ['all'], quota: 0, origins: [], keys: [], expiresAt: '2026-01-01' }).map(
      ([field, value]): [object, RegExp] => [
        { callers: [{ ...caller, [field]: value }] },
        new RegExp(`is malformed at \`callers.0.${field}`)
      ]
    ),
    [{ callers: [{ ...caller, scopes: [] }] }, /is malformed at `callers.0.scopes/],
    [
      { callers: [{ ...caller, keys: [{ ...caller.keys[0], expires: '2026-01-01' }] }] },
      /is malformed at `callers.0.keys.0.expires/
    ],
    [{ callers: [{ ...caller, origins: ['shop/path'] }] }, /invalid origin for shop/],
    [{ callers: [{ ...caller, keys: [...caller.keys, invalid] }] }, /key of shop with an invalid expiry time/]
  ]
  for (const [content, problem] of wrong) {
    writeFileSync(path, JSON.stringify(content))
    t.match(await start().catch(error => error.problems), [problem])
  }
})

test('a rotated key keeps the expiry of the previous key', async t => {
  const { path, tool, keys } = await service(t)
  const ends = () =>
    JSON.parse(readFileSync(path, 'utf8')).callers[0].keys.map(
      ({ expiresAt }: { expiresAt?: string }) => expiresAt
    )
  await keys('add', 'shop', '--scopes', 'read', '--expires', '30d')
  const [first] = ends()
  t.ok(first)
  await keys('rotate', 'shop', '--keep', '1d')
  t.equal(ends()[1], first)
  const [kept] = ends()
  await keys('rotate', 'shop', '--keep', '60d')
  t.strictSame(ends(), [kept, first, first], 'no key is kept longer than before')
  await keys('rotate', 'shop', '--expires', '1s')
  t.ok(ends().at(-1) < first)
  await until(() => Date.parse(ends()[0]) < Date.now(), 'the key expires')
  t.match(await tool('keys', 'rotate', 'shop'), { code: 1, err: /^the key of shop expired on .*--expires/ })
  await keys('rotate', 'shop', '--expires', '1d')
})

test('the tool follows a symbolic link to the key file', async t => {
  const { path, tool, keys } = await service(t)
  const target = join(temporaryFolder(t), 'target.json')
  symlinkSync(target, path)
  t.match(await tool('keys', 'add', 'shop', '--scopes', 'read'), {
    code: 1,
    err: /link to a file that does not/
  })
  writeFileSync(target, '{"callers":[]}')
  // Only root may give a file to another user.
  if (process.getuid?.() === 0) chownSync(target, 1234, 2345)
  chmodSync(target, 0o640)
  const { uid, gid, mode } = statSync(target)
  await keys('add', 'shop', '--scopes', 'read')
  await keys('rotate', 'shop')
  await keys('end', 'shop')
  t.ok(lstatSync(path).isSymbolicLink())
  t.match(statSync(target), { uid, gid, mode }, 'keeps the owner and the mode')
  t.match(JSON.parse(readFileSync(target, 'utf8')), { callers: [{ name: 'shop', endedAt: String }] })
})

test('the tool lists the callers, and changes nothing if it refuses a change', async t => {
  const { path, tool, keys } = await service(t)
  const [a, b] = ['https://a.example', 'https://b.example']
  await keys('add', 'page', '--scopes', 'submit, read,submit', '--quota', '5', '--origins', `${a},${b}`)
  await keys('add', 'shop', '--scopes', 'operate', '--expires', '1d')
  await keys('rotate', 'shop', '--keep', '1h')
  await keys('add', 'gone', '--scopes', 'read')
  await keys('end', 'gone')
  const { out } = await tool('keys', 'list')
  const time = '[\\d-]{10}T[\\d:.]{12}Z'
  t.match(
    out
      .trim()
      .split('\n')
      .map(line => line.split(/ {2,}/)),
    [
      ['name', 'scopes', 'quota', 'origins', 'keys'],
      ['page', 'submit,read', '5', `${a},${b}`, 'valid'],
      ['shop', 'operate', '-', '-', new RegExp(`^until ${time}, until ${time}$`)],
      ['gone', 'read', '-', '-', new RegExp(`^ended ${time}$`)]
    ]
  )

  const before = readFileSync(path)
  const many = Array.from({ length: 3000 }, (_, number) => `https://shop-${number}.example`)
  const refused: [argv: string[], code: number, err: RegExp][] = [
    [['rotate', 'nobody'], 1, /^there is no caller nobody\n/],
    [['end', 'gone'], 1, /^the keys of gone were revoked on /],
    [['add', 'Shop', '--scopes', 'read'], 2, /^NAME Shop: expected a lower-case letter/],
    [['add', 'x'], 2, /^--scopes is required/],
    [['add', 'x', '--scopes', 'read,all'], 2, /^--scopes all: expected one of submit, read, operate/],
    [['add', 'x', '--scopes', 'read', '--origins', `${a},b/c`], 2, /^--origins b\/c: expected/],
    [['add', 'x', '--scopes', 'read', '--quota', '0'], 2, /^--quota 0: expected/],
    [['add', 'x', '--scopes', 'read', '--quota', '1000001'], 1, /malformed at `callers.3.quota`/],
    [['add', 'x', '--scopes', 'read', '--origins', `${many}`], 1, /would exceed 65536 bytes/]
  ]
  for (const [argv, code, err] of refused) t.match(await tool('keys', ...argv), { code, err, out: '' })
  writeFileSync(`${path}.new`, '')
  for (const _twice of [1, 2])
    t.match(await tool('keys', 'end', 'shop'), { code: 1, err: /\.new exists: another/ })
  t.same(readFileSync(path), before)
})

test('the tool warns about a browser key that can list submissions', async t => {
  const { tool } = await service(t)
  const add = (name: string, scopes: string) =>
    tool('keys', 'add', name, '--scopes', scopes, '--origins', 'https://shop.example')
  t.match(await add('page', 'submit,read'), { code: 0, out: /^Warning: .*\n.*\ntbe_\S+\n$/ })
  t.notMatch((await add('other', 'submit')).out, /Warning/)
})

test('SERVICE_ACCESS=public ignores keys', async t => {
  const server = await build(t)
  await untilReady(server)
  t.equal((await submit(server, submitBody(randomUUID()), bearer('tbe_wrong'))).statusCode, 200)
  t.match((await server.inject({ url: '/submissions', headers: bearer('tbe_wrong') })).json(), {
    statusCode: 401
  })
})
