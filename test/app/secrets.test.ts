import { join } from 'node:path'
import { build, startNetwork, temporaryFolder } from '../helpers/app.ts'
import { json, serve } from '../helpers/local-server.ts'
import { operatorTool } from '../helpers/operator.ts'
import { startRewritingNode } from '../helpers/rewriting-node.ts'
import { SPELLINGS } from '../helpers/spellings.ts'
import { test } from '../helpers/tap.ts'
import { submit, transferBody } from '../helpers/transfer-flow.ts'
import { until } from '../helpers/until.ts'
import { receiveWebhooks } from '../helpers/webhook-receiver.ts'
import { documentOf, operationsOf } from '../openapi/document.ts'
import { exampleRequest } from '../openapi/example.ts'

const KEY = 'Q7/x~9"kZ&4@w$J2=vT8:mP'
const PASSWORD = 'pA55/w0rd&"of=H*'

/** Each URL with a key in its path and its query, and with credentials. */
const keyed = (url: string) =>
  `${url.replace('://', `://customer:${encodeURIComponent(PASSWORD)}@`)}/${encodeURIComponent(KEY)}?apikey=${encodeURIComponent(KEY)}`

const REASON = 'the target address is refused'

const SECRETS = [KEY, PASSWORD]

/** What an upstream's error contains: each secret in each spelling, before, at and after where texts are cut. */
const ECHOES = Object.entries(SPELLINGS).flatMap(([name, spell]) =>
  SECRETS.map(secret => ({ name, spelled: spell(secret) }))
)
const OFFSETS = [0, 280]

function assertNone(t: { ok: (value: boolean, message: string) => void }, text: string, where: string) {
  for (const { name, spelled } of ECHOES) {
    const needle = spelled.replace(/\s/g, '')
    for (let at = 0; at + 16 <= needle.length; at++) {
      const piece = needle.slice(at, at + 16)
      if (!text.includes(piece)) continue
      t.ok(false, `${where}: ${name}: ${piece}`)
      break
    }
  }
}

test('no secret that an upstream echoes reaches a log, response, store or tool', async t => {
  const devnet = await startNetwork(t)
  let echo = ''
  let status = 500
  const { url } = await serve(t, (_request, response) =>
    json(response, { message: echo, code: 13, error: echo }, status)
  )
  /** The chain's reason is in the events and, as JSON in a string, in the log. */
  const echoing = (_name: string, value: unknown) =>
    typeof value === 'string'
      ? value.replaceAll(REASON, value.startsWith('[') ? JSON.stringify(echo).slice(1, -1) : echo)
      : value
  const node = await startRewritingNode(t, devnet.urls.rpc, (method, result) =>
    method === 'block_results' ? JSON.parse(JSON.stringify(result, echoing)) : undefined
  )
  const receiver = await receiveWebhooks(t)
  const lines: string[] = []
  const variables = {
    SERVICE_BACKEND_NODE_PROVIDER: keyed(node),
    SERVICE_DATA_DIR: join(temporaryFolder(t), 'data'),
    LOG_LEVEL: 'info',
    ...receiver.env
  }
  const upstreams = {
    ...variables,
    SERVICE_DATA_DIR: join(temporaryFolder(t), 'data'),
    SERVICE_BACKEND_NODE_PROVIDER_QUERY: keyed(url),
    SERVICE_BACKEND_NODE_PROVIDER_GRAPHQL: keyed(url),
    SERVICE_BACKEND_FEE_URL: keyed(url),
    COMPLIANCE_URL: keyed(url),
    KYC_URL: `${url}/kyc`,
    KYC_API_KEY: KEY
  }
  const logTo = (line: string) => lines.push(line)
  const app = await build(t, variables, { devnet, logTo })
  const failing = await build(t, upstreams, { devnet, logTo })
  const tool = operatorTool(t, devnet, variables)
  const operations = operationsOf(documentOf(failing)).filter(({ responses }) => '502' in responses)
  t.ok(operations.length > 5)

  let number = 0
  for (const offset of OFFSETS) {
    for (const { name, spelled } of ECHOES) {
      echo = `${'!'.repeat(offset)}${spelled}!`
      number += 1
      for (status of [500, 400]) {
        const operation = operations[number % operations.length]
        if (operation === undefined) continue
        const { url: path, ...example } = exampleRequest(operation)
        // Lookups by id are cached.
        const response = await failing.inject({
          ...example,
          url: path.replace('/42/', `/${2 * number + status}/`)
        })
        assertNone(t, response.body, `${operation.operationId}, ${name}`)
      }
    }
  }
  assertNone(t, (await failing.inject('/ready')).body, '/ready')
  assertNone(t, (await failing.inject('/metrics')).body, '/metrics')

  for (const offset of [0, 2040]) {
    echo = `${'!'.repeat(offset)}${ECHOES.map(({ spelled }) => spelled).join(' ')}${'!'.repeat(2040)}${KEY}`
    const body = await transferBody(app, { targetAddress: `0x${'f6'.padStart(40, '0')}` })
    const response = await submit(app, body)
    t.match(response.json(), { code: 'CHAIN_REJECTED', message: /\[secret\]/ })
    assertNone(t, response.body, '/submit')
    const accepted = lines.findLast(line => line.includes('submission accepted'))
    const { submissionId } = JSON.parse(accepted ?? '')
    assertNone(t, (await app.inject(`/submissions/${submissionId}`)).body, '/submissions')
    const shown = await tool('show', submissionId, '--json')
    t.match(shown, { code: 0, out: /\[secret\]/ })
    assertNone(t, shown.out, 'show')
  }
  await until(() => receiver.events.length >= 2, 'the events arrived')
  assertNone(t, JSON.stringify(receiver.events), 'webhooks')
  t.ok(lines.some(line => line.includes('[secret]')))
  assertNone(t, lines.join(''), 'log')
})
