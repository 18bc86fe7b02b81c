import { Registry } from 'prom-client'
import { cachedRead, type ReadObserver, type ReadResult } from '../caches/cached-read.ts'
import type { NodeObserver } from '../chain-client/index.ts'
import type { UpstreamObserver } from '../upstream/index.ts'
import { version } from '../version.ts'
import { createInstruments } from './instruments.ts'
import type { StoreObserver } from './observed-store.ts'
import { createStateReport, type StateSources } from './state.ts'
import { createStoreObserver } from './store-observer.ts'

/** The text is given again for so long, however many ask: it costs some milliseconds. */
const FRESH_MS = 1000

/** What the service counts and measures. Other services get the function that they need as an observer. */
export interface Metrics {
  readonly contentType: string
  /** All metrics in Prometheus' text format, at most a second old (interface 15.10). */
  text(): Promise<string>
  /** Shows the state of these services, too, as it is when the text is asked for. */
  showState(sources: StateSources): void
  /** @param route the pattern of the route, never the URL; undefined for a route that does not exist */
  request(method: string, route: string | undefined, status: number, seconds: number): void
  upstream: UpstreamObserver
  node: NodeObserver
  cache(name: string): ReadObserver
  store: StoreObserver
  quoteCheck(result: 'matched' | 'unknown' | 'refused'): void
  approvalCheck(result: 'approved' | 'refused' | 'unchecked'): void
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  const instruments = createInstruments(registry)
  const { requests, upstreamCalls, nodeCalls, cacheReads, cacheAge, quoteChecks, approvalChecks } =
    instruments
  let reportState = async () => {}
  instruments.build.set({ version }, 1)

  const text = cachedRead({ maxKeys: 1, freshMs: FRESH_MS }, async () => {
    await reportState()
    return registry.metrics()
  })

  return {
    contentType: registry.contentType,
    text: async () => (await text('')).value,
    showState(sources) {
      reportState = createStateReport(instruments, sources)
    },
    request(method, pattern = 'none', status, seconds) {
      // A route answers with and without a trailing slash.
      const route = pattern.length > 1 && pattern.endsWith('/') ? pattern.slice(0, -1) : pattern
      requests.observe({ method, route, status }, seconds)
    },
    upstream(upstream, result, seconds) {
      upstreamCalls.observe({ upstream, result }, seconds)
    },
    node(node, request, result, seconds) {
      nodeCalls.observe({ node, request, result }, seconds)
    },
    cache(cache) {
      const age = cacheAge.labels({ cache })
      const count = (result: ReadResult) => cacheReads.labels({ cache, result })
      const reads = {
        fresh: count('fresh'),
        stale: count('stale'),
        fetched: count('fetched'),
        failed: count('failed')
      }
      return (result, ageSeconds) => {
        reads[result].inc()
        if (ageSeconds !== undefined) age.observe(ageSeconds)
      }
    },
    store: createStoreObserver(instruments),
    quoteCheck: result => quoteChecks.inc({ result }),
    approvalCheck: result => approvalChecks.inc({ result })
  }
}
