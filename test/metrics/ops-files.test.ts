import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from '../helpers/app.ts'
import { test } from '../helpers/tap.ts'
import { submit, swapBody } from '../helpers/transfer-flow.ts'
import { until } from '../helpers/until.ts'
import { receiveWebhooks } from '../helpers/webhook-receiver.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const alerts = read('ops/prometheus/alerts.yml')
const dashboard = read('ops/grafana/dashboard.json')

/** Without these, the metrics of the thresholds have no value. */
const MONEY = { SERVICE_LOW_BALANCE: '1', SERVICE_DAILY_FEE_LIMIT: '1000000000' }

const namesIn = (text: string) => new Set(text.match(/\b(?:service|nodejs|process)_[a-z0-9_]+\b/g))

test('every metric of the alerts and the dashboard is one that a server has', async t => {
  const receiver = await receiveWebhooks(t)
  const server = await build(t, { ...MONEY, ...receiver.env })
  await server.inject('/chains')
  const answer = await submit(server, swapBody(), { path: '/submit/swap' })
  t.equal(answer.statusCode, 200)
  t.equal((await server.inject(`/swap_tx/${answer.json().txId}/events`)).statusCode, 200)
  const series = await until(async () => {
    const { body } = await server.inject('/metrics')
    const names = new Set(body.match(/^[a-z0-9_]+(?=[{ ])/gm))
    const isMeasured = ['slot_duration_seconds_count', 'webhook_delivery_duration_seconds_count'].every(
      name => names.has(`service_${name}`)
    )
    return isMeasured && names
  }, 'the metrics have the submission and its webhook')
  for (const [file, text] of Object.entries({ alerts, dashboard })) {
    const missing = [...namesIn(text)].filter(name => !series.has(name))
    t.strictSame(missing, [], file)
    t.ok(namesIn(text).size > 15, file)
  }
})

test('each alert has an entry in the runbook', async t => {
  const named = [...alerts.matchAll(/- alert: (\w+)[\s\S]*?runbook: (\S+)/g)]
  t.equal(named.length, alerts.match(/- alert:/g)?.length)
  const headings = new Set(
    [...read('docs/operations.md').matchAll(/^### (Service\w+)$/gm)].map(([, heading = '']) => heading)
  )
  for (const [, alert = '', runbook] of named) {
    t.ok(headings.delete(alert), alert)
    t.equal(runbook, `docs/operations.md#${alert.toLowerCase()}`)
  }
  t.strictSame([...headings], [], 'entries without an alert')
})
