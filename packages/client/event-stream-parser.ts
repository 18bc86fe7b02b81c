export interface StreamEvent {
  type: string
  data: string
}

/** Limits memory use in case a line never ends. The service's lines are always shorter. */
const MAX_LINE = 1_048_576

/** Parses `text/event-stream` as the HTML standard specifies. The stream can be split into chunks at any byte. */
export class EventStreamParser {
  /** The `last-event-id` header to send when reconnecting. */
  lastEventId = ''
  /** How long to wait before reconnecting, in milliseconds, if the stream has set it. */
  retry: number | undefined
  // Also removes a byte order mark.
  readonly #decoder = new TextDecoder()
  #rest = ''
  #afterReturn = false
  #type = ''
  #data = ''
  #id: string | undefined

  /** @returns the events that are now complete @throws RangeError when a line or an event is too long */
  push(bytes: Uint8Array): StreamEvent[] {
    const events: StreamEvent[] = []
    let text = this.#decoder.decode(bytes, { stream: true })
    if (text === '') return events
    if (this.#afterReturn && text.startsWith('\n')) text = text.slice(1)
    // A CR and its LF might arrive in different chunks.
    this.#afterReturn = text === '' ? false : text.endsWith('\r')
    const lines = (this.#rest + text).split(/\r\n|\n|\r/)
    this.#rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line !== '') this.#readLine(line)
      else this.#dispatch(events)
    }
    if (this.#rest.length + this.#data.length > MAX_LINE) throw new RangeError('The event is too long')
    return events
  }

  #readLine(line: string): void {
    const colon = line.indexOf(':')
    const name = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (name === 'event') this.#type = value
    else if (name === 'data') this.#data += `${value}\n`
    else if (name === 'id' && !value.includes('\0')) this.#id = value
    else if (name === 'retry' && /^[0-9]+$/.test(value)) this.retry = Number(value)
  }

  #dispatch(events: StreamEvent[]): void {
    if (this.#id !== undefined) this.lastEventId = this.#id
    if (this.#data !== '') events.push({ type: this.#type || 'message', data: this.#data.slice(0, -1) })
    this.#type = ''
    this.#data = ''
  }
}
