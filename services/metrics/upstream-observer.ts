import type { Logger } from '../logger.ts'
import type { UpstreamObserver } from '../upstream/index.ts'
import type { Instruments } from './instruments.ts'

/** Reports the calls of upstreams, and writes to the log when one is not asked any more and when it is again. */
export function createUpstreamObserver(
  { upstreamCalls, upstreamPaused }: Instruments,
  log: Logger
): UpstreamObserver {
  return {
    called: (upstream, result, seconds) => upstreamCalls.observe({ upstream, result }, seconds),
    // An upstream may have several clients, each with pauses of its own.
    paused(upstream, err) {
      upstreamPaused.inc({ upstream })
      log.warn({ err, upstream }, 'calls of an upstream are paused, because the last ones were late')
    },
    resumed(upstream) {
      upstreamPaused.dec({ upstream })
      log.info({ upstream }, 'an upstream answers again')
    }
  }
}
