import { asClientError, type Context, failureOf } from './ask.ts'
import { EventStreamParser } from './event-stream-parser.ts'
import { startDeadline } from './timing.ts'
import { isTransient } from './verdicts.ts'

/** How long to wait for the service to close the stream after the final state. */
const ENDING_MS = 1_000

/** A stream of server-sent events that resumes after the last event, like a browser's EventSource. */
export class EventStream {
  /** False once the service has rejected the stream or no event has arrived in time. The caller then polls. */
  isUsable = true
  /** True after the last state: the service responded 204 to a reconnect, or the reader got a final state and set it. */
  isOver = false
  /** How long to wait before reopening the stream, in milliseconds. */
  retry = 3_000
  /** When the last bytes arrived, on the client's clock. */
  heardAt = 0
  #hasStates = false
  #lastEventId = ''
  readonly #context: Context
  readonly #path: string

  constructor(context: Context, path: string) {
    this.#context = context
    this.#path = path
  }

  /**
   * Yields the JSON of each `state` event until the stream ends.
   * Sets `isUsable` to false if the service rejects the stream or a timeout ends it.
   * @throws ClientError on a transient error, an interruption or an abort
   */
  async *open(signal: AbortSignal | undefined): AsyncGenerator<unknown, void, void> {
    const { fetch, baseUrl, timing } = this.#context
    const deadline = startDeadline(signal, timing.firstStateMs)
    let reader: ReadableStreamDefaultReader<Uint8Array> | undefined
    try {
      const headers = {
        accept: 'text/event-stream',
        ...(this.#lastEventId !== '' && { 'last-event-id': this.#lastEventId })
      }
      const request = new Request(baseUrl + this.#path, { headers, signal: deadline.signal })
      const response = await deadline.race(fetch(request))
      this.isOver = response.status === 204 && this.#lastEventId !== ''
      if (this.isOver) return
      const body = response.ok || deadline.race(response.json().catch(() => undefined))
      const failure = response.ok ? undefined : failureOf(await body, response)
      if (failure && isTransient(failure)) throw failure
      const type = response.headers.get('content-type') ?? ''
      if (failure || !/^text\/event-stream\b/i.test(type)) {
        this.isUsable = false
        return
      }
      reader = response.body?.getReader()
      const parser = new EventStreamParser()
      for (;;) {
        const { value } = reader ? await deadline.race(reader.read()) : {}
        if (value === undefined) return
        this.heardAt = timing.now()
        const events = parser.push(value)
        this.retry = parser.retry ?? this.retry
        for (const { type, data } of events) {
          if (type !== 'state') continue
          // No timeout while the caller processes the state.
          deadline.hold()
          this.#hasStates = true
          yield JSON.parse(data)
          if (this.isOver) break
        }
        this.#lastEventId = parser.lastEventId
        // Let the service close the stream: if the client closed it, browsers would show a failed request.
        if (this.#hasStates) deadline.extend(this.isOver ? ENDING_MS : timing.silenceMs)
      }
    } catch (error) {
      if (this.isOver) return
      if (signal?.aborted || !deadline.signal.aborted) throw asClientError(error, signal)
      this.isUsable = false
    } finally {
      deadline.end()
      reader?.cancel().catch(() => {})
    }
  }
}
