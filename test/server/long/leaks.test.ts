import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { Bip39, EnglishMnemonic, Slip10, Slip10Curve } from '@cosmjs/crypto'
import { makeCosmoshubPath } from '@cosmjs/proto-signing'
import { DEVELOPMENT_WALLET } from '../../../packages/devnet/wallets.ts'
import { startNetwork, testEnv, type Variables } from '../../helpers/app.ts'
import { json, serve } from '../../helpers/local-server.ts'
import { patientFetch } from '../../helpers/patient-fetch.ts'
import { runSql, startPostgres } from '../../helpers/postgres.ts'
import { root } from '../../helpers/repository.ts'
import { spawnServer, startServer } from '../../helpers/server-process.ts'
import { type Test, test } from '../../helpers/tap.ts'
import { cardBody } from '../../helpers/transfer.ts'
import { until } from '../../helpers/until.ts'
import { operationsOf } from '../../openapi/document.ts'
import { exampleRequest } from '../../openapi/example.ts'

/** Secrets with characters that URLs, JSON and base64 encode differently. */
const KYC_KEY = 'kyc+sealed/key="1%'
const DATABASE_PASSWORD = 'db+sealed/pass "1%'
const URL_PASSWORD = 'url/sealed"password%'
const URL_PATH = 'path-sealed-key'
const webhookKey = randomBytes(32)
const seed = await Bip39.mnemonicToSeed(new EnglishMnemonic(DEVELOPMENT_WALLET))
const { privkey } = Slip10.derivePath(Slip10Curve.Secp256k1, seed, makeCosmoshubPath(0))

const SECRETS: Record<string, string | Uint8Array> = {
  'the end of the phrase': DEVELOPMENT_WALLET.slice(-20),
  'the seed': seed,
  'the private key': privkey,
  'the key of webhooks': webhookKey,
  KYC_KEY,
  DATABASE_PASSWORD,
  URL_PASSWORD,
  URL_PATH
}

/** How a log might show a secret: as text, escaped, or as bytes, also within longer ones. */
function formsOf(secret: string | Uint8Array): string[] {
  const bytes = Buffer.from(secret)
  const text = bytes.toString('latin1')
  const within = [1, 2, 3].map(before => Buffer.concat([Buffer.alloc(before), bytes]).toString('base64'))
  const forms = [text, JSON.stringify(text).slice(1, -1), encodeURIComponent(text), bytes.toString('hex')]
  return [...forms, ...within.map(text => text.slice(4, -4)), bytes.join(',')].map(form => form.toLowerCase())
}

const FORMS = Object.entries(SECRETS).map(([name, secret]) => ({ name, forms: formsOf(secret) }))

function assertNone(t: Test, text: string, where: string): void {
  const shown = text.toLowerCase().replaceAll('-', '+').replaceAll('_', '/')
  const both = `${text.toLowerCase()}\n${shown}`
  const found = FORMS.filter(({ forms }) => forms.some(form => both.includes(form)))
  t.equal(found.map(({ name }) => name).join(), '', where)
}

/** Starts the network, a database, and an upstream that fails. @returns an environment that contains every secret */
async function site(t: Test) {
  const devnet = await startNetwork(t)
  const postgres = await startPostgres(t)
  const databaseUrl = new URL(await postgres.createDatabase())
  await runSql(databaseUrl.href, `CREATE ROLE sealed SUPERUSER LOGIN PASSWORD '${DATABASE_PASSWORD}'`)
  databaseUrl.username = 'sealed'
  databaseUrl.password = encodeURIComponent(DATABASE_PASSWORD)
  // Its errors repeat everything in a request that could contain a secret.
  const failing = await serve(t, ({ url, body, headers: { authorization = '' } }, response) => {
    const credentials = Buffer.from(authorization.slice('Basic '.length), 'base64')
    const message = `${url} as ${authorization}, ${credentials}, ${body}`
    json(response, { code: 12, message, error: message }, 400)
  })
  const keyed = `${failing.url.replace('://', `://user:${encodeURIComponent(URL_PASSWORD)}@`)}/${URL_PATH}`
  const env = testEnv(t, devnet, {
    DATABASE_URL: databaseUrl.href,
    SERVICE_BACKEND_FEE_URL: keyed,
    SERVICE_BACKEND_NODE_PROVIDER_GRAPHQL: keyed,
    KYC_URL: `${failing.url}/${URL_PATH}`,
    KYC_API_KEY: KYC_KEY,
    SERVICE_WEBHOOK_URL: keyed,
    SERVICE_WEBHOOK_SECRET: `whsec_${webhookKey.toString('base64')}`,
    NODE_ENV: 'development',
    LOG_LEVEL: 'trace',
    SERVICE_SUBMIT_TIMEOUT: '0'
  })
  return { env, postgres }
}

