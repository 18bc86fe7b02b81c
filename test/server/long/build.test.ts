import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import openapi from '../../../openapi.json' with { type: 'json' }
import { startNetwork, testEnv } from '../../helpers/app.ts'
import { patientFetch } from '../../helpers/patient-fetch.ts'
import { startPostgres } from '../../helpers/postgres/index.ts'
import { buildForProduction } from '../../helpers/production.ts'
import { startServer } from '../../helpers/server-process.ts'
import { startArguments } from '../../helpers/start-arguments.ts'
import { test } from '../../helpers/tap.ts'

test('the built server with only production packages', async t => {
  const dist = await buildForProduction(t)
  const devnet = await startNetwork(t)
  const env = testEnv(t, devnet, { NODE_ENV: 'production' })
  const nodeArguments = [...startArguments, join(dist, 'server.js')]

  t.test('serves the documentation in development, with PostgreSQL as its store', async t => {
    const DATABASE_URL = await (await startPostgres(t)).createDatabase()
    const development = testEnv(t, devnet, { NODE_ENV: 'development', DATABASE_URL })
    const server = await startServer(t, development, nodeArguments)
    const { paths } = Object(await (await patientFetch(`${server.url}/docs/json`)).json())
    t.strictSame(Object.keys(paths).sort(), Object.keys(openapi.paths).sort())
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

  t.test('shows an embedding program a short startup error, without bundled code', async t => {
    const embedding = `import { loadConfig } from '${join(dist, 'index.js')}'; loadConfig({})`
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
})
