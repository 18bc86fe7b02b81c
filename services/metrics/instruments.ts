import { Counter, collectDefaultMetrics, Gauge, Histogram, type Registry } from 'prom-client'

/** From a response out of memory to a request that waits for its block. */
const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

/** Upstream timeouts limit the duration. */
const CALL_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** From a fast chain's next block to a submission that waited for an operator. */
const SUBMISSION_SECONDS = [0.5, 1, 2, 3, 5, 7.5, 10, 15, 30, 60, 120, 300, 600, 3600]

/** From a store in memory or on disk to an overloaded database. */
const STORE_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5]

/** Up to the maximum messages per batch. */
const BATCH_MESSAGES = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1000]

/** Includes the limits of the display caches. */
const AGE_SECONDS = [0, 1, 2, 5, 10, 30, 60, 300, 600]

/**
 * Every metric with its help text, in addition to the process metrics. All label values are bounded, and none is secret
 * or belongs to a user.
 */
export function createInstruments(registry: Registry) {
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  // These gauges are named like counters. The metrics without `_total` have the same values by type.
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
      'Answered requests and how long their answers took, by method, route and status.',
      REQUEST_SECONDS,
      ['method', 'route', 'status']
    ),
    upstreamCalls: histogram(
      'service_upstream_request_duration_seconds',
      'Requests to HTTP upstreams: answered, refused (4xx about one request), timeout or failed; not made: busy or paused.',
      CALL_SECONDS,
      ['upstream', 'result']
    ),
    upstreamPaused: gauge(
      'service_upstream_paused',
      'Above 0 while an upstream is not asked, because the last calls were late.',
      ['upstream']
    ),
    nodeCalls: histogram(
      'service_node_request_duration_seconds',
      'Requests to RPC nodes by their result. That of a broadcast is the answer of the node.',
      CALL_SECONDS,
      ['node', 'request', 'result']
    ),
    cacheReads: counter('service_cache_reads_total', 'Reads of a cache: fresh, stale, fetched or failed.', [
      'cache',
      'result'
    ]),
    cacheAge: histogram('service_cache_age_seconds', 'Age of the answers that a cache served.', AGE_SECONDS, [
      'cache'
    ]),
    streams: gauge('service_event_streams_open', 'Open streams of events, by what is watched.', ['kind']),
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
      'Operations of the store, each one transaction, and whether they were done or failed.',
      STORE_SECONDS,
      ['operation', 'result']
    ),
    taken: counter(
      'service_submissions_taken_total',
      'Requests to submit that the store has answered: created, joined (a retry), conflict or damaged; by caller, empty without a key.',
      ['outcome', 'caller']
    ),
    settled: histogram(
      'service_submission_duration_seconds',
      'Time from the intake of a submission until it was committed or rejected, where this process leads.',
      SUBMISSION_SECONDS,
      ['status']
    ),
    batches: histogram(
      'service_batch_messages',
      'Messages of the transactions for which a slot was opened.',
      BATCH_MESSAGES
    ),
    signedAgain: counter(
      'service_slots_signed_again_total',
      'Further transactions that were signed for a slot that was open.'
    ),
    slots: histogram(
      'service_slot_duration_seconds',
      'Time from the opening of a slot until a block consumed it.',
      SUBMISSION_SECONDS
    ),
    foreign: counter(
      'service_foreign_transactions_total',
      'Transactions of the wallet in blocks that this service did not sign.'
    ),
    ready: gauge('service_ready', 'Whether /ready answers 200.'),
    check: gauge('service_check_passed', 'Whether a check of /ready passes.', ['check']),
    blocker: gauge(
      'service_blocker_present',
      'Whether the engine waits for an operator, by the kind of the blocker.',
      ['kind']
    ),
    workerFailing: gauge(
      'service_worker_failing_seconds',
      'For how long every step of a worker of the engine has failed; 0 while they succeed.',
      ['worker']
    ),
    leading: gauge('service_leading', 'Whether this process drives the wallet.'),
    leaderSilence: gauge(
      'service_leader_silence_seconds',
      'Time since the process that leads has reported; 0 where it is this one.'
    ),
    unsettled: gauge(
      'service_submissions_unsettled',
      'Submissions in the store that are neither committed nor rejected.'
    ),
    inSlots: gauge(
      'service_submissions_in_slots',
      'The part of them that is in signed transactions, where this process leads; the others are queued.'
    ),
    oldest: gauge(
      'service_submissions_oldest_age_seconds',
      'Age of the oldest unsettled submission; 0 when there is none.'
    ),
    withoutTxId: gauge(
      'service_submissions_without_transaction_id',
      'Submissions committed without a readable transaction id since the start of the process that leads.'
    ),
    slotsOpen: gauge('service_slots_open', 'Sequences in flight, where this process leads.'),
    engineHeight: gauge('service_engine_block_height', 'The newest block that the engine has read.'),
    engineBehind: gauge(
      'service_engine_blocks_behind',
      'Blocks between the newest one of the nodes and the newest that the engine has read.'
    ),
    balance: gauge('service_wallet_balance', 'Balance of the wallet in base units; approximate above 2^53.', [
      'denom'
    ]),
    lowBalance: gauge(
      'service_wallet_low_balance_threshold',
      'SERVICE_LOW_BALANCE in base units, where it is set; approximate above 2^53.',
      ['denom']
    ),
    balanceLow: gauge(
      'service_wallet_balance_low',
      'Whether the balance of the wallet is below SERVICE_LOW_BALANCE, exactly.'
    ),
    feesPaid: gauge(
      'service_fees_paid_today',
      'Fees of own transactions in blocks since midnight UTC, in base units; approximate above 2^53.',
      ['denom']
    ),
    dailyFeeLimit: gauge(
      'service_daily_fee_limit',
      'SERVICE_DAILY_FEE_LIMIT in base units, where there is one; approximate above 2^53.',
      ['denom']
    ),
    deliveries: histogram(
      'service_webhook_delivery_duration_seconds',
      'Attempts to deliver a webhook: delivered, refused (a status outside 2xx), timeout or failed.',
      CALL_SECONDS,
      ['type', 'result']
    ),
    eventsPending: gauge(
      'service_webhook_events_pending',
      'Events that the receiver of webhooks does not have yet.'
    ),
    oldestEvent: gauge(
      'service_webhook_events_oldest_age_seconds',
      'Age of the oldest of them; 0 when there is none.'
    ),
    eventsGivenUp: gauge(
      'service_webhook_events_given_up',
      'Events that are not delivered again, unless an operator asks for it. Damaged ones too.'
    ),
    transfersWatched: gauge(
      'service_webhook_transfers_watched',
      'Transfers whose final state will be an event.'
    ),
    nodeUsable: gauge(
      'service_node_usable',
      'Whether an RPC node is healthy enough for reading or sending.',
      ['node', 'use']
    ),
    nodeHeight: gauge('service_node_block_height', 'The newest block of an RPC node.', ['node']),
    nodeBehind: gauge(
      'service_node_blocks_behind',
      'Blocks between the newest one of the other nodes and that of a node.',
      ['node']
    ),
    nodeBlockAge: gauge('service_node_block_age_seconds', 'Age of the newest block of an RPC node.', ['node'])
  }
}

export type Instruments = ReturnType<typeof createInstruments>
