import { DatabaseError } from 'pg'
import { CollisionError, StoreUnavailableError } from '../../errors.ts'

/** The database cannot be used until an operator acts. */
export class DatabaseUnusableError extends StoreUnavailableError {
  override name = 'DatabaseUnusableError'

  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options)
    this.message = `DATABASE_URL: ${this.message}`
  }
}

/** A pooler drops a connection's initial timeouts. It can also share the connection, with its locks and notifications. */
export const BEHIND_POOLER =
  'is behind a pooler, which is not supported: use the address of the server itself'

/** SQLSTATEs and error codes that need an operator. The server's own messages can contain user names and values. */
const UNUSABLE: readonly [code: RegExp, reason: string][] = [
  // The server itself accepts every initial setting, so the error comes from a pooler.
  [/^08P01$/, BEHIND_POOLER],
  [
    /^(28|3D|42501)/,
    'refuses access: check the user, the password, the database, its privileges and sslmode'
  ],
  [
    /^(ERR_TLS_CERT_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|INVALID_)/,
    'has a certificate that is not valid for this host or not trusted: see sslmode (by default verify-full, except in private networks) and sslrootcert'
  ]
]

/** The driver's error message for a server without TLS. The error has no code. */
const NO_TLS = 'The server does not support SSL connections'

/** SQLSTATEs and classes of errors that pass: a lost connection, no resources, a restart, a time limit or a lock. */
const UNAVAILABLE = /^(08|53|57|25P03|55P03)/

/** The SQLSTATEs of a serialization failure, a deadlock, and a reference to a row that was just deleted. */
const COLLISIONS: readonly unknown[] = ['40001', '40P01', '23503']

/** Whether the transaction failed only because of concurrent transactions, so that a retry might succeed. */
export function isCollision(error: unknown): boolean {
  return (
    error instanceof CollisionError || (error instanceof DatabaseError && COLLISIONS.includes(error.code))
  )
}

export function isConnectionLost(error: unknown): boolean {
  return !(error instanceof DatabaseError) || error.severity !== 'ERROR' || error.code === '25006'
}

/** Converts a driver error to a StoreUnavailableError. Returns an error unchanged if a bug is its cause. */
export function asStoreError(error: unknown): unknown {
  if (error instanceof StoreUnavailableError) return error
  const cause = error
  if (error instanceof Error && error.message === NO_TLS)
    return new DatabaseUnusableError(
      'does not support TLS, which sslmode (by default verify-full, except in private networks) requires',
      { cause }
    )
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const named = code === '' ? '' : ` (${code})`
  const [, reason] = UNUSABLE.find(([pattern]) => pattern.test(code)) ?? []
  if (reason !== undefined) return new DatabaseUnusableError(`${reason}${named}`, { cause })
  if (!(error instanceof DatabaseError))
    return new StoreUnavailableError(`cannot be reached${named}`, { cause })
  if (code === '25006')
    return new StoreUnavailableError(`is read-only: another server may have taken over${named}`, { cause })
  return UNAVAILABLE.test(code) ? new StoreUnavailableError(`is unavailable${named}`, { cause }) : error
}
