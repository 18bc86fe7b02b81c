import { randomBytes, randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { DEVELOPMENT_WALLET } from '../../../packages/devnet/wallets.ts'
import { startNetwork, temporaryFolder, testEnv, type Variables } from '../../helpers/app.ts'
import { json, type SeenRequest } from '../../helpers/local-server.ts'
import { patientFetch } from '../../helpers/patient-fetch.ts'
import { runSql, startPostgres } from '../../helpers/postgres/index.ts'
import { root } from '../../helpers/repository.ts'
import { type ServerProcess, spawnServer, startServer } from '../../helpers/server-process.ts'
import { type Test, test } from '../../helpers/tap.ts'
import { TRANSFER } from '../../helpers/transfer-flow.ts'
import { until } from '../../helpers/until.ts'
import { evmUser } from '../../helpers/users.ts'
import { operationsOf } from '../../openapi/document.ts'
import { exampleRequest } from '../../openapi/example.ts'
import { forwardingTo } from './forwarding.ts'
import { encodings, findLeaks, type Secret, textSecret, walletSecrets } from './leaks.ts'

/** Secrets with characters that URLs, JSON and base64 encode differently. */
const KYC_KEY = 'kyc+sealed/key="1%'
const DATABASE_PASSWORD = 'db+sealed/pass "1%'
const URL_USER = 'url+sealed@user'
const URL_PASSWORD = 'url/sealed"password%'
const URL_PATH = 'path-sealed-key'
const URL_QUERY = 'query sealed/key'

const webhookKey = randomBytes(32)

const secrets: Secret[] = [
  ...(await walletSecrets(DEVELOPMENT_WALLET)),
  textSecret('KYC key', KYC_KEY),
  { name: 'key of webhooks', needle: webhookKey.toString('latin1') },
  textSecret('database password', DATABASE_PASSWORD),
  textSecret('user of a URL', URL_USER),
  textSecret('password of a URL', URL_PASSWORD),
  textSecret('key in the path of a URL', URL_PATH),
  textSecret('key in the query of a URL', URL_QUERY)
]

test('findLeaks detects each secret in each encoding and each nested pair of them', async t => {
  for (const { name, needle } of secrets) {
    for (const [encoding, encode] of Object.entries(encodings)) {
      for (const [outer, wrap] of Object.entries(encodings)) {
        const written = wrap(Buffer.from(encode(Buffer.from(needle, 'latin1')), 'latin1'))
        const line = JSON.stringify({ level: 30, msg: `asked https://a.example/?x=${written}&y=1` })
        if (!findLeaks(line, secrets).includes(name)) t.fail(`${name} in ${encoding} in ${outer}`)
      }
    }
  }
  t.strictSame(findLeaks(`a line of words, ${randomBytes(400).toString('hex')}`, secrets), [])
})

/** Formats everything in a request that could contain a secret, so that a faulty response can repeat it. */
const echo = ({ method, url, body, headers: { authorization = '' } }: SeenRequest) =>
  `${method} ${url} as ${authorization}, ${Buffer.from(authorization.slice('Basic '.length), 'base64')}, ${body}`

const idOf = ({ body }: SeenRequest) => (body.startsWith('{"jsonrpc"') ? JSON.parse(body).id : 1)

/** Names of faults, with the response that every upstream sends during the fault; `undefined` for normal responses. */
const FAULTS: [string, ((request: SeenRequest, response: ServerResponse) => void) | undefined][] = [
  ['no fault', undefined],
  ['a client error', (q, r) => json(r, { code: 12, message: echo(q), error: echo(q) }, 400)],
  ['a server error', (q, r) => json(r, { error: echo(q) }, 500)],
  ['text', (q, r) => r.end(`<html>${echo(q)}</html>`)],
  ['another shape', (q, r) => json(r, { [echo(q)]: echo(q), data: { [echo(q)]: 5 } })],
  [
    'a JSON-RPC error',
    (q, r) =>
      json(r, {
        jsonrpc: '2.0',
        id: idOf(q),
        error: { code: -32603, message: echo(q), data: { asked: echo(q) } }
      })
  ],
  ['a redirect', (q, r) => r.writeHead(302, { location: `https://elsewhere.example${q.url}` }).end()],
  ['a closed connection', (_q, r) => r.destroy()]
]

/** Number of node calls to wait for during each fault: enough for status, blocks, simulations and broadcasts. */
const NODE_CALLS = 5

/** Starts the upstreams. @returns an environment that contains every secret, and functions to control the upstreams */
async function site(t: Test) {
  const devnet = await startNetwork(t)
  const postgres = await startPostgres(t)
  const databaseUrl = new URL(await postgres.createDatabase())
  const quoted = DATABASE_PASSWORD.replaceAll("'", "''")
  await runSql(databaseUrl.href, `CREATE ROLE sealed SUPERUSER LOGIN PASSWORD '${quoted}'`)
  databaseUrl.username = 'sealed'
  databaseUrl.password = encodeURIComponent(DATABASE_PASSWORD)

  let fault: (typeof FAULTS)[number][1]
  const credentials = `${encodeURIComponent(URL_USER)}:${encodeURIComponent(URL_PASSWORD)}@`
  const upstreams = await forwardingTo(t, devnet, {
    decorate(url, variable) {
      const owned = variable === 'KYC_URL' ? url : url.replace('://', `://${credentials}`)
      return `${owned}/${URL_PATH}?key=${encodeURIComponent(URL_QUERY)}`
    },
    plain: url => url.replace(`/${URL_PATH}`, '').replace(/[?&]key=[^&]*$/, ''),
    fault(request, response) {
      // The development network cannot answer these calls: it has no contract wallet and no webhook receiver.
      const isOwn = /^\/SERVICE_(EVM_RPC|WEBHOOK_URL)/.test(request.url)
      const answer = isOwn ? (fault ?? FAULTS[5]?.[1]) : fault
      answer?.(request, response)
      return answer !== undefined
    }
  })
  const { SERVICE_BACKEND_FEE_URL: feeUrl = '' } = upstreams.env
  const env = testEnv(t, devnet, {
    ...upstreams.env,
    SERVICE_EVM_RPC: JSON.stringify({
      ETH: feeUrl.replace('/SERVICE_BACKEND_FEE_URL', '/SERVICE_EVM_RPC')
    }),
    DATABASE_URL: databaseUrl.href,
    KYC_API_KEY: KYC_KEY,
    SERVICE_WEBHOOK_URL: `${feeUrl.replace('/SERVICE_BACKEND_FEE_URL', '/SERVICE_WEBHOOK_URL')}`,
    SERVICE_WEBHOOK_SECRET: `whsec_${webhookKey.toString('base64')}`,
    NODE_ENV: 'development',
    LOG_LEVEL: 'trace',
    // Do not wait for results, which some faults prevent.
    SERVICE_SUBMIT_TIMEOUT: '0'
  })
  return {
    env,
    postgres,
    async asked(count: number) {
      const calls = () =>
        upstreams.seen.filter(({ url }) => url.startsWith('/SERVICE_BACKEND_NODE_PROVIDER/'))
      const due = calls().length + count
      await until(() => calls().length >= due, `the node is called ${count} times`)
    },
    fail(answer: (typeof FAULTS)[number][1]) {
      fault = answer
    }
  }
}

const JSON_BODY = { 'content-type': 'application/json' }

function client(url: string) {
  const answers: string[] = []
  async function ask(path: string, options: RequestInit = {}) {
    const answer = await patientFetch(url + path, { ...options, redirect: 'manual' })
    const body = await answer.text()
    answers.push(`${path} ${answer.status} ${JSON.stringify([...answer.headers])} ${body}`)
    return { status: answer.status, body }
  }
  const operations = ask('/docs/json').then(({ body }) => operationsOf(JSON.parse(body)))
  return { answers, ask, operations }
}

/** Requests that no operation expects. */
const MALFORMED: [path: string, options?: RequestInit][] = [
  ['/nowhere'],
  ['/%zz'],
  ['/submit/fees?amount=nonsense'],
  ['/submit', { method: 'POST', headers: JSON_BODY, body: '{"signature":' }],
  ['/submit', { method: 'POST', headers: { 'content-type': 'text/plain' }, body: '[]' }],
  ['/submit', { method: 'POST', headers: JSON_BODY, body: 'x'.repeat(70_000) }]
]

/** Sends every kind of request, valid and invalid. @returns the responses to a transfer and to a changed one */
async function everything({ ask, operations }: ReturnType<typeof client>, signatures: string[]) {
  for (const operation of await operations) {
    const { url, payload, ...options } = exampleRequest(operation)
    if (!url.includes('/events')) await ask(url, { ...options, ...(payload && { body: payload }) })
  }
  for (const request of MALFORMED) await ask(...request)
  const user = evmUser()
  const transfer = { ...TRANSFER, originAddress: user.address }
  const quote = await ask(`/submit/fees?${new URLSearchParams(transfer)}`)
  const { feeId = randomUUID(), transactionValues, feeTotalBigInt, decimals } = JSON.parse(quote.body)
  const { submitAmount = '1', message = 'no quote' } = transactionValues?.feeFromOrigin ?? {}
  async function signed(text: string, change = {}) {
    const signature = await user.sign(text)
    signatures.push(signature)
    const options = JSON.stringify({ feeId, signature, message })
    const quoted = { fee: feeTotalBigInt ?? '1', decimals: decimals ?? 6, options }
    const body = JSON.stringify({ ...transfer, amount: submitAmount, ...quoted, ...change })
    return ask('/submit', { method: 'POST', headers: JSON_BODY, body })
  }
  const sent = [await signed(message), await signed(message, { amount: '1' })]
  // A signature for another message causes an RPC query to the origin chain and a logged rejection.
  await signed('something else')
  return sent
}

const operator = ['--import', import.meta.resolve('tsx/esm'), join(root, 'packages/operator/cli.ts')]

test('no secret appears in output or responses of the service or operator tool', async t => {
  const { env, fail, asked, postgres } = await site(t)
  const server = await startServer(t, env)
  await server.saw(/"msg":"engine ready"/)
  const { answers, ...requests } = client(server.url)
  const signatures: string[] = []
  for (const [name, answer] of FAULTS) {
    fail(answer)
    const [transfer, changed] = await everything({ answers, ...requests }, signatures)
    // Also wait until the engine has called the faulty node.
    if (answer !== undefined) await asked(NODE_CALLS)
    if (answer !== undefined || transfer === undefined) continue
    t.strictSame([transfer.status, changed?.status], [202, 409], name)
    const { submissionId } = JSON.parse(transfer.body)
    const state = async () => (await requests.ask(`/submissions/${submissionId}`)).body
    await until(async () => (await state()).includes('"committed"'), 'the transfer is on the chain')
  }
  fail(undefined)

  const tool = async (...command: string[]) => {
    const run = await spawnServer(t, env, [...operator, ...command])
    return { code: await run.exited, output: run.output }
  }
  const looked = [await tool('list'), await tool('export'), await tool('verify', '--from', '1')]
  t.strictSame(
    looked.map(({ code }) => code),
    [0, 0, 0]
  )
  looked.push(
    await tool('bump-fee', '0', '--gas-price', '1', '--max-fee', '1'),
    await tool('redeliver', '--abandoned'),
    await tool('verify', '--from', '1', '--node', `${env['KYC_URL']}`)
  )

  await postgres.stop()
  const [refused] = await everything({ answers, ...requests }, signatures)
  t.equal(refused?.status, 503)
  looked.push(await tool('list'))
  await server.stop()

  const approvals = signatures.map((signature, at) => ({
    name: `approval ${at}`,
    needle: Buffer.from(signature.slice(2), 'hex').toString('latin1')
  }))
  t.ok(
    server.output.includes('"level":10') || server.output.includes('"level":20'),
    'the log includes trace or debug lines'
  )
  for (const line of server.output.split('\n')) {
    const leaks = findLeaks(line, [...secrets, ...approvals])
    if (leaks.length > 0) t.fail(`the log contains ${leaks}`, { line })
  }
  for (const answer of answers) {
    const leaks = findLeaks(answer, [...secrets, ...approvals])
    if (leaks.length > 0) t.fail(`a response contains ${leaks}`, { answer: answer.slice(0, 1000) })
  }
  for (const { output } of looked) t.strictSame(findLeaks(output, secrets), [], 'output of the operator tool')
  t.pass(`checked ${answers.length} responses and ${server.output.length} characters of log`)
})

test('a failed startup writes no secret to its output', async t => {
  const { env, postgres } = await site(t)
  const folder = temporaryFolder(t)
  const file = (text: string) => {
    const path = join(folder, randomUUID())
    writeFileSync(path, text)
    return path
  }
  const { DATABASE_URL = '', SERVICE_BACKEND_MNEMONIC = '' } = env
  const everywhere = Object.fromEntries(
    Object.keys(env)
      .filter(name => !['NODE_ENV', 'HOST', 'SERVICE_DATA_DIR', 'LOG_LEVEL'].includes(name))
      .map(name => [name, `${SERVICE_BACKEND_MNEMONIC} ${KYC_KEY}`])
  )
  const withFile = (name: string, path: string): Variables => {
    const { [name]: _given, ...others } = env
    return { ...others, [`${name}_FILE`]: path }
  }
  const changes: Variables[] = [
    { ...env, ...everywhere },
    { ...env, ...everywhere, DOMAIN: 'http://localhost', SERVICE_CUSTOM_PLUGIN: `./${KYC_KEY}` },
    { ...env, SERVICE_BACKEND_MNEMONIC: SERVICE_BACKEND_MNEMONIC.replace('junk', 'junc') },
    { ...env, SERVICE_BACKEND_MNEMONIC_FILE: file(SERVICE_BACKEND_MNEMONIC) },
    withFile('SERVICE_BACKEND_MNEMONIC', file(`${SERVICE_BACKEND_MNEMONIC} ${KYC_KEY}`)),
    withFile('SERVICE_BACKEND_NODE_PROVIDER', file(KYC_KEY)),
    { ...env, DATABASE_URL: DATABASE_URL.replace('sealed:', 'other:') },
    { ...env, DATABASE_URL: DATABASE_URL.replace(/\/test_\d+$/, '/nowhere') },
    { ...env, DATABASE_URL: '', SERVICE_DATA_DIR: file('') },
    { ...env, SERVICE_CUSTOM_PLUGIN: file(`throw new Error('no plugin')`) },
    { ...env, HOST: '192.0.2.1' }
  ]
  for (const change of changes) {
    const server: ServerProcess = await spawnServer(t, change)
    t.equal(await server.exited, 1)
    t.not(server.output, '')
    t.strictSame(findLeaks(server.output, secrets), [], { output: server.output.slice(0, 2000) })
  }
  await postgres.stop()
  const waiting = await spawnServer(t, env)
  await waiting.saw(/waiting for the database/)
  waiting.kill('SIGKILL')
  await waiting.exited
  t.strictSame(findLeaks(waiting.output, secrets), [])
})
