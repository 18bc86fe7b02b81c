import { patientFetch } from '../helpers/patient-fetch.ts'
import { until } from '../helpers/until.ts'

export interface ReceivedEvent {
  id: string
  data: unknown
}

/** Opens a stream on a separate connection. If the response is not a stream, `text` is its body. */
export async function openEvents(url: string, headers: Record<string, string> = {}) {
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
    /** Everything received so far, including heartbeats. */
    get text() {
      return text
    },
    get events() {
      return events()
    },
    first: (count: number) =>
      until(() => events().length >= count && events().slice(0, count), `${url} has sent ${count} events`),
    /** Resolves with all events when the server ends the stream; rejects when the connection breaks. */
    ended,
    leave: () => aborting.abort()
  }
}

export function eventsOf(text: string): ReceivedEvent[] {
  const blocks = text.split('\n\n').slice(0, -1)
  return blocks.flatMap(block => {
    const [, id, data] = /^event: state\nid: (\S+)\ndata: (.*)$/m.exec(block) ?? []
    return id === undefined || data === undefined ? [] : [{ id, data: JSON.parse(data) }]
  })
}
