import { Counter, collectDefaultMetrics, Gauge, Histogram, type Registry } from 'prom-client'

/** Buckets from a response served from memory to a request that waits for its block. */
const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

/** Buckets up to the upstream timeouts, which limit the duration of a call. */
const CALL_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Buckets from a fast chain's next block to a submission that waited for an operator. */
const SUBMISSION_SECONDS = [0.5, 1, 2, 3, 5, 7.5, 10, 15, 30, 60, 120, 300, 600, 3600]

/** Creates every metric. Every label has few values, none of which is secret or belongs to a user. */
export function createInstruments(registry: Registry) {
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  // Remove gauges that are named like counters. The metrics without `_total` have the same values, split by type.
  for (const name of [
    'nodejs_active_resources_total',
    'nodejs_active_handles_total',
    'nodejs_active_requests_total'
  ]) {
    registry.removeSingleMetric(name)
  }

  const gauge = <L extends string>(name: string, help: string, labelNames: L[] = []) =>
    new Gauge({ name, help, labelNames, registers })
  const counter = <L extends string>(name: string, help: string, labelNames: L[] = []) =>
    new Counter({ name, help, labelNames, registers })
  const histogram = <L extends string>(name: string, help: string, buckets: number[], labelNames: L[] = []) =>
    new Histogram({ name, help, buckets, labelNames, registers })

  return {
    build: gauge('service_build_info', 'Always 1. The label is the version that runs.', ['version']),
    requests: histogram(
      'service_http_request_duration_seconds',
      'Duration of requests that got a response, by method, route and status.',
      REQUEST_SECONDS,
      ['method', 'route', 'status']
    ),
    upstreamCalls: histogram(
      'service_upstream_request_duration_seconds',
      'Duration of requests to HTTP upstreams: answered, refused (4xx about one request), timeout or failed; not sent: busy or paused.',
      CALL_SECONDS,
      ['upstream', 'result']
    ),
    nodeCalls: histogram(
      'service_node_request_duration_seconds',
      'Duration of requests to RPC nodes by result; for a broadcast, the result is the verdict of the node.',
      CALL_SECONDS,
      ['node', 'request', 'result']
    ),
    streams: gauge('service_event_streams_open', 'Open event streams.'),
    taken: counter(
      'service_submissions_taken_total',
      'Submissions by result of intake: created, joined (a retry), conflict or damaged; the caller is empty without a key.',
      ['outcome', 'caller']
    ),
    settled: histogram(
      'service_submission_duration_seconds',
      'Time from the intake of a submission until it was committed or rejected, on the leader.',
      SUBMISSION_SECONDS,
      ['status']
    ),
    foreign: counter(
      'service_foreign_transactions_total',
      'Transactions of the wallet on the chain that this service did not sign.'
    ),
    ready: gauge('service_ready', 'Whether /ready returns 200.'),
    check: gauge('service_check_passed', 'Whether a check of /ready passes.', ['check']),
    blocker: gauge(
      'service_blocker_present',
      'Whether the engine waits for an operator, by kind of blocker.',
      ['kind']
    ),
    leading: gauge('service_leading', 'Whether this process leads the wallet.'),
    unsettled: gauge(
      'service_submissions_unsettled',
      'Submissions in the store that are neither committed nor rejected.'
    ),
    oldest: gauge(
      'service_submissions_oldest_age_seconds',
      'Age of the oldest unsettled submission; 0 if there is none.'
    ),
    withoutTxId: gauge(
      'service_submissions_without_transaction_id',
      'Submissions committed without a readable transaction id since the leader started.'
    ),
    verified: gauge(
      'service_submissions_verified',
      'Settled submissions that were compared with the chain: proven, or currently different.',
      ['outcome']
    ),
    engineHeight: gauge('service_engine_block_height', 'Newest block that the engine has read.'),
    balance: gauge('service_wallet_balance', 'Balance of the wallet in base units; approximate above 2^53.', [
      'denom'
    ]),
    feesPaid: gauge(
      'service_fees_paid_today',
      'Fees paid for this service’s transactions since midnight UTC, in base units; approximate above 2^53.',
      ['denom']
    ),
    dailyFeeLimit: gauge(
      'service_daily_fee_limit',
      'SERVICE_DAILY_FEE_LIMIT in base units, if there is one; approximate above 2^53.',
      ['denom']
    ),
    eventsPending: gauge('service_webhook_events_pending', 'Webhook events that are not delivered yet.'),
    oldestEvent: gauge(
      'service_webhook_events_oldest_age_seconds',
      'Age of the oldest pending webhook event; 0 if there is none.'
    ),
    eventsAbandoned: gauge(
      'service_webhook_events_abandoned',
      'Webhook events, including damaged ones, that are sent again only if an operator asks for it.'
    ),
    nodeUsable: gauge(
      'service_node_usable',
      'Whether an RPC node is healthy enough for reading or sending.',
      ['node', 'use']
    ),
    nodeHeight: gauge('service_node_block_height', 'Newest block of an RPC node.', ['node'])
  }
}

export type Instruments = ReturnType<typeof createInstruments>
