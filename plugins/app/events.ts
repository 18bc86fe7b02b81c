import fp from 'fastify-plugin'
import { compileSerializer } from '../../config/fastify-options.ts'
import type { StatusKind } from '../../schemas/record-fields.ts'
import { SubmissionState } from '../../schemas/submission.ts'
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
    const { status, statusBody, submissions, metrics, server } = app
    // Streams may use half of the connections, and each client an eighth of that half (interface 22.7).
    const most = Math.floor(server.maxConnections / 2)
    const mostOfOneClient = Math.ceil(most / 8)
    const streams = createStreams({ most, mostOfOneClient, observe: metrics.streams })
    const serialize = compileSerializer({
      schema: SubmissionState,
      method: 'GET',
      url: '',
      httpStatus: '200'
    })

    const stateOfSubmission = (value: Submission) => stateOf(serialize(viewOf(value)), isSettled(value))
    const stateOfRecord = (kind: StatusKind) => (record: StatusRecord) =>
      stateOf(JSON.stringify(statusBody(kind, record)), isFinalStatus(record['txstatus']))

    // End streams immediately, so that their clients reconnect to another server.
    app.stopping.addEventListener('abort', streams.endAll)
    app.decorate('events', {
      async read(kind, id) {
        if (kind === 'submission')
          return watched(submissions, id, await submissions.find(id), stateOfSubmission)
        const found = await status.find(kind, id)
        return found && watched(status.pollers[found.kind], id, found.record, stateOfRecord(kind))
      },
      streams
    })
  },
  { name: 'events', dependencies: ['connections', 'drain', 'metrics', 'status', 'submissions'] }
)

function watched<T>(
  { watch }: Pick<Poller<T>, 'watch'>,
  id: string,
  found: T | undefined,
  toState: (value: T) => State
): Watched | undefined {
  if (found === undefined) return undefined
  return { state: toState(found), watch: listener => watch(id, value => listener(toState(value)), found) }
}
