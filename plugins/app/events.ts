import fp from 'fastify-plugin'
import { compileSerializer } from '../../config/fastify-options.ts'
import type { StatusKind } from '../../schemas/record-fields.ts'
import { SubmissionState } from '../../schemas/submission.ts'
import { onceAMinute } from '../../services/async/once-a-minute.ts'
import { createPollLimiter } from '../../services/stream/poll-limiter.ts'
import { statusSource, submissionSource } from '../../services/stream/sources.ts'
import { createStreams, type Streams } from '../../services/stream/streams.ts'
import { createWatches, type Watches } from '../../services/stream/watches.ts'
import { viewOf } from '../../services/submission/view.ts'

export type EventKind = StatusKind | 'submission'

/** Maximum number of concurrent polls: half of the connections to the chain's REST API. */
const MOST_POLLS = 32

declare module 'fastify' {
  interface FastifyInstance {
    events: { readonly watches: Record<EventKind, Watches>; readonly streams: Streams }
  }
}

/** `app.events`: event streams with the states of transactions and submissions (interface section 22). */
export default fp(
  async app => {
    const { status, statusBody, submissions, store, metrics, server } = app
    // Streams may use half of the connections, and each client network an eighth of that half (interface 22.7).
    const most = Math.floor(server.maxConnections / 2)
    const mostOfOneClient = Math.ceil(most / 8)
    const streams = createStreams({ most, mostOfOneClient, observe: metrics.streams })

    const onFailure = onceAMinute<unknown>((polls, err) =>
      app.log.warn({ polls, err }, 'failed to read watched states')
    )
    const limit = createPollLimiter(MOST_POLLS)
    const watchStatus = (kind: StatusKind) =>
      createWatches(statusSource(kind, status, statusBody), { onFailure, limit })
    const serialize = compileSerializer({
      schema: SubmissionState,
      method: 'GET',
      url: '',
      httpStatus: '200'
    })
    const watches = {
      transfer: watchStatus('transfer'),
      liquidity: watchStatus('liquidity'),
      swap: watchStatus('swap'),
      submission: createWatches(
        submissionSource(submissions, submission => serialize(viewOf(submission))),
        { onFailure }
      )
    }
    store.onNotification(notification => {
      if (notification.kind === 'settled') watches.submission.poll(notification.submissionIds)
    })
    // End streams immediately, so that their clients reconnect to another server.
    app.stopping.addEventListener('abort', streams.endAll)
    app.decorate('events', { watches, streams })
  },
  { name: 'events', dependencies: ['connections', 'drain', 'metrics', 'status', 'store', 'submissions'] }
)
