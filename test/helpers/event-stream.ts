import { patientFetch } from './patient-fetch.ts'
import { until } from './until.ts'

export interface ReceivedEvent {
  id: string
  data: unknown
}

/** An event stream as a client reads it. */
export interface EventClient {
  status: number
  headers: Headers
  /** Everything received so far, including heartbeats. */
  readonly text: string
  /** Events received so far. */
  readonly events: ReceivedEvent[]
  /** Resolves with the first `count` events. */
  first(count: number): Promise<ReceivedEvent[]>
  /** Resolves with all events when the server ends the stream; rejects when the connection breaks. */
  readonly ended: Promise<ReceivedEvent[]>
  leave(): void
}

/** Opens a stream on a separate connection. If the response is not a stream, `text` is its body. */
export async function openEvents(url: string, headers: Record<string, string> = {}): Promise<EventClient> {
  const aborting = new AbortController()
  const response = await patientFetch(url, { headers, signal: aborting.signal })
  let text = ''
  const events = () => eventsOf(text)

  async function read(): Promise<ReceivedEvent[]> {
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true })
    return events()
  }

  const ended = read()
  ended.catch(() => {})
  return {
    status: response.status,
    headers: response.headers,
    get text() {
      return text
    },
    get events() {
      return events()
    },
    first: count =>
      until(() => events().length >= count && events().slice(0, count), `${url} has sent ${count} events`),
    ended,
    leave: () => aborting.abort()
  }
}

/** Parses the complete events of a stream. */
export function eventsOf(text: string): ReceivedEvent[] {
  const blocks = text.split('\n\n').slice(0, -1)
  return blocks.flatMap(block => {
    const [, id, data] = /^event: state\nid: (\S+)\ndata: (.*)$/m.exec(block) ?? []
    return id === undefined || data === undefined ? [] : [{ id, data: JSON.parse(data) }]
  })
}
