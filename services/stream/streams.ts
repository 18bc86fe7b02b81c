import { Readable } from 'node:stream'
import { ServiceError } from '../errors/index.ts'
import { createNetworkShares, type Networks } from '../http/network-shares.ts'
import type { Reading } from './watches.ts'

const RETRY = 'retry: 3000\n'
const HEARTBEAT = ':\n\n'
const HEARTBEAT_MS = 15_000

/**
 * Lifetimes of streams in heartbeats, up to an hour. They vary, so that simultaneous streams end at different times.
 */
const LONGEST = 240
const SHORTEST = 200

/** Maximum number of bytes buffered for a slow client, in addition to the newest state. */
const MOST_WAITING = 64 * 1024

export interface StreamRequest {
  networks: Networks
  lastEventId: string | undefined
  isBrief: boolean
}

export type Streams = ReturnType<typeof createStreams>

/**
 * Manages the open event streams (interface 22.1 to 22.8).
 * @param options.observe called with the number of open streams when it changes
 * @param options.mostOfOneClient maximum per client; each network may have twice as many as the next smaller one
 */
export function createStreams(options: {
  most: number
  mostOfOneClient: number
  observe: (open: number) => void
}) {
  const { most, mostOfOneClient, observe } = options
  const shares = createNetworkShares(mostOfOneClient)
  const open = new Set<() => void>()

  function openLong(reading: Reading, { networks, lastEventId }: StreamRequest): Readable {
    if (open.size >= most) throw new ServiceError('STREAMS_BUSY')
    if (shares.isFull(networks)) throw new ServiceError('STREAM_SHARE')
    const stream = new Readable({ read() {} })
    let beatsLeft = LONGEST - Math.floor(Math.random() * (LONGEST - SHORTEST))
    let hasEnded = false

    function send(text: string): void {
      if (hasEnded) return
      if (stream.readableLength > MOST_WAITING) stream.destroy()
      else stream.push(text)
    }

    function end(): void {
      if (hasEnded) return
      hasEnded = true
      stream.push(null)
    }

    function beat(): void {
      beatsLeft -= 1
      // The client has not read the rest since the stream ended, so destroy it.
      if (hasEnded) stream.destroy()
      else if (beatsLeft === 0) end()
      else send(HEARTBEAT)
    }

    const { state, leave } = reading.join(({ message, isFinal }) => {
      send(message)
      if (isFinal) end()
    }, networks[0])
    const beating = setInterval(beat, HEARTBEAT_MS)
    open.add(end)
    shares.count(networks, 1)
    observe(open.size)
    stream.once('close', () => {
      leave()
      clearInterval(beating)
      open.delete(end)
      shares.count(networks, -1)
      observe(open.size)
    })
    send(firstOf(state, lastEventId))
    return stream
  }

  return {
    /**
     * Opens a stream. Sends the current state, unless the client already has it, and every later state up to the final
     * one.
     * @throws ServiceError STREAMS_BUSY, STREAM_SHARE
     */
    open(reading: Reading, request: StreamRequest): Readable {
      if (!request.isBrief && !reading.state.isFinal) return openLong(reading, request)
      return Readable.from([firstOf(reading.state, request.lastEventId)])
    },
    endAll(): void {
      for (const end of [...open]) end()
    }
  }
}

function firstOf({ id, message }: Reading['state'], lastEventId: string | undefined): string {
  return `${RETRY}${id === lastEventId ? '\n' : message}`
}
