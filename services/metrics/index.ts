import { Registry } from 'prom-client'
import { cachedRead } from '../caches/cached-read.ts'
import type { NodeObserver } from '../chain-client/index.ts'
import type { Logger } from '../logger.ts'
import type { SubmissionStore } from '../submission/contract.ts'
import type { UpstreamObserver } from '../upstream/index.ts'
import { version } from '../version.ts'
import { createInstruments } from './instruments.ts'
import { observedStore } from './observed-store.ts'
import { createStateReport, type StateSources } from './state.ts'

const FRESH_MS = 1000

/** The metrics. Other services report by calling these functions. */
export interface Metrics {
  contentType: string
  /** Returns all metrics in Prometheus' text format, at most a second old (interface 15.10). */
  text(): Promise<string>
  /** Adds the state of these services, which is read when the metrics are requested. */
  showState(sources: StateSources): void
  /**
   * Records a request.
   * @param pattern the route's pattern, never the URL; undefined for an unknown route
   * @param status of the response
   */
  request(method: string, pattern: string | undefined, status: number, seconds: number): void
  upstream: UpstreamObserver
  node: NodeObserver
  streams(open: number): void
  /** Returns the store with observers of what the engine does. */
  store<S extends SubmissionStore>(store: S): S
}

/** @param log also receives events that operators should see immediately */
export function createMetrics(log: Logger): Metrics {
  const registry = new Registry()
  const instruments = createInstruments(registry)
  let reportState = async () => {}
  instruments.build.set({ version }, 1)

  const text = cachedRead({ maxKeys: 1, freshMs: FRESH_MS }, async () => {
    await reportState()
    return registry.metrics()
  })

  const upstream: UpstreamObserver = {
    called: (upstream, result, seconds) => instruments.upstreamCalls.observe({ upstream, result }, seconds),
    paused: (upstream, err) =>
      log.warn({ err, upstream }, 'upstream calls paused because the last calls timed out'),
    resumed: upstream => log.info({ upstream }, 'upstream recovered')
  }
  const node: NodeObserver = (node, request, result, seconds) =>
    instruments.nodeCalls.observe({ node, request, result }, seconds)

  return {
    contentType: registry.contentType,
    text: async () => (await text('')).value,
    showState(sources) {
      reportState = createStateReport(instruments, sources)
    },
    request(method, pattern = 'none', status, seconds) {
      // A route matches with and without a trailing slash, but has only one label.
      const route = pattern.length > 1 && pattern.endsWith('/') ? pattern.slice(0, -1) : pattern
      instruments.requests.observe({ method, route, status }, seconds)
    },
    upstream,
    node,
    streams: open => instruments.streams.set(open),
    store: store => observedStore(store, instruments)
  }
}
