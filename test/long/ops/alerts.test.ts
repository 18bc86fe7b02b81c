import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../../helpers/app.ts'
import { test } from '../../helpers/tap.ts'

const rules = join(import.meta.dirname, '../../../deploy/ops/prometheus/alerts.yml')

interface Alert {
  /** The values of each series, every 15 seconds. */
  series: Record<string, string>
  /** A time at which the alert does not fire, and one at which it does. */
  times: [quiet: string, firing: string]
  alerts: [severity: 'critical' | 'warning', summary: string, labels: Record<string, string>][]
}

const OF_STORE = { job: 't', instance: 'a:1', check: 'store' }
const node = 'service_node_usable{job="t",instance="a:1",node="n:1"'
const upstream = 'service_upstream_request_duration_seconds_count{job="t",instance="a:1",upstream'
const route =
  'service_http_request_duration_seconds_count{job="t",instance="a:1",method="POST",route="/submit"'
const settled = 'service_submission_duration_seconds_count{job="t",instance="a:1"'
const WAITING = 'A submission has been unsettled for more than five minutes, or more than 25,000 are waiting'
const LOW =
  "The wallet's balance is below SERVICE_DAILY_FEE_LIMIT, today's fees exceed 70 % of it, or fees have doubled"
const FOREIGN = "Another program has signed a transaction with the wallet's key"
const FAILING = 'Most requests to'
const UNFUNDED = 'Submissions are not executed: insufficient-funds'
const UNDELIVERED = 'A webhook event has been waiting for more than half an hour, or was abandoned'

