import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '../clock.ts'
import { ServiceError } from '../errors/index.ts'
import { createOriginMatcher } from '../http/origins.ts'
import type { Logger } from '../logger.ts'
import type { NamedFile } from '../named-file.ts'
import { type CallerEntry, hashOf, type Scope } from './key-file.ts'

/** The sender of a request, identified by its API key (interface 24.1). */
export interface Caller {
  readonly name: string
  readonly scopes: readonly Scope[]
  /** Requests per window of the rate limiter; undefined if the limit for addresses applies. */
  readonly quota: number | undefined
}

export interface CallerChanges {
  added: string[]
  changed: string[]
  ended: string[]
}

/** Identifies callers by the hashes of their keys. Reloads the key file when it changes. */
export function createCallers(options: {
  file: NamedFile<CallerEntry>
  clock: Pick<Clock, 'now'>
  log: Logger
  changed: (changes: CallerChanges) => void
}) {
  const { file, clock, log } = options
  let entries = file.current()
  let byHash = index(entries)
  const close = file.follow(log, () => {
    const before = entries
    entries = file.current()
    byHash = index(entries)
    if (!isDeepStrictEqual(before, entries)) options.changed(changesBetween(before, entries))
  })
  return {
    /**
     * @param authorization the `authorization` header
     * @param origin the `origin` header
     * @throws ServiceError KEY_INVALID, or ORIGIN_BLOCKED if pages of this origin may not use the key (interface 24.3)
     */
    identify(authorization: string, origin: string | undefined): Caller {
      const [, key] = /^Bearer +([\x21-\x7e]+) *$/i.exec(authorization) ?? []
      if (key === undefined) throw invalid('must be of the form `Bearer KEY`')
      const found = byHash.get(hashOf(key))
      if (found === undefined) throw invalid('has an unknown key')
      if (found.endedAt !== undefined) throw invalid('has a revoked key')
      const { name, scopes, quota, mayComeFrom, expiresAt } = found
      if (expiresAt !== undefined && Date.parse(expiresAt) <= clock.now()) throw invalid('has an expired key')
      if (origin !== undefined && !mayComeFrom(origin))
        throw new ServiceError('ORIGIN_BLOCKED', `The key of ${name} may not be used from this origin`)
      return { name, scopes, quota }
    },
    close
  }
}

function changesBetween(before: readonly CallerEntry[], after: readonly CallerEntry[]): CallerChanges {
  const changes: CallerChanges = { added: [], changed: [], ended: [] }
  for (const entry of after) {
    const earlier = before.find(({ name }) => name === entry.name)
    if (isDeepStrictEqual(earlier, entry)) continue
    if (entry.endedAt !== undefined && earlier?.endedAt === undefined) changes.ended.push(entry.name)
    else changes[earlier === undefined ? 'added' : 'changed'].push(entry.name)
  }
  const gone = before.filter(({ name }) => !after.some(entry => entry.name === name))
  changes.ended.push(...gone.map(({ name }) => name))
  return changes
}

function invalid(problem: string): ServiceError {
  return new ServiceError('KEY_INVALID', `authorization ${problem}`, {
    details: [{ path: '/authorization', message: problem }],
    headers: { 'www-authenticate': 'Bearer error="invalid_token"' }
  })
}

const index = (callers: readonly CallerEntry[]) =>
  new Map(
    callers.flatMap(caller => {
      const mayComeFrom = createOriginMatcher(caller.origins ?? [])
      return caller.keys.map(({ hash, expiresAt }) => [hash, { ...caller, expiresAt, mayComeFrom }] as const)
    })
  )
