import { Counter, collectDefaultMetrics, Gauge, Histogram, type Registry } from 'prom-client'

/** Buckets from a response served from memory to a request that waits for its block. */
const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

/** Buckets up to the upstream timeouts, which limit the duration of a call. */
const CALL_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Buckets from a fast chain's next block to a submission that waited for an operator. */
const SUBMISSION_SECONDS = [0.5, 1, 2, 3, 5, 7.5, 10, 15, 30, 60, 120, 300, 600, 3600]

/** Buckets from a store in memory or on disk to an overloaded database. */
const STORE_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5]

const BATCH_MESSAGES = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1000]

/** Buckets that include the age limits of the display caches. */
const AGE_SECONDS = [0, 1, 2, 5, 10, 30, 60, 300, 600]

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
    upstreamPaused: gauge(
      'service_upstream_paused',
      'Above 0 while calls to an upstream are paused, because the last ones were late.',
      ['upstream']
    ),
    nodeCalls: histogram(
      'service_node_request_duration_seconds',
      'Duration of requests to RPC nodes by result; for a broadcast, the result is the verdict of the node.',
      CALL_SECONDS,
      ['node', 'request', 'result']
    ),
    cacheReads: counter('service_cache_reads_total', 'Reads of a cache: fresh, stale, fetched or failed.', [
      'cache',
      'result'
    ]),
    cacheAge: histogram('service_cache_age_seconds', 'Age of the values that a cache served.', AGE_SECONDS, [
      'cache'
    ]),
    streams: gauge('service_event_streams_open', 'Open event streams by kind.', ['kind']),
    quoteChecks: counter(
      'service_quote_checks_total',
      'Comparisons of submissions with their quotes: matched, unknown or refused.',
      ['result']
    ),
    approvalChecks: counter(
      'service_approval_checks_total',
      'Checks of approval signatures: approved, refused or unchecked.',
      ['result']
    ),
    storeOperations: histogram(
      'service_store_operation_duration_seconds',
      'Duration of store operations, each one transaction: done or failed.',
      STORE_SECONDS,
      ['operation', 'result']
    ),
    taken: counter(
      'service_submissions_taken_total',
      'Submissions by how the store took them: created, joined (a retry), conflict or damaged; the caller is empty without a key.',
      ['outcome', 'caller']
    ),
    settled: histogram(
      'service_submission_duration_seconds',
      'Time from the intake of a submission until it was committed or rejected, on the leader.',
      SUBMISSION_SECONDS,
      ['status']
    ),
    batches: histogram(
      'service_batch_messages',
      'Messages per transaction when its slot was opened.',
      BATCH_MESSAGES
    ),
    signedAgain: counter(
      'service_slots_signed_again_total',
      'Further transactions signed for a slot that was still open.'
    ),
    slots: histogram(
      'service_slot_duration_seconds',
      'Time from the opening of a slot until a block consumed it.',
      SUBMISSION_SECONDS
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
    workerFailing: gauge(
      'service_worker_failing_seconds',
      'How long every step of a worker of the engine has failed; 0 while they succeed.',
      ['worker']
    ),
    leading: gauge('service_leading', 'Whether this process drives the wallet.'),
    leaderSilence: gauge(
      'service_leader_silence_seconds',
      'Time since the last report of the leader; 0 on the leader itself.'
    ),
    unsettled: gauge(
      'service_submissions_unsettled',
      'Submissions in the store that are neither committed nor rejected.'
    ),
    inSlots: gauge(
      'service_submissions_in_slots',
      'Unsettled submissions in signed transactions, on the leader; the others are queued.'
    ),
    oldest: gauge(
      'service_submissions_oldest_age_seconds',
      'Age of the oldest unsettled submission; 0 if there is none.'
    ),
    withoutTxId: gauge(
      'service_submissions_without_transaction_id',
      'Submissions committed without a readable transaction id since the leader started.'
    ),
    slotsOpen: gauge('service_slots_open', 'Sequences in flight, on the leader.'),
    engineHeight: gauge('service_engine_block_height', 'Newest block that the engine has read.'),
    engineBehind: gauge(
      'service_engine_blocks_behind',
      'Blocks of the nodes that the engine has not read yet.'
    ),
    balance: gauge('service_wallet_balance', 'Balance of the wallet in base units; approximate above 2^53.', [
      'denom'
    ]),
    lowBalance: gauge(
      'service_wallet_low_balance_threshold',
      'SERVICE_LOW_BALANCE in base units, if set; approximate above 2^53.',
      ['denom']
    ),
    balanceLow: gauge(
      'service_wallet_balance_low',
      'Whether the balance of the wallet is below SERVICE_LOW_BALANCE, compared exactly.'
    ),
    feesPaid: gauge(
      'service_fees_paid_today',
      'Fees paid for own transactions since midnight UTC, in base units; approximate above 2^53.',
      ['denom']
    ),
    dailyFeeLimit: gauge(
      'service_daily_fee_limit',
      'SERVICE_DAILY_FEE_LIMIT in base units, if there is one; approximate above 2^53.',
      ['denom']
    ),
    deliveries: histogram(
      'service_webhook_delivery_duration_seconds',
      'Duration of attempts to deliver a webhook: delivered, refused (a status outside 2xx), timeout or failed.',
      CALL_SECONDS,
      ['type', 'result']
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
    transfersWatched: gauge(
      'service_webhook_transfers_watched',
      'Transfers whose final state will be a webhook event.'
    ),
    nodeUsable: gauge(
      'service_node_usable',
      'Whether an RPC node is healthy enough for reading or sending.',
      ['node', 'use']
    ),
    nodeHeight: gauge('service_node_block_height', 'Newest block of an RPC node.', ['node']),
    nodeBehind: gauge(
      'service_node_blocks_behind',
      'Blocks by which an RPC node is behind the newest of the others.',
      ['node']
    ),
    nodeBlockAge: gauge('service_node_block_age_seconds', 'Age of the newest block of an RPC node.', ['node'])
  }
}

export type Instruments = ReturnType<typeof createInstruments>
