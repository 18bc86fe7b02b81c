import { spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { appendFileSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { mock } from 'node:test'
import { pathToFileURL } from 'node:url'
import { appendAudit, verifyAudit } from '../../services/audit/index.ts'
import { build, startNetwork, temporaryFolder } from '../helpers/app.ts'
import { operatorTool } from '../helpers/operator.ts'
import { test } from '../helpers/tap.ts'
import { transferBody } from '../helpers/transfer-flow.ts'

const linesOf = (path: string) =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))

const entry = (action: string) => ({ actor: 'server', action, outcome: 'done' })

test('the audit log has starts, refused approvals and what operators do', async t => {
  const SERVICE_AUDIT_FILE = join(temporaryFolder(t), 'audit.jsonl')
  const variables = {
    SERVICE_AUDIT_FILE,
    SERVICE_API_KEYS_FILE: join(temporaryFolder(t), 'keys.json'),
    SERVICE_APPROVAL_CHECK: 'enforce'
  }
  const devnet = await startNetwork(t)
  const tool = operatorTool(t, devnet, variables)
  t.equal((await tool('keys', 'add', 'shop', '--scopes', 'submit')).code, 0)
  t.equal((await tool('keys', 'add', 'shop', '--scopes', 'submit')).code, 1)
  await tool('keys', 'add', 'page', '--scopes', 'submit', '--origins', 'https://a.example,HTTPS://b.example')
  await tool('verify', '--node=http://user:hunter2@127.0.0.1:1/?key=hunter2', '--from', '1')
  const server = await build(t, variables, { devnet })
  const refused = await server.inject({ method: 'POST', url: '/submit', payload: await transferBody(server) })
  t.match(refused.json(), { code: 'APPROVAL_INVALID' })
  await server.close()

  const lines = linesOf(SERVICE_AUDIT_FILE)
  t.match(lines, [
    { actor: /^operator ./, action: 'keys add shop --scopes submit', outcome: 'done' },
    { action: 'keys add shop --scopes submit', outcome: /there is a caller shop already/ },
    { action: 'keys add page --scopes submit --origins a.example,b.example' },
    { action: 'verify --node=127.0.0.1:1 --from 1' },
    { actor: 'server', action: 'start', details: { settings: { SERVICE_APPROVAL_CHECK: 'enforce' } } },
    { actor: 'public', action: 'approval', outcome: 'refused', details: { requestId: /./ } },
    { actor: 'server', action: 'stop' }
  ])
  const text = readFileSync(SERVICE_AUDIT_FILE, 'utf8')
  t.notMatch(text, /hunter2|tbe_|abandon|NODE_PROVIDER/i, 'no secret')
  t.equal(statSync(SERVICE_AUDIT_FILE).mode & 0o777, 0o600)
  t.match(await tool('audit'), { code: 0, out: `7 lines, the last with the hash ${lines[6].hash}\n` })
})

test('a changed audit log is noticed', async t => {
  const path = join(temporaryFolder(t), 'audit.jsonl')
  for (const action of ['first', 'second', 'third']) appendAudit(path, entry(action))
  const lines = readFileSync(path, 'utf8').split('\n')
  const [first = '', second = '', third = ''] = lines
  t.match(verifyAudit(path), { lines: 3 })
  for (const [wrongLine, changed] of [
    [1, [second, third]],
    [2, [first, third]],
    [2, [first, second.replace('second', 'other'), third]],
    [3, [first, second, second]],
    [2, [first, second.replace('{', '{"actor":"nobody",'), third]],
    [2, [first, '', third]],
    [1, ['{}']]
  ] as const) {
    writeFileSync(path, `${changed.join('\n')}\n`)
    t.same(verifyAudit(path), { wrongLine })
  }
})

test('a line that was cut off is replaced by the next', async t => {
  const path = join(temporaryFolder(t), 'audit.jsonl')
  appendAudit(path, entry('first'))
  appendFileSync(path, '{"time":"2026-01-01T00:00:00.000Z","act')
  appendAudit(path, entry('second'))
  t.match(verifyAudit(path), { lines: 2 })
  appendAudit(path, { ...entry('third'), details: { long: 'x'.repeat(20_000) } })
  t.match(linesOf(path)[2], { details: { cut: true } })
  t.match(verifyAudit(path), { lines: 3 })
  const long = '\u0001'.repeat(20_000)
  appendAudit(path, { actor: 'server', action: `keys add ${long}`, outcome: long })
  t.match(linesOf(path)[3], { action: /^keys add /, details: { cut: true } })
  t.match(verifyAudit(path), { lines: 4 })
})

test('a lock that a killed process has left does not last, whatever the clock was', async t => {
  const path = join(temporaryFolder(t), 'audit.jsonl')
  for (const time of [new Date(0), new Date(Date.now() + 3_600_000)]) {
    writeFileSync(`${path}.lock`, '')
    utimesSync(`${path}.lock`, time, time)
    appendAudit(path, entry('after'))
  }
  t.match(verifyAudit(path), { lines: 2 })
})

test('a lock of a process of this host that no longer runs is taken over at once', async t => {
  const path = join(temporaryFolder(t), 'audit.jsonl')
  const { pid: ended } = spawnSync(process.execPath, ['--version'])
  const waiting = mock.method(Atomics, 'wait', () => {
    throw new Error('it waits')
  })
  t.teardown(() => waiting.mock.restore())
  // Its own id is that of a predecessor, as in a container that was started again.
  for (const pid of [ended, process.pid]) {
    writeFileSync(`${path}.lock`, `${pid}@${hostname()}`)
    appendAudit(path, entry('after'))
  }
  for (const holder of [`${process.ppid}@${hostname()}`, `${ended}@another-host`]) {
    writeFileSync(`${path}.lock`, holder)
    t.throws(() => appendAudit(path, entry('not yet')), /it waits/, holder)
    rmSync(`${path}.lock`)
  }
  t.match(verifyAudit(path), { lines: 2 })
})

test('processes that write at the same time keep the order of lines', async t => {
  const path = join(temporaryFolder(t), 'audit.jsonl')
  const module = pathToFileURL(join(import.meta.dirname, '../../services/audit/index.ts')).href
  const program = `import { appendAudit } from '${module}'
    for (let i = 0; i < 50; i++) appendAudit('${path}', { actor: 'server', action: '${randomUUID()}', outcome: 'done' })`
  const children = [1, 2, 3].map(() =>
    spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], { stdio: 'inherit' })
  )
  for (const child of children) if (child.exitCode === null) await once(child, 'exit')
  t.match(verifyAudit(path), { lines: 150 })
})
