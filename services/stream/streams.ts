import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { ServiceError } from '../errors/index.ts'

const RETRY = 'retry: 3000\n'
const HEARTBEAT = ':\n\n'
const HEARTBEAT_MS = 15_000

/**
 * Lifetimes of streams in heartbeats, up to an hour. They vary, so that simultaneous streams end at different times.
 */
const MAX_BEATS = 240
const MIN_BEATS = 200

/** Maximum number of bytes buffered for a slow client, in addition to the newest state. */
const MAX_BUFFERED = 64 * 1024

/** Long enough to distinguish the states of a single id. */
const ID_LENGTH = 16

/** A state in an event stream (interface 22.2). */
export interface State {
  id: string
  message: string
  isFinal: boolean
}

/** @param body JSON without line breaks */
export function stateOf(body: string, isFinal: boolean): State {
  const id = createHash('sha256').update(body).digest('base64url').slice(0, ID_LENGTH)
  return { id, message: `event: state\nid: ${id}\ndata: ${body}\n\n`, isFinal }
}

export interface StreamRequest {
  client: string
  lastEventId: string | undefined
  /** Calls the listener with the current state and each later one. Returns a function that stops watching. */
  watch(listener: (state: State) => void): () => void
}

export interface Streams {
  /**
   * Opens a stream. Sends the current state, unless the client already has it, and every later state up to the final
   * one.
   * @throws ServiceError STREAMS_BUSY, STREAM_SHARE if too many streams are open, in total or for this client
   */
  open(request: StreamRequest): Readable
  endAll(): void
}

/**
 * Manages the open event streams (interface 22.1 to 22.8).
 * @param options.observe called with the number of open streams when it changes
 */
export function createStreams(options: {
  most: number
  mostOfOneClient: number
  observe: (open: number) => void
}): Streams {
  const { most, mostOfOneClient, observe } = options
  const open = new Set<{ client: string; end: () => void }>()

  return {
    open({ client, lastEventId, watch }) {
      if (open.size >= most) throw new ServiceError('STREAMS_BUSY')
      const ofClient = [...open].filter(other => other.client === client)
      if (ofClient.length >= mostOfOneClient) throw new ServiceError('STREAM_SHARE')
      const stream = new Readable({ read() {} })
      let beatsLeft = MAX_BEATS - Math.floor(Math.random() * (MAX_BEATS - MIN_BEATS))
      let sentId = lastEventId
      let hasEnded = false

      function send(text: string): void {
        if (hasEnded) return
        if (stream.readableLength > MAX_BUFFERED) stream.destroy()
        else stream.push(text)
      }

      function end(): void {
        if (hasEnded) return
        hasEnded = true
        stream.push(null)
      }

      function beat(): void {
        beatsLeft -= 1
        if (beatsLeft === 0) end()
        else send(HEARTBEAT)
      }

      send(RETRY)
      const leave = watch(({ id, message, isFinal }) => {
        if (id !== sentId) send(message)
        sentId = id
        if (isFinal) end()
      })
      const beating = setInterval(beat, HEARTBEAT_MS)
      const counted = { client, end }
      open.add(counted)
      observe(open.size)
      stream.once('close', () => {
        leave()
        clearInterval(beating)
        open.delete(counted)
        observe(open.size)
      })
      return stream
    },
    endAll() {
      for (const { end } of [...open]) end()
    }
  }
}

/** Returns a stream of only the current state, unless the client already has it. */
export const briefStream = ({ id, message }: State, lastEventId: string | undefined): Readable =>
  Readable.from([RETRY + (id === lastEventId ? '' : message)])