const ALERTS: Record<string, Alert> = {
  ServiceGone: {
    series: { 'service_build_info{job="t",instance="a:1"}': '1x8 stale' },
    times: ['1m', '4m'],
    alerts: [['critical', 'No server responds to /metrics', {}]]
  },
  ServiceNotReady: {
    series: {
      'service_check_passed{job="t",instance="a:1",check="store"}': '1 0x40',
      'service_check_passed{job="t",instance="a:1",check="rpc"}': '1x40'
    },
    times: ['1m', '3m'],
    alerts: [['critical', 'a:1 is not ready: its check store fails', OF_STORE]]
  },
  ServiceBlocked: {
    series: {
      'service_blocker_present{job="t",instance="a:1",kind="insufficient-funds"}': '0 1x40',
      'service_blocker_present{job="t",instance="b:1",kind="insufficient-funds"}': '0 1x40',
      'service_blocker_present{job="t",instance="b:1",kind="wallet-shared"}': '1x40',
      'service_blocker_present{job="t",instance="b:1",kind="results-differ"}': '1x40',
      'service_blocker_present{job="t",instance="b:1",kind="verification-behind"}': '1x40'
    },
    times: ['30s', '2m'],
    alerts: [['critical', UNFUNDED, { job: 't', kind: 'insufficient-funds' }]]
  },
  ServiceSubmissionsWaiting: {
    series: {
      'service_submissions_oldest_age_seconds{job="t",instance="a:1"}': '0+15x60',
      'service_submissions_unsettled{job="u",instance="a:1"}': '0x24 30000x60',
      'service_submissions_unsettled{job="few",instance="a:1"}': '25000x60'
    },
    times: ['5m', '7m30s'],
    alerts: ['t', 'u'].map(job => ['critical', WAITING, { job }])
  },
  ServiceForeignTransaction: {
    series: {
      'service_foreign_transactions_total{job="t",instance="a:1"}': '0x8 1x300',
      'service_foreign_transactions_total{job="u",instance="a:1"}': '_x9 1x300',
      'service_blocker_present{job="u",instance="a:1",kind="wallet-shared"}': '_x9 1x300'
    },
    times: ['2m', '3m'],
    alerts: ['t', 'u'].map(job => ['critical', FOREIGN, { job }])
  },
  ServiceFundsLow: {
    series: {
      'service_blocker_present{job="t",instance="a:1",kind="low-balance"}': '0x6 1x40',
      'service_blocker_present{job="u",instance="a:1",kind="low-balance"}': '0x40',
      'service_fees_paid_today{job="u",instance="a:1",denom="u"}': '0+100x40',
      'service_daily_fee_limit{job="u",instance="a:1",denom="u"}': '1000x40',
      'service_blocker_present{job="v",instance="a:1",kind="fees-risen"}': '0x6 1x40'
    },
    times: ['2m', '3m15s'],
    alerts: ['t', 'u', 'v'].map(job => ['warning', LOW, { job }])
  },
  ServiceManyRejected: {
    series: {
      [`${settled},status="rejected"}`]: '0x8 0+1x200',
      [`${settled},status="committed"}`]: '0+1x200'
    },
    times: ['2m', '10m'],
    alerts: [['warning', 'The chain refuses more than a fifth of the submissions', { job: 't' }]]
  },
  ServiceResultsInDoubt: {
    series: {
      'service_submissions_without_transaction_id{job="t",instance="a:1"}': '0x4 1x40',
      'service_blocker_present{job="u",instance="a:1",kind="results-differ"}': '0x4 1x40',
      'service_blocker_present{job="v",instance="a:1",kind="verification-behind"}': '0x4 1x40'
    },
    times: ['1m45s', '3m'],
    alerts: [
      ['warning', '1 executed submissions have no transaction id', { job: 't' }],
      ['critical', 'Results are not proven: results-differ', { job: 'u', kind: 'results-differ' }],
      ['warning', 'Results are not proven: verification-behind', { job: 'v', kind: 'verification-behind' }]
    ]
  },
  ServiceUpstreamFailing: {
    series: {
      [`${node},use="reading"}`]: '1x80',
      [`${node},use="sending"}`]: '1 0x80',
      [`${upstream}="fee service",result="timeout"}`]: '0+3x80',
      [`${upstream}="fee service",result="answered"}`]: '0+1x80',
      [`${upstream}="compliance provider",result="failed"}`]: '0+1x80',
      [`${upstream}="KYC provider",result="refused"}`]: '0+3x80',
      [`${upstream}="GraphQL index",result="failed"}`]: '0+1x80',
      [`${upstream}="GraphQL index",result="answered"}`]: '0+3x80'
    },
    times: ['4m', '6m'],
    alerts: [
      ['warning', 'The RPC node n:1 is skipped', { job: 't', node: 'n:1' }],
      ['warning', `${FAILING} the fee service fail`, { job: 't', upstream: 'fee service' }],
      ['critical', `${FAILING} the compliance provider fail`, { job: 't', upstream: 'compliance provider' }]
    ]
  },
  ServiceWebhooksUndelivered: {
    series: {
      'service_webhook_events_oldest_age_seconds{job="t",instance="a:1"}': '0+15x200',
      'service_webhook_events_oldest_age_seconds{job="t",instance="b:1"}': '0+15x200',
      'service_webhook_events_abandoned{job="u",instance="a:1"}': '0x128 2x40'
    },
    times: ['31m', '33m30s'],
    alerts: ['t', 'u'].map(job => ['warning', UNDELIVERED, { job }])
  },
  ServiceInternalErrors: {
    series: { [`${route},status="500"}`]: '_x8 1x40', [`${route},status="503"}`]: '0+1x40' },
    times: ['1m30s', '3m'],
    alerts: [['warning', 'Internal errors at /submit', { job: 't', route: '/submit' }]]
  },
  ServiceOverloaded: {
    series: {
      'nodejs_eventloop_lag_p99_seconds{job="t",instance="a:1"}': '0.01 2x40',
      'nodejs_eventloop_lag_p99_seconds{job="other",instance="x:1"}': '2x40',
      'process_open_fds{job="t",instance="b:1"}': '10 90x40',
      'process_max_fds{job="t",instance="b:1"}': '100x41',
      'service_build_info{job="t",instance="a:1",version="1"}': '1x40',
      'service_build_info{job="t",instance="b:1",version="1"}': '1x40'
    },
    times: ['4m', '6m'],
    alerts: ['a:1', 'b:1'].map(instance => ['warning', `${instance} is overloaded`, { job: 't', instance }])
  }
}

const RUNBOOKS = 'https://runbooks.example/docs'

/** The format of promtool. The name leads to the alert's section of docs/alerts.md. */
const casesOf = ([alertname, { series, times, alerts }]: [string, Alert]) => ({
  name: alertname,
  external_labels: { runbooks: RUNBOOKS },
  interval: '15s',
  input_series: Object.entries(series).map(([series, values]) => ({ series, values })),
  alert_rule_test: times.map((eval_time, index) => ({
    alertname,
    eval_time,
    exp_alerts: (index === 0 ? [] : alerts).map(([severity, summary, labels]) => ({
      exp_labels: { ...labels, severity },
      exp_annotations: { summary, runbook_url: `${RUNBOOKS}/alerts.md#${alertname.toLowerCase()}` }
    }))
  }))
})

test('each alert fires when it should, and not earlier', async t => {
  const path = join(temporaryFolder(t), 'cases.yml')
  const tests = Object.entries(ALERTS).map(casesOf)
  writeFileSync(path, JSON.stringify({ rule_files: [rules], evaluation_interval: '15s', tests }))
  t.match(execFileSync('promtool', ['test', 'rules', path], { encoding: 'utf8' }), /SUCCESS/)
  const names = readFileSync(rules, 'utf8').match(/(?<=- alert: )\w+/g)
  t.strictSame(Object.keys(ALERTS), names)
})
