import { build, startNetwork } from '../helpers/app.ts'
import { untilSample } from '../helpers/metrics.ts'
import { read } from '../helpers/repository.ts'
import { test } from '../helpers/tap.ts'
import { submit, swapBody } from '../helpers/transfer-flow.ts'
import { until } from '../helpers/until.ts'
import { receiveWebhooks } from '../helpers/webhook-receiver.ts'

const alerts = read('deploy/ops/prometheus/alerts.yml')
const dashboard = read('deploy/ops/grafana/dashboard.json')

/** The threshold metrics have values only if these variables are set. */
const MONEY = { SERVICE_LOW_BALANCE: '1', SERVICE_DAILY_FEE_LIMIT: '1000000000' }

const namesIn = (text: string) => new Set(text.match(/\b(?:service|nodejs|process)_[a-z0-9_]+\b/g))

test('every metric in the alerts and the dashboard exists', async t => {
  const receiver = await receiveWebhooks(t)
  const devnet = await startNetwork(t)
  const env = { ...MONEY, ...receiver.env, SERVICE_SUBMIT_TIMEOUT: '1' }
  const server = await build(t, env, { devnet })
  await server.inject('/chains')
  devnet.chain.pause()
  const { submissionId } = (await submit(server, swapBody(), { path: '/submit/swap' })).json()
  const events = server.inject(`/submissions/${submissionId}/events`)
  await untilSample(server, 'service_event_streams_open', { kind: 'submission' }, value => value === 1)
  devnet.chain.resume()
  t.equal((await events).statusCode, 200)
  const series = await until(async () => {
    const { body } = await server.inject('/metrics')
    const names = new Set(body.match(/^[a-z0-9_]+(?=[{ ])/gm))
    const isMeasured = ['slot_duration_seconds_count', 'webhook_delivery_duration_seconds_count'].every(
      name => names.has(`service_${name}`)
    )
    return isMeasured && names
  }, 'the metrics include the submission and its webhook')
  for (const [file, text] of Object.entries({ alerts, dashboard })) {
    const missing = [...namesIn(text)].filter(name => !series.has(name))
    t.strictSame(missing, [], file)
    t.ok(namesIn(text).size > 15, file)
  }
})

test('each alert has an entry in the runbook', async t => {
  const named = [...alerts.matchAll(/- alert: (\w+)[\s\S]*?runbook_url: '(.+)'/g)]
  t.equal(named.length, alerts.match(/- alert:/g)?.length)
  const headings = new Set(
    [...read('docs/operations.md').matchAll(/^### (Service\w+)$/gm)].map(([, heading = '']) => heading)
  )
  for (const [, alert = '', runbook] of named) {
    t.ok(headings.delete(alert), alert)
    const link = `{{ $externalLabels.runbooks }}/operations.md#${alert.toLowerCase()}`
    t.equal(runbook, link, 'the runbook URL starts with the operator’s base URL, which is defined once')
  }
  t.match(read('deploy/ops/prometheus/prometheus.yml'), /external_labels: \{ runbooks: 'https:/)
  t.strictSame([...headings], [], 'no runbook entry lacks an alert')
})
