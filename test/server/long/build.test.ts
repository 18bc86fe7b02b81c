import { execFile, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startNetwork, temporaryFolder, testEnv } from '../../helpers/app.ts'
import { patientFetch } from '../../helpers/patient-fetch.ts'
import { startPostgres } from '../../helpers/postgres/index.ts'
import { buildForProduction, sizeOfProduction } from '../../helpers/production.ts'
import { spawnServer, startServer } from '../../helpers/server-process.ts'
import { startArguments } from '../../helpers/start-arguments.ts'
import { submitApproved } from '../../helpers/submit-approved.ts'
import { test } from '../../helpers/tap.ts'
import { until } from '../../helpers/until.ts'

test('the built server, with nothing else than the production packages', async t => {
  const dist = await buildForProduction(t)
  const devnet = await startNetwork(t)
  const strict = { SERVICE_QUOTE_CHECK: 'required', SERVICE_APPROVAL_CHECK: 'enforce' }
  const env = testEnv(t, devnet, { NODE_ENV: 'production', ...strict })
  const nodeArguments = [...startArguments, join(dist, 'server.js')]

  t.test('answers like its sources', async t => {
    const server = await startServer(t, env, nodeArguments)
    t.equal(await (await fetch(`${server.url}/health`)).text(), 'ok')
    t.match(await (await patientFetch(`${server.url}/chains/names`)).json(), { Chains: ['ARB'] })
    const fees = await patientFetch(`${server.url}/submit/fees`)
    t.match(await fees.json(), { code: 'VALIDATION' })
    t.equal(await server.stop(), 0)
  })

  t.test('submits an approved transfer', async t => {
    const server = await startServer(t, env, nodeArguments)
    await server.saw(/"msg":"engine ready"/)
    t.match(await submitApproved(server.url), { txId: Number })
    t.equal(await server.stop(), 0)
  })

  t.test('submits it with a database too', async t => {
    const DATABASE_URL = await (await startPostgres(t)).createDatabase()
    const server = await startServer(t, { ...env, DATABASE_URL }, nodeArguments)
    await until(async () => (await fetch(`${server.url}/ready`)).ok, '/ready answers 200')
    t.match(await submitApproved(server.url), { txId: Number })
    t.equal(await server.stop(), 0)
  })

  t.test('serves the documentation in development', async t => {
    const development = testEnv(t, devnet, { NODE_ENV: 'development' })
    const server = await startServer(t, development, nodeArguments)
    t.match(await (await patientFetch(`${server.url}/docs/json`)).json(), { openapi: '3.1.0' })
    t.match(await (await patientFetch(`${server.url}/docs/`)).text(), 'swagger-ui')
    t.equal(await server.stop(), 0)
  })

  t.test('loads a validation that imports fastify-plugin', async t => {
    const plugin = join(dist, '..', 'plugin.mjs')
    const lines = [
      `import fp from 'fastify-plugin'`,
      `export default fp(async app => { app.decorate('customTransValidation', () => '') })`
    ]
    writeFileSync(plugin, lines.join('\n'))
    const server = await startServer(t, { ...env, SERVICE_CUSTOM_PLUGIN: plugin }, nodeArguments)
    t.equal(await server.stop(), 0)
  })

  t.test('names source files and their lines in the stacks of its log', async t => {
    const file = join(temporaryFolder(t), 'file')
    writeFileSync(file, '')
    const server = await spawnServer(t, testEnv(t, devnet, { SERVICE_DATA_DIR: file }), nodeArguments)
    t.equal(await server.exited, 1)
    t.match(server.output, /"stack":"[^"]*\/services\/submission\/store\/sqlite\/[a-z-]+\.ts:\d+:\d+/)
  })

  t.test('shows a program that embeds it why it does not start, and no long line of its code', async t => {
    const embedding = `import { Configuration } from '${join(dist, 'index.js')}'; new Configuration({})`
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', embedding], {
      encoding: 'utf8'
    })
    t.equal(status, 1)
    t.match(stderr, /ConfigError.*DOMAIN is missing/s)
    t.strictSame(
      stderr.split('\n').filter(line => line.length > 500),
      []
    )
  })

  t.test('takes less than 60 MB with its packages', async t => {
    const size = sizeOfProduction(dist)
    t.ok(size < 60_000_000, `${size} bytes`)
  })

  t.test('has the operator’s tool', async t => {
    const tool = join(dist, 'packages/operator/cli.js')
    const { stdout } = await promisify(execFile)(process.execPath, [tool, '--help'])
    t.match(stdout, /^Usage: transaction-back-end-submissions COMMAND/)
  })
})
