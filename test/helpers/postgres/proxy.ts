import type { Test } from 'tap'
import { type Relayed, startRelay } from './relay.ts'

/** A proxy between a replica and its database with network faults that a test controls. */
export interface Proxy {
  /** The same database through the proxy. */
  readonly url: string
  /** Stops or resumes forwarding on all connections. */
  silence(isSilent: boolean): void
  /** Breaks the next connection that commits: before the server gets the commit, or before the client gets the response. */
  breakCommit(moment: 'before' | 'after'): void
  /** Replaces a string in the server's output with one of the same length. */
  rewrite(text: string, other: string): void
  /** Ends all connections, and connects new ones to another server. */
  moveTo(port: number): void
}

export async function proxyFor(t: Pick<Test, 'teardown'>, databaseUrl: string): Promise<Proxy> {
  let port = Number(new URL(databaseUrl).port)
  let isSilent = false
  let broken: 'before' | 'after' | undefined
  let replaced: [text: string, other: string] | undefined

  function onConnection({ client, upstream, end }: Relayed): void {
    let isLast = false
    if (isSilent) for (const socket of [client, upstream]) socket.pause()
    client.on('data', data => {
      if (broken !== undefined && data.includes('COMMIT\0')) {
        const moment = broken
        broken = undefined
        if (moment === 'before') return end()
        isLast = true
      }
      upstream.write(data)
    })
    upstream.on('data', data => {
      if (isLast) return end()
      const [text, other] = replaced ?? ['', '']
      client.write(
        replaced === undefined ? data : Buffer.from(data.toString('latin1').replaceAll(text, other), 'latin1')
      )
    })
  }

  const { url, sockets } = await startRelay(t, databaseUrl, onConnection, () => port)
  return {
    url,
    silence(silent) {
      isSilent = silent
      for (const socket of sockets) silent ? socket.pause() : socket.resume()
    },
    breakCommit(moment) {
      broken = moment
    },
    rewrite(text, other) {
      replaced = [text, other]
    },
    moveTo(other) {
      port = other
      for (const socket of sockets) socket.destroy()
    }
  }
}
