import fp from 'fastify-plugin'
import { serializerOf } from '../../config/fastify-options.ts'
import type { StatusKind } from '../../schemas/record-fields.ts'
import { SubmissionState } from '../../schemas/submission.ts'
import { onceAMinute } from '../../services/async/once-a-minute.ts'
import type { Poller } from '../../services/async/poller.ts'
import { isFinalStatus } from '../../services/status/final-states.ts'
import type { StatusRecord } from '../../services/status/record.ts'
import { createStreams, type State, type Streams, stateOf } from '../../services/stream/streams.ts'
import type { Submission } from '../../services/submission/contract.ts'
import { isSettled, viewOf } from '../../services/submission/view.ts'

export type EventKind = StatusKind | 'submission'

/** The current state of an id, and how to watch it. */
export interface Watched {
  state: State
  watch(listener: (state: State) => void): () => void
}

declare module 'fastify' {
  interface FastifyInstance {
    events: {
      /** Reads the state of an id; undefined if it does not exist. @throws the errors of the source */
      read(kind: EventKind, id: string): Promise<Watched | undefined>
      readonly streams: Streams
    }
  }
}

/** `app.events`: event streams with the states of transactions and submissions (interface section 22). */
export default fp(
  async app => {
    const { status, statusBody, lockOf, submissions, metrics, server } = app
    // Streams may use half of the connections, and each client an eighth of that half (interface 22.7).
    const most = Math.floor(server.maxConnections / 2)
    const mostOfOneClient = Math.ceil(most / 8)
    const streams = createStreams({ most, mostOfOneClient, observe: metrics.streams })
    const serialize = serializerOf(SubmissionState)
    const failed = onceAMinute<unknown>((states, err) =>
      app.log.error({ states, err }, 'states could not be sent to event streams')
    )

    const stateOfSubmission = async (value: Submission) => stateOf(serialize(viewOf(value)), isSettled(value))
    const stateOfRecord = (kind: StatusKind) => async (record: StatusRecord) => {
      const body = statusBody(kind, record, await lockOf(record))
      return stateOf(JSON.stringify(body), isFinalStatus(record['txstatus']))
    }

    // End streams immediately, so that their clients reconnect to another server.
    app.stopping.addEventListener('abort', streams.endAll)
    app.decorate('events', {
      async read(kind, id) {
        if (kind === 'submission')
          return watched(submissions, id, await submissions.find(id), stateOfSubmission, failed)
        const found = await status.find(kind, id)
        return found && watched(status.pollers[found.kind], id, found.record, stateOfRecord(kind), failed)
      },
      streams
    })
  },
  { name: 'events', dependencies: ['connections', 'drain', 'metrics', 'status', 'submissions'] }
)

async function watched<T>(
  { watch }: Pick<Poller<T>, 'watch'>,
  id: string,
  found: T | undefined,
  toState: (value: T) => Promise<State>,
  failed: (error: unknown) => void
): Promise<Watched | undefined> {
  if (found === undefined) return undefined
  return {
    state: await toState(found),
    watch(listener) {
      let isWatching = true
      // One after another, so that the states stay in order.
      let last = Promise.resolve()
      const report = (value: T) => {
        last = last
          .then(() => toState(value))
          .then(state => {
            if (isWatching) listener(state)
          })
          .catch(failed)
      }
      const leave = watch(id, report, found)
      return () => {
        isWatching = false
        leave()
      }
    }
  }
}
