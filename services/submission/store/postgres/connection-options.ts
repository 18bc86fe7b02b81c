import { type ClientConfig, types } from 'pg'
import type { DatabaseAddress } from './database-url.ts'

const INT8 = 20

/** How long each side waits for the other, in milliseconds. A transaction of the store takes a few milliseconds. */
export const LIMITS = {
  connectionTimeoutMillis: 5000,
  // A replica that stops in the middle of a transaction does not make others wait for long.
  idle_in_transaction_session_timeout: 3000,
  lock_timeout: 5000,
  statement_timeout: 7000,
  // Longer than what the server itself allows, so that only a lost connection ends this way.
  query_timeout: 9000
} as const

/** The options of every connection to the database. */
export function connectionOptions(address: DatabaseAddress): ClientConfig {
  return {
    ...address,
    ...LIMITS,
    application_name: 'transaction-back-end',
    // Statements that are sent together share a round trip.
    pipeline: true,
    // The server ends the connections of a machine that is gone within a minute.
    options: '-c tcp_keepalives_idle=30 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3',
    keepAlive: true,
    keepAliveInitialDelayMillis: 5000,
    types: {
      getTypeParser: (oid, format) => (oid === INT8 ? exactInteger : types.getTypeParser(oid, format))
    }
  }
}

/** Text where a number would not be exact, which the shape of the row then refuses. */
function exactInteger(text: string): number | string {
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : text
}