const operator = ['--import', import.meta.resolve('tsx/esm'), join(root, 'packages/operator/cli.ts')]

test('no secret appears in output or responses of the service or operator tool', async t => {
  const { env, postgres } = await site(t)
  const server = await startServer(t, env)
  await server.saw(/"msg":"engine ready"/)
  async function ask(path: string, options: RequestInit = {}) {
    const answer = await patientFetch(server.url + path, { ...options, redirect: 'manual' })
    const body = await answer.text()
    assertNone(t, `${JSON.stringify([...answer.headers])} ${body}`, path)
    return body
  }
  const operations = operationsOf(JSON.parse(await ask('/docs/json')))
  async function everything() {
    for (const operation of operations) {
      const { url, payload, ...options } = exampleRequest(operation)
      if (!url.includes('/events')) await ask(url, { ...options, ...(payload && { body: payload }) })
    }
    const headers = { 'content-type': 'application/json' }
    return ask('/submit', { method: 'POST', headers, body: JSON.stringify(cardBody()) })
  }
  const { submissionId } = JSON.parse(await everything())
  const state = () => ask(`/submissions/${submissionId}`)
  await until(async () => (await state()).includes('"committed"'), 'the transfer is on the chain')
  const tool = async (...command: string[]) => {
    const run = await spawnServer(t, env, [...operator, ...command])
    const code = await run.exited
    assertNone(t, run.output, command.join(' '))
    return code
  }
  t.equal(await tool('list'), 0)
  t.equal(await tool('export'), 0)
  await tool('verify', '--from', '1', '--node', `${env['KYC_URL']}`)
  await postgres.stop()
  t.match(await everything(), /"statusCode":503/)
  await tool('list')
  await server.stop()
  t.match(server.output, '"level":20', 'the log includes debug lines')
  for (const line of server.output.split('\n')) assertNone(t, line, 'the log')
})

test('a failed startup writes no secret to its output', async t => {
  const { env, postgres } = await site(t)
  const { DATABASE_URL = '', SERVICE_BACKEND_MNEMONIC = '' } = env
  const everywhere = Object.fromEntries(
    Object.keys(env)
      .filter(name => !['NODE_ENV', 'HOST', 'SERVICE_DATA_DIR', 'LOG_LEVEL'].includes(name))
      .map(name => [name, `${SERVICE_BACKEND_MNEMONIC} ${KYC_KEY}`])
  )
  // test/config/load-config.test.ts shows the problems of each setting.
  const changes: Variables[] = [
    everywhere,
    { SERVICE_CUSTOM_PLUGIN: `./${KYC_KEY}` },
    { DATABASE_URL: DATABASE_URL.replace('sealed:', 'other:') },
    { DATABASE_URL: DATABASE_URL.replace(/\/test_\d+$/, '/nowhere') },
    { DATABASE_URL: '', SERVICE_DATA_DIR: '/dev/null/data' },
    { HOST: '192.0.2.1' }
  ]
  for (const change of changes) {
    const server = await spawnServer(t, { ...env, ...change })
    t.equal(await server.exited, 1)
    t.not(server.output, '')
    assertNone(t, server.output, server.output.slice(0, 500))
  }
  await postgres.stop()
  const waiting = await spawnServer(t, env)
  await waiting.saw(/waiting for the database/)
  waiting.kill('SIGKILL')
  await waiting.exited
  assertNone(t, waiting.output, 'while it waits for the database')
})
