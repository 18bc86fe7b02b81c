import { type Counter, Registry } from 'prom-client'
import { cachedRead, type ReadObserver } from '../caches/cached-read.ts'
import type { NodeObserver } from '../chain-client/index.ts'
import { ServiceError } from '../errors/index.ts'
import type { Logger } from '../logger.ts'
import type { ApprovalCheck } from '../requests/approval-check.ts'
import type { QuoteCheck } from '../requests/quote-check.ts'
import type { SubmissionStore } from '../submission/store/types.ts'
import type { UpstreamObserver } from '../upstream/index.ts'
import { version } from '../version.ts'
import type { DeliveryObserver } from '../webhooks/delivery.ts'
import { createInstruments } from './instruments.ts'
import { observedStore } from './observed-store.ts'
import { createStateReport, type StateSources } from './state.ts'

const FRESH_MS = 1000

export type Metrics = ReturnType<typeof createMetrics>

/**
 * Creates the metrics. Other services report by calling the returned functions.
 * @param log also receives events that operators should see immediately
 */
export function createMetrics(log: Logger) {
  const registry = new Registry()
  const instruments = createInstruments(registry)
  const { requests, upstreamCalls, upstreamPaused, nodeCalls, cacheReads, cacheAge } = instruments
  let reportState = async () => {}
  instruments.build.set({ version }, 1)

  const text = cachedRead({ maxKeys: 1, freshMs: FRESH_MS }, async () => {
    await reportState()
    return registry.metrics()
  })

  const upstream: UpstreamObserver = {
    called: (upstream, result, seconds) => upstreamCalls.observe({ upstream, result }, seconds),
    // Count the paused clients, because an upstream can have several.
    paused(upstream, err) {
      upstreamPaused.inc({ upstream })
      log.warn({ err, upstream }, 'upstream calls paused because the last calls timed out')
    },
    resumed(upstream) {
      upstreamPaused.dec({ upstream })
      log.info({ upstream }, 'upstream recovered')
    }
  }
  const node: NodeObserver = (node, request, result, seconds) =>
    nodeCalls.observe({ node, request, result }, seconds)
  const delivery: DeliveryObserver = (type, result, seconds) =>
    instruments.deliveries.observe({ type, result }, seconds)

  return {
    contentType: registry.contentType,
    /** Returns all metrics in Prometheus' text format, at most a second old (interface 15.10). */
    text: async () => (await text('')).value,
    /** Adds the state of these services, which is read when the metrics are requested. */
    showState(sources: StateSources): void {
      reportState = createStateReport(instruments, sources)
    },
    /** Records a request. @param pattern the route's pattern, never the URL; undefined for an unknown route */
    request(method: string, pattern = 'none', status: number, seconds: number): void {
      // A route matches with and without a trailing slash, but has only one label.
      const route = pattern.length > 1 && pattern.endsWith('/') ? pattern.slice(0, -1) : pattern
      requests.observe({ method, route, status }, seconds)
    },
    upstream,
    node,
    cache:
      (cache: string): ReadObserver =>
      (result, ageSeconds) => {
        cacheReads.inc({ cache, result })
        if (ageSeconds !== undefined) cacheAge.observe({ cache }, ageSeconds)
      },
    store: <S extends SubmissionStore>(store: S) => observedStore(store, instruments),
    /** @param change 1 when an event stream is opened, -1 when it is closed */
    stream: (kind: string, change: 1 | -1) => instruments.streams.inc({ kind }, change),
    quoteCheck: (check: QuoteCheck): QuoteCheck =>
      countedCheck(check, instruments.quoteChecks, quote => (quote ? 'matched' : 'unknown')),
    approvalCheck: (check: ApprovalCheck): ApprovalCheck =>
      countedCheck(check, instruments.approvalChecks, ({ status }) => status, 'unchecked'),
    delivery
  }
}

/**
 * Counts the results of a check. An error with a 4xx status is a refusal.
 * @param unclear the result to count for other errors, if any
 */
function countedCheck<Submission extends unknown[], Result>(
  check: (...submission: Submission) => Promise<Result>,
  counter: Counter<'result'>,
  resultOf: (result: Result) => string,
  unclear?: string
): (...submission: Submission) => Promise<Result> {
  return async (...submission) => {
    try {
      const result = await check(...submission)
      counter.inc({ result: resultOf(result) })
      return result
    } catch (error) {
      const result = error instanceof ServiceError && error.statusCode < 500 ? 'refused' : unclear
      if (result !== undefined) counter.inc({ result })
      throw error
    }
  }
}
