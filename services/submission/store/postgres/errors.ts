import { DatabaseError } from 'pg'
import { StoreUnavailableError } from '../errors.ts'

/** The database cannot be used by this program until somebody changes one of the two. */
export class DatabaseUnusableError extends Error {
  override name = 'DatabaseUnusableError'

  constructor(reason: string, options?: ErrorOptions) {
    super(`DATABASE_URL: the database ${reason}`, options)
  }
}

/** Why a database refuses to be used, by SQLSTATE. Its own texts may name users and values. */
const UNUSABLE: Readonly<Record<string, string>> = {
  '28000': 'does not let this user in',
  '28P01': 'does not accept this user and password',
  '3D000': 'does not exist on this server',
  '42501': 'does not give this user the rights that the service needs'
}

/** Why a database cannot be used for a while, by SQLSTATE or its class. */
const UNAVAILABLE: Readonly<Record<string, string>> = {
  '25006': 'is read-only: another server may have taken over',
  '25P03': 'ended a transaction that took too long',
  '57014': 'needed too long for a statement',
  '55P03': 'is locked for too long',
  '53300': 'has no connection left: see max_connections',
  '53100': 'has no disk space left',
  '57P03': 'is starting or shutting down',
  '08': 'lost the connection',
  '53': 'has not enough resources',
  '57': 'is shutting down or was restarted'
}

/** Whether the transaction failed only because of others at the same moment, so that a repetition may succeed. */
export function isCollision(error: unknown): boolean {
  return error instanceof DatabaseError && (error.code === '40001' || error.code === '40P01')
}

/** Whether the server answered, and so said that a statement had no effect. */
export function isDefinite(error: unknown): boolean {
  return error instanceof DatabaseError && error.severity === 'ERROR' && error.code !== '40003'
}

/** Whether the connection that had the error is of no use any more. */
export function isConnectionLost(error: unknown): boolean {
  return !(error instanceof DatabaseError) || error.severity !== 'ERROR' || error.code === '25006'
}

/** The driver's error as the store reports it: one that passes is a StoreUnavailableError. */
export function asStoreError(error: unknown): unknown {
  if (!(error instanceof DatabaseError)) {
    const code = error instanceof Error && 'code' in error ? ` (${error.code})` : ''
    return new StoreUnavailableError(`cannot be reached${code}`, { cause: error })
  }
  const { code = '' } = error
  const unusable = UNUSABLE[code]
  if (unusable !== undefined) return new DatabaseUnusableError(`${unusable} (${code})`, { cause: error })
  const unavailable = UNAVAILABLE[code] ?? UNAVAILABLE[code.slice(0, 2)]
  if (unavailable === undefined) return error
  return new StoreUnavailableError(`${unavailable} (${code})`, { cause: error })
}
