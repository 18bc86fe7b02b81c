import { Registry } from 'prom-client'
import { cachedRead, type ReadObserver } from '../caches/cached-read.ts'
import type { NodeObserver } from '../chain-client/index.ts'
import type { Logger } from '../logger.ts'
import type { UpstreamObserver } from '../upstream/index.ts'
import { version } from '../version.ts'
import type { DeliveryObserver } from '../webhooks/delivery.ts'
import { type BacklogSources, createBacklogReport } from './backlog.ts'
import { createInstruments } from './instruments.ts'
import type { StoreObserver } from './observed-store.ts'
import { createStateReport, type StateSources } from './state.ts'
import { createStoreObserver } from './store-observer.ts'
import { createUpstreamObserver } from './upstream-observer.ts'

/** The text is given again for so long, however many ask: it costs some milliseconds. */
const FRESH_MS = 1000

/** What the service counts and measures. Other services get the function that they need as an observer. */
export interface Metrics {
  readonly contentType: string
  /** All metrics in Prometheus' text format, at most a second old (interface 15.10). */
  text(): Promise<string>
  /** Shows the state of these services, too, as it is when the text is asked for. */
  showState(sources: StateSources): void
  /** Shows the backlog of webhooks, too. */
  showBacklog(sources: BacklogSources): void
  /** @param pattern of the route, never the URL; undefined for a route that does not exist */
  request(method: string, pattern: string | undefined, status: number, seconds: number): void
  upstream: UpstreamObserver
  node: NodeObserver
  cache(name: string): ReadObserver
  store: StoreObserver
  /** A stream of events was opened (1) or closed (-1). */
  stream(kind: string, change: 1 | -1): void
  quoteCheck(result: 'matched' | 'unknown' | 'refused'): void
  approvalCheck(result: 'approved' | 'refused' | 'unchecked'): void
  delivery: DeliveryObserver
}

/** @param log gets what operators should see at once, too */
export function createMetrics(log: Logger): Metrics {
  const registry = new Registry()
  const instruments = createInstruments(registry)
  const { requests, nodeCalls, cacheReads, cacheAge, streams, quoteChecks, approvalChecks, deliveries } =
    instruments
  let reportState = async () => {}
  let reportBacklog = async () => {}
  instruments.build.set({ version }, 1)

  const text = cachedRead({ maxKeys: 1, freshMs: FRESH_MS }, async () => {
    await Promise.all([reportState(), reportBacklog()])
    return registry.metrics()
  })

  return {
    contentType: registry.contentType,
    text: async () => (await text('')).value,
    showState(sources) {
      reportState = createStateReport(instruments, sources)
    },
    showBacklog(sources) {
      reportBacklog = createBacklogReport(instruments, sources)
    },
    request(method, pattern = 'none', status, seconds) {
      // A route answers with and without a trailing slash.
      const route = pattern.length > 1 && pattern.endsWith('/') ? pattern.slice(0, -1) : pattern
      requests.observe({ method, route, status }, seconds)
    },
    upstream: createUpstreamObserver(instruments, log),
    node(node, request, result, seconds) {
      nodeCalls.observe({ node, request, result }, seconds)
    },
    cache: cache => (result, ageSeconds) => {
      cacheReads.inc({ cache, result })
      if (ageSeconds !== undefined) cacheAge.observe({ cache }, ageSeconds)
    },
    store: createStoreObserver(instruments),
    stream: (kind, change) => streams.inc({ kind }, change),
    quoteCheck: result => quoteChecks.inc({ result }),
    approvalCheck: result => approvalChecks.inc({ result }),
    delivery: (type, result, seconds) => deliveries.observe({ type, result }, seconds)
  }
}
