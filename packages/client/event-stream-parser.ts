/** A server-sent event. */
export interface StreamEvent {
  type: string
  data: string
}

/** The service sends no longer field. The limit keeps an endless line from filling the memory. */
const LONGEST_LINE = 1_048_576

/** Parses `text/event-stream` by the HTML standard ("Parsing an event stream"). Chunks may be split at any byte. */
export class EventStreamParser {
  /** The id to send when reconnecting. */
  lastEventId = ''
  /** The wait before reconnecting, in milliseconds, if the stream has set it. */
  retry: number | undefined
  // Drops a byte order mark and buffers incomplete characters.
  readonly #decoder = new TextDecoder()
  #rest = ''
  #afterReturn = false
  #type = ''
  #data = ''
  #id: string | undefined

  /**
   * @returns the events completed by these bytes
   * @throws RangeError when a line or an event is too long
   */
  push(bytes: Uint8Array): StreamEvent[] {
    const events: StreamEvent[] = []
    let text = this.#decoder.decode(bytes, { stream: true })
    if (text === '') return events
    if (this.#afterReturn && text.startsWith('\n')) text = text.slice(1)
    // The LF of a CRLF may come with the next bytes.
    this.#afterReturn = text === '' ? false : text.endsWith('\r')
    const lines = (this.#rest + text).split(/\r\n|\n|\r/)
    this.#rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line !== '') this.#readLine(line)
      else this.#dispatch(events)
    }
    if (this.#rest.length + this.#data.length > LONGEST_LINE) throw new RangeError('The event is too long')
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
