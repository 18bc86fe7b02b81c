import type { Clock } from '../clock.ts'
import { ServiceError } from '../errors/index.ts'
import { createOriginMatcher } from '../http/origins.ts'
import { type CallerEntry, hashOf, type Scope } from './key-file.ts'

/** The sender of a request, identified by its API key (interface 24.1). */
export interface Caller {
  readonly name: string
  readonly scopes: readonly Scope[]
  /** Requests per minute; undefined if the limit for addresses applies. */
  readonly quota: number | undefined
  /** Whether pages carry the key, so that each of their visitors is a client of its own (interface 24.4). */
  readonly isOfPages: boolean
}

/** Identifies callers by the hashes of their keys. */
export function createCallers(entries: readonly CallerEntry[], clock: Pick<Clock, 'now'>) {
  const byHash = new Map(
    entries.flatMap(({ name, scopes, quota, origins = [], keys }) => {
      const caller: Caller = { name, scopes, quota, isOfPages: origins.length > 0 }
      const mayComeFrom = createOriginMatcher(origins)
      return keys.map(({ hash, expiresAt }) => [hash, { caller, mayComeFrom, expiresAt }] as const)
    })
  )
  return {
    /**
     * @param authorization the `authorization` header
     * @param origin the `origin` header
     * @throws ServiceError KEY_INVALID, or ORIGIN_BLOCKED if pages of this origin may not use the key (interface 24.8)
     */
    identify(authorization: string, origin: string | undefined): Caller {
      const [, key] = /^Bearer +([\x21-\x7e]+) *$/i.exec(authorization) ?? []
      if (key === undefined) throw invalid('must be of the form `Bearer KEY`')
      const found = byHash.get(hashOf(key))
      if (found === undefined) throw invalid('has an unknown key')
      const { caller, mayComeFrom, expiresAt } = found
      if (expiresAt !== undefined && Date.parse(expiresAt) <= clock.now()) throw invalid('has an expired key')
      if (origin !== undefined && !mayComeFrom(origin))
        throw new ServiceError('ORIGIN_BLOCKED', `The key of ${caller.name} may not be used from this origin`)
      return caller
    }
  }
}

function invalid(problem: string): ServiceError {
  return new ServiceError('KEY_INVALID', `authorization ${problem}`, {
    details: [{ path: '/authorization', message: problem }],
    headers: { 'www-authenticate': 'Bearer error="invalid_token"' }
  })
}
