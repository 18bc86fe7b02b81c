import type { Test } from 'tap'
import { startRelay } from './relay.ts'

/** Counts of what clients have sent to a database, over all connections. */
export interface Traffic {
  statements: number
  /** Number of round trips: waits for a response before sending more. Statements sent together share a round trip. */
  roundTrips: number
  /** Transactions with several statements, and statements outside of one. */
  transactions: number
}

export interface Wire {
  /** The same database, through the counter. */
  url: string
  traffic(): Traffic
  /** Number of statements that were liveness checks, which a connection sends every two seconds. */
  checks(): number
}

/** A message starts with a letter and a length. The length includes itself but not the letter. */
const LETTER_BYTES = 1
const LENGTH_BYTES = 4

const STATEMENTS = new Set(['E', 'Q'])

/** The query of a liveness check. */
const CHECK = Buffer.from('SELECT\0')

/** `ReadyForQuery`, whose one byte is `I` outside of a transaction. */
const READY = 'Z'
const IDLE = 'I'

/** Splits a stream of the PostgreSQL protocol into its messages. @param plain number of initial messages without a letter */
function messageReader(plain: number, onMessage: (letter: string, body: Buffer) => void) {
  let rest: Buffer = Buffer.alloc(0)
  let left = plain
  return (data: Buffer) => {
    rest = rest.length === 0 ? data : Buffer.concat([rest, data])
    for (;;) {
      const head = left > 0 ? 0 : LETTER_BYTES
      if (rest.length < head + LENGTH_BYTES) return
      const end = head + rest.readUInt32BE(head)
      if (rest.length < end) return
      if (left > 0) left -= 1
      else onMessage(rest.toString('latin1', 0, LETTER_BYTES), rest.subarray(head + LENGTH_BYTES, end))
      rest = rest.subarray(end)
    }
  }
}

/** Relays between a service and its database, without TLS, and counts the traffic. */
export async function startWire(t: Pick<Test, 'teardown'>, databaseUrl: string): Promise<Wire> {
  const traffic = { statements: 0, roundTrips: 0, transactions: 0 }
  let checks = 0

  const { url } = await startRelay(t, databaseUrl, ({ client, upstream }) => {
    let isAnswered = false
    let isReady = false
    const fromClient = messageReader(1, (letter, body) => {
      if (STATEMENTS.has(letter)) traffic.statements += 1
      if (CHECK.equals(body)) checks += 1
    })
    const fromServer = messageReader(0, (letter, body) => {
      if (letter !== READY) return
      // The first ReadyForQuery ends the login.
      if (isReady && body.toString('latin1') === IDLE) traffic.transactions += 1
      isReady = true
    })

    client.on('data', data => {
      if (isReady && isAnswered) traffic.roundTrips += 1
      isAnswered = false
      fromClient(data)
      upstream.write(data)
    })
    upstream.on('data', data => {
      isAnswered = true
      fromServer(data)
      client.write(data)
    })
  })
  return { url, traffic: () => ({ ...traffic }), checks: () => checks }
}
