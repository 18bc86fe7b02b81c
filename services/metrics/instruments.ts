import { Counter, collectDefaultMetrics, Gauge, Histogram, type Registry } from 'prom-client'

/** From an answer out of memory to a request that waits for its block. */
const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

/** Upstreams are bounded by their time-outs. */
const CALL_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** From a fast chain's next block to a submission that waited for an operator. */
const SUBMISSION_SECONDS = [0.5, 1, 2, 3, 5, 7.5, 10, 15, 30, 60, 120, 300, 600, 3600]

/** A store in memory or on a disk, to a database that is overloaded. */
const STORE_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5]

/** Up to the most messages of a batch. */
const BATCH_MESSAGES = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1000]

/** The bounds of the display caches lie among these. */
const AGE_SECONDS = [0, 1, 2, 5, 10, 30, 60, 300, 600]

/**
 * Every metric with its help text, beside those of the process. The values of all labels are bounded, and none is a secret or
 * belongs to a user.
 */
export function createInstruments(registry: Registry) {
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  // Their names are those of counters, which they are not; without `_total` the same is there by type.
  for (const name of [
    'nodejs_active_resources_total',
    'nodejs_active_handles_total',
    'nodejs_active_requests_total'
  ]) {
    registry.removeSingleMetric(name)
  }

  return {
    build: new Gauge({
      name: 'service_build_info',
      help: 'Always 1. The label is the version that runs.',
      labelNames: ['version'],
      registers
    }),
    requests: new Histogram({
      name: 'service_http_request_duration_seconds',
      help: 'Answered requests and how long their answers took, by method, route and status.',
      labelNames: ['method', 'route', 'status'],
      buckets: REQUEST_SECONDS,
      registers
    }),
    upstreamCalls: new Histogram({
      name: 'service_upstream_request_duration_seconds',
      help: 'Requests to HTTP upstreams: answered, refused (4xx about one request), timeout or failed; not made: busy or paused.',
      labelNames: ['upstream', 'result'],
      buckets: CALL_SECONDS,
      registers
    }),
    upstreamPaused: new Gauge({
      name: 'service_upstream_paused',
      help: 'Above 0 while an upstream is not asked, because the last calls were late.',
      labelNames: ['upstream'],
      registers
    }),
    nodeCalls: new Histogram({
      name: 'service_node_request_duration_seconds',
      help: 'Requests to RPC nodes by their result. That of a broadcast is the answer of the node.',
      labelNames: ['node', 'request', 'result'],
      buckets: CALL_SECONDS,
      registers
    }),
    cacheReads: new Counter({
      name: 'service_cache_reads_total',
      help: 'Reads of a cache: fresh, stale, fetched or failed.',
      labelNames: ['cache', 'result'],
      registers
    }),
    cacheAge: new Histogram({
      name: 'service_cache_age_seconds',
      help: 'Age of the answers that a cache served.',
      labelNames: ['cache'],
      buckets: AGE_SECONDS,
      registers
    }),
    streams: new Gauge({
      name: 'service_event_streams_open',
      help: 'Open streams of events, by what is watched.',
      labelNames: ['kind'],
      registers
    }),
    quoteChecks: new Counter({
      name: 'service_quote_checks_total',
      help: 'Comparisons of submissions with their quotes: matched, unknown or refused.',
      labelNames: ['result'],
      registers
    }),
    approvalChecks: new Counter({
      name: 'service_approval_checks_total',
      help: 'Checks of approval signatures: approved, refused or unchecked.',
      labelNames: ['result'],
      registers
    }),
    storeOperations: new Histogram({
      name: 'service_store_operation_duration_seconds',
      help: 'Operations of the store, each one transaction, and whether they were done or failed.',
      labelNames: ['operation', 'result'],
      buckets: STORE_SECONDS,
      registers
    }),
    taken: new Counter({
      name: 'service_submissions_taken_total',
      help: 'Requests to submit that the store has answered: created, joined (a retry), conflict or damaged.',
      labelNames: ['outcome'],
      registers
    }),
    settled: new Histogram({
      name: 'service_submission_duration_seconds',
      help: 'Time from the intake of a submission until it was committed or rejected, where this process leads.',
      labelNames: ['status'],
      buckets: SUBMISSION_SECONDS,
      registers
    }),
    batches: new Histogram({
      name: 'service_batch_messages',
      help: 'Messages of the transactions for which a slot was opened.',
      buckets: BATCH_MESSAGES,
      registers
    }),
    signedAgain: new Counter({
      name: 'service_slots_signed_again_total',
      help: 'Further transactions that were signed for a slot that was open.',
      registers
    }),
    slots: new Histogram({
      name: 'service_slot_duration_seconds',
      help: 'Time from the opening of a slot until a block consumed it.',
      buckets: SUBMISSION_SECONDS,
      registers
    }),
    foreign: new Counter({
      name: 'service_foreign_transactions_total',
      help: 'Transactions of the wallet in blocks that this service did not sign.',
      registers
    }),
    ready: new Gauge({
      name: 'service_ready',
      help: 'Whether /ready answers 200.',
      registers
    }),
    check: new Gauge({
      name: 'service_check_passed',
      help: 'Whether a check of /ready passes.',
      labelNames: ['check'],
      registers
    }),
    impediment: new Gauge({
      name: 'service_impediment_present',
      help: 'Whether the engine waits for an operator, by the kind of the impediment.',
      labelNames: ['kind'],
      registers
    }),
    workerFailing: new Gauge({
      name: 'service_worker_failing_seconds',
      help: 'For how long every step of a worker of the engine has failed; 0 while they succeed.',
      labelNames: ['worker'],
      registers
    }),
    leading: new Gauge({
      name: 'service_leading',
      help: 'Whether this process drives the wallet.',
      registers
    }),
    leaderSilence: new Gauge({
      name: 'service_leader_silence_seconds',
      help: 'Time since the process that leads has reported; 0 where it is this one.',
      registers
    }),
    unsettled: new Gauge({
      name: 'service_submissions_unsettled',
      help: 'Submissions in the store that are neither committed nor rejected.',
      registers
    }),
    inSlots: new Gauge({
      name: 'service_submissions_in_slots',
      help: 'The part of them that is in signed transactions, where this process leads; the others are queued.',
      registers
    }),
    oldest: new Gauge({
      name: 'service_submissions_oldest_age_seconds',
      help: 'Age of the oldest unsettled submission; 0 when there is none.',
      registers
    }),
    withoutTxId: new Gauge({
      name: 'service_submissions_without_transaction_id',
      help: 'Submissions committed without a readable transaction id since the start of the process that leads.',
      registers
    }),
    slotsOpen: new Gauge({
      name: 'service_slots_open',
      help: 'Sequences in flight, where this process leads.',
      registers
    }),
    engineHeight: new Gauge({
      name: 'service_engine_block_height',
      help: 'The newest block that the engine has read.',
      registers
    }),
    engineBehind: new Gauge({
      name: 'service_engine_blocks_behind',
      help: 'Blocks between the newest one of the nodes and the newest that the engine has read.',
      registers
    }),
    balance: new Gauge({
      name: 'service_wallet_balance',
      help: 'Balance of the wallet in base units; approximate above 2^53.',
      labelNames: ['denom'],
      registers
    }),
    lowBalance: new Gauge({
      name: 'service_wallet_low_balance_threshold',
      help: 'SERVICE_LOW_BALANCE in base units, where it is set; approximate above 2^53.',
      labelNames: ['denom'],
      registers
    }),
    balanceLow: new Gauge({
      name: 'service_wallet_balance_low',
      help: 'Whether the balance of the wallet is below SERVICE_LOW_BALANCE, exactly.',
      registers
    }),
    feesPaid: new Gauge({
      name: 'service_fees_paid_today',
      help: 'Fees of own transactions in blocks since midnight UTC, in base units; approximate above 2^53.',
      labelNames: ['denom'],
      registers
    }),
    dailyFeeLimit: new Gauge({
      name: 'service_daily_fee_limit',
      help: 'SERVICE_DAILY_FEE_LIMIT in base units, where there is one; approximate above 2^53.',
      labelNames: ['denom'],
      registers
    }),
    deliveries: new Histogram({
      name: 'service_webhook_delivery_duration_seconds',
      help: 'Attempts to deliver a webhook: delivered, refused (a status outside 2xx), timeout or failed.',
      labelNames: ['type', 'result'],
      buckets: CALL_SECONDS,
      registers
    }),
    eventsPending: new Gauge({
      name: 'service_webhook_events_pending',
      help: 'Events that the receiver of webhooks does not have yet.',
      registers
    }),
    oldestEvent: new Gauge({
      name: 'service_webhook_events_oldest_age_seconds',
      help: 'Age of the oldest of them; 0 when there is none.',
      registers
    }),
    eventsGivenUp: new Gauge({
      name: 'service_webhook_events_given_up',
      help: 'Events that are not delivered again, unless an operator asks for it. Damaged ones too.',
      registers
    }),
    transfersWatched: new Gauge({
      name: 'service_webhook_transfers_watched',
      help: 'Transfers whose final state will be an event.',
      registers
    }),
    nodeUsable: new Gauge({
      name: 'service_node_usable',
      help: 'Whether an RPC node is well enough for reading or sending.',
      labelNames: ['node', 'use'],
      registers
    }),
    nodeHeight: new Gauge({
      name: 'service_node_block_height',
      help: 'The newest block of an RPC node.',
      labelNames: ['node'],
      registers
    }),
    nodeBehind: new Gauge({
      name: 'service_node_blocks_behind',
      help: 'Blocks between the newest one of the other nodes and that of a node.',
      labelNames: ['node'],
      registers
    }),
    nodeBlockAge: new Gauge({
      name: 'service_node_block_age_seconds',
      help: 'Age of the newest block of an RPC node.',
      labelNames: ['node'],
      registers
    })
  }
}

export type Instruments = ReturnType<typeof createInstruments>
