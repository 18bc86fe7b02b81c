import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startNetwork, testEnv } from '../helpers/app.ts'
import { installPackage } from '../helpers/installed-package.ts'
import { diskUsage } from '../helpers/production-packages.ts'
import { spawnServer, startServer } from '../helpers/server-process.ts'
import { submitApproved } from '../helpers/submit-approved.ts'
import { test } from '../helpers/tap.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** The program in the README. */
const [, program = ''] = /```ts\n(.*?)```/s.exec(read('README.md')) ?? []

/** What a strict project compiles with; the declarations of packages are checked too. */
const strict = {
  target: 'es2023',
  module: 'nodenext',
  strict: true,
  exactOptionalPropertyTypes: true,
  verbatimModuleSyntax: true,
  types: ['node']
}

const COMMITTED = { code: 0, txId: Number }

test('the package, installed without development dependencies', { timeout: 300_000 }, async t => {
  const { folder, path, add, compile } = await installPackage(t)
  const devnet = await startNetwork(t)
  const env = testEnv(t, devnet, { NODE_ENV: 'production', SERVICE_QUOTE_CHECK: 'required' })
  const bin = (name: string) => join(folder, 'node_modules/.bin', name)

  t.test('takes less than 60 MB with its dependencies', async t => {
    t.notOk(existsSync(join(folder, 'node_modules/fastify')), 'the server has its own Fastify')
    const size = diskUsage(folder)
    t.ok(size < 60_000_000, `${size} bytes`)
  })

  t.test('has what integrators need, and no sources and tests', async t => {
    const files = readdirSync(path, { recursive: true, encoding: 'utf8' })
    for (const file of [
      ...[
        'README.md',
        'LICENSE',
        'CHANGELOG.md',
        'SECURITY.md',
        '.env.sample',
        'openapi.json',
        'ops',
        'deploy'
      ],
      ...['docs/interface.md', 'examples/custom-validation/plugin.mjs'],
      ...['dist/index.d.ts', 'dist/THIRD-PARTY-LICENSES.txt', 'dist/sbom.cdx.json']
    ])
      t.ok(files.includes(file), file)
    t.same(
      files.filter(file => /(?<!\.d)\.ts$|^(test|bench|devnet)\b|node_modules|^\.env$|mnemonic$/.test(file)),
      []
    )
  })

  t.test('names no path of the machine that it was built on', async t => {
    const machine = [root, homedir(), tmpdir()].map(each => join(each, '/'))
    const files = readdirSync(join(path, 'dist'), { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => join(entry.parentPath, entry.name))
    const naming = files.filter(file => {
      const text = readFileSync(file, 'utf8')
      return machine.some(each => text.includes(each))
    })
    t.same(naming, [])
  })

  t.test('has a server, which submits a transfer', async t => {
    const server = await startServer(t, env, [bin('transaction-back-end')])
    t.equal(await (await fetch(`${server.url}/health`)).text(), 'ok')
    t.equal((await fetch(`${server.url}/ready`)).status, 200)
    t.match(await submitApproved(server.url), COMMITTED)
    t.equal(await server.stop(), 0)
  })

  t.test('has a server whose log names lines of source files', async t => {
    const file = join(folder, 'file')
    writeFileSync(file, '')
    const server = spawnServer(t, { ...env, SERVICE_DATA_DIR: file }, [bin('transaction-back-end')])
    t.equal(await server.exited, 1)
    t.match(server.output, /"stack":"[^"]*\/services\/submission\/store\/sqlite\/[a-z-]+\.ts:\d+:\d+/)
  })

  t.test('has the operator’s tool', async t => {
    const tool = async (...args: string[]) =>
      (await promisify(execFile)(bin('transaction-back-end-submissions'), args, { cwd: folder, env })).stdout
    t.match(await tool('--help'), /^Usage: transaction-back-end-submissions COMMAND/)
    t.match(await tool('list'), /committed/)
  })

  t.test('has the service as a plugin', async t => {
    await add('fastify@5', '@types/node@20')
    writeFileSync(join(folder, 'program.ts'), program)
    await compile(strict)
    const shop = `${env['SERVICE_DATA_DIR']}-of-shop`
    const server = await startServer(t, { ...env, SERVICE_DATA_DIR: shop, SHOP_PORT: '0' }, [
      join(folder, 'program.js')
    ])
    t.match(await submitApproved(`${server.url}/payments`), COMMITTED)
    t.equal((await fetch(`${server.url}/health`)).status, 404)
    t.equal(await server.stop(), 0)
  })
})
