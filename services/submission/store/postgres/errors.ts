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

/** Why the database refuses access, by SQLSTATE. The server's own messages can contain user names and values. */
const UNUSABLE: Readonly<Record<string, string>> = {
  // The server itself accepts every initial setting, so the error comes from a pooler.
  '08P01': BEHIND_POOLER,
  '28000': 'rejects this user: another user, TLS (sslmode) or a client certificate is required',
  '28P01': 'rejects this user name or password',
  '3D000': 'does not exist on this server',
  '42501': 'does not grant this user the privileges that the service needs'
}

/** Why a TLS connection fails, by error code. */
const NOT_TRUSTED: readonly [code: RegExp, reason: string][] = [
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'has a certificate for a host other than the one in the URL'],
  [/^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/, 'has a certificate that has expired or is not valid yet'],
  [
    /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|INVALID_)/,
    'has a certificate that is not trusted: see sslrootcert'
  ]
]

/** The driver's error message for a server without TLS. The error has no code. */
const NO_TLS = 'The server does not support SSL connections'

/** Why the database is temporarily unavailable, by SQLSTATE or its class. */
const UNAVAILABLE: Readonly<Record<string, string>> = {
  '25006': 'is read-only: another server may have taken over',
  '25P03': 'ended a transaction that took too long',
  '57014': 'canceled a statement that took too long',
  '55P03': 'was locked for too long',
  '53300': 'has no connections left: see max_connections',
  '53100': 'has no disk space left',
  '57P03': 'is starting or shutting down',
  '08': 'lost the connection',
  '53': 'is out of resources',
  '57': 'is shutting down or was restarted'
}

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

/** Converts a driver error to a StoreUnavailableError, unless it shows a defect. */
export function asStoreError(error: unknown): unknown {
  if (error instanceof StoreUnavailableError) return error
  if (!(error instanceof DatabaseError)) return asConnectionError(error)
  const { code = '' } = error
  const unusable = UNUSABLE[code]
  if (unusable !== undefined) return new DatabaseUnusableError(`${unusable} (${code})`, { cause: error })
  const unavailable = UNAVAILABLE[code] ?? UNAVAILABLE[code.slice(0, 2)]
  if (unavailable === undefined) return error
  return new StoreUnavailableError(`${unavailable} (${code})`, { cause: error })
}

function asConnectionError(error: unknown): StoreUnavailableError {
  if (error instanceof Error && error.message === NO_TLS) {
    return new DatabaseUnusableError('does not support TLS, which sslmode requires', { cause: error })
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const named = code === '' ? '' : ` (${code})`
  const [, reason] = NOT_TRUSTED.find(([pattern]) => pattern.test(code)) ?? []
  if (reason !== undefined) return new DatabaseUnusableError(`${reason}${named}`, { cause: error })
  return new StoreUnavailableError(`cannot be reached${named}`, { cause: error })
}
