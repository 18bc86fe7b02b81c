/** A message of a stream of server-sent events. */
export interface StreamEvent {
  type: string
  data: string
}

/** No field of the service's streams is longer; a stream that is one endless line must not fill the memory. */
const LONGEST_LINE = 1_048_576

/**
 * Reads `text/event-stream` as the HTML standard says ("Parsing an event stream"), from bytes that may be cut anywhere.
 */
export class EventStreamParser {
  /** The id to reconnect with. */
  lastEventId = ''
  /** How long to wait before that, in milliseconds, where the stream says so. */
  retry: number | undefined
  // Drops a byte order mark, and keeps the bytes of a character that is not complete.
  readonly #decoder = new TextDecoder()
  #rest = ''
  #afterReturn = false
  #type = ''
  #data = ''
  #id: string | undefined

  /**
   * @returns the events that these bytes complete
   * @throws RangeError when a line or an event is too long
   */
  push(bytes: Uint8Array): StreamEvent[] {
    const events: StreamEvent[] = []
    let text = this.#decoder.decode(bytes, { stream: true })
    if (text === '') return events
    if (this.#afterReturn && text.startsWith('\n')) text = text.slice(1)
    // The feed of a CRLF may come with the next bytes.
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
