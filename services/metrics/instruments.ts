import { Counter, collectDefaultMetrics, Gauge, Histogram, type Registry } from 'prom-client'

/** From an answer out of memory to a request that waits for its block. */
const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

/** Upstreams are bounded by their time-outs. */
const CALL_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

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
      help: 'Requests to HTTP upstreams: answered, refused (a status outside 2xx), timeout or failed.',
      labelNames: ['upstream', 'result'],
      buckets: CALL_SECONDS,
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
    })
  }
}
