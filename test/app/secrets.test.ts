import { join } from 'node:path'
import { build, startNetwork, temporaryFolder } from '../helpers/app.ts'
import { operatorTool } from '../helpers/operator.ts'
import { startRewritingNode } from '../helpers/rewriting-node.ts'
import { SPELLINGS } from '../helpers/spellings.ts'
import { test } from '../helpers/tap.ts'
import { submit, transferBody } from '../helpers/transfer.ts'
import { until } from '../helpers/until.ts'
import { receiveWebhooks } from '../helpers/webhook-receiver.ts'

const KEY = 'Q7/x~9"kZ&4@w$J2=vT8:mP'
const PASSWORD = 'pA55/w0rd&"of=H*'

/** A URL with a key in its path and its query, and with credentials. */
const keyed = (url: string) =>
  `${url.replace('://', `://customer:${encodeURIComponent(PASSWORD)}@`)}/${encodeURIComponent(KEY)}?apikey=${encodeURIComponent(KEY)}`

const REASON = 'the target address is refused'

const ECHOES = Object.entries(SPELLINGS).flatMap(([name, spell]) =>
  [KEY, PASSWORD].map(secret => ({ name, spelled: spell(secret) }))
)

function assertNone(t: { ok: (value: boolean, message: string) => void }, text: string, where: string) {
  for (const { name, spelled } of ECHOES) {
    const needle = spelled.replace(/\s/g, '')
    const starts = Array.from({ length: Math.max(0, needle.length - 15) }, (_, at) => at)
    const piece = starts.map(at => needle.slice(at, at + 16)).find(part => text.includes(part))
    t.ok(piece === undefined, `${where}: ${name}: ${piece}`)
  }
}

// services/secrets.test.ts covers where texts are cut, and server/long/leaks.test.ts the other upstreams.
test('no secret that a node echoes reaches a log, response, store, webhook or tool', async t => {
  const devnet = await startNetwork(t)
  let echo = ''
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
  const logTo = (line: string) => lines.push(line)
  const variables = {
    SERVICE_BACKEND_NODE_PROVIDER: keyed(node),
    SERVICE_DATA_DIR: join(temporaryFolder(t), 'data'),
    LOG_LEVEL: 'info',
    ...receiver.env
  }
  const app = await build(t, variables, { devnet, logTo })
  const tool = operatorTool(t, devnet, variables)
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
