import { unwatchFile, watchFile } from 'node:fs'
import type { Clock } from '../clock.ts'
import { ServiceError } from '../errors/index.ts'
import { createOriginMatcher } from '../http/origins.ts'
import type { Logger } from '../logger.ts'
import { type CallerEntry, hashOf, type Scope } from './key-file.ts'

/** Who sent a request, as its API key says (interface 24.1). */
export interface Caller {
  readonly name: string
  readonly scopes: readonly Scope[]
  /** Requests in a window of the rate limiter; undefined for as many as an address without a key has. */
  readonly quota: number | undefined
}

export interface Callers {
  /**
   * Who a key belongs to.
   * @param authorization the header
   * @param origin the header of a browser's request
   * @throws ServiceError KEY_INVALID for a key that does not exist, has expired or was ended
   * @throws ServiceError ORIGIN_BLOCKED when the caller may not use it from that page (interface 24.3)
   */
  identify(authorization: string, origin: string | undefined): Caller
  close(): void
}

/** How often the file of API keys is looked at, in milliseconds. */
const WATCH_MS = 1000

/**
 * Knows callers by the hashes of their keys, and follows the file in which these are. While the file cannot be used, the callers that it
 * had before stay, and the log says so.
 * @param options.read the present callers in the file
 * @throws what `read` throws at first
 */
export function createCallers(options: {
  path: string
  read: () => CallerEntry[]
  clock: Pick<Clock, 'now'>
  log: Logger
}): Callers {
  const { path, read, clock, log } = options
  let byHash = index(read())

  function readAgain(): void {
    try {
      byHash = index(read())
      log.info({ callers: new Set([...byHash.values()].map(({ name }) => name)).size }, 'API keys were read')
    } catch (err) {
      log.error({ err }, 'the file of API keys cannot be used; the keys that were read before stay')
    }
  }

  watchFile(path, { interval: WATCH_MS, persistent: false }, readAgain)
  return {
    identify(authorization, origin) {
      const [, key] = /^Bearer +([\x21-\x7e]+) *$/i.exec(authorization) ?? []
      if (key === undefined) throw invalid('must be of the form `Bearer KEY`')
      const found = byHash.get(hashOf(key))
      if (found === undefined) throw invalid('has a key that does not exist')
      if (found.endedAt !== undefined) throw invalid('has a key that was ended')
      if (found.expiresAt <= clock.now()) throw invalid('has a key that has expired')
      if (origin !== undefined && !found.mayComeFrom(origin))
        throw new ServiceError('ORIGIN_BLOCKED', `The key of ${found.name} may not be used by this origin`)
      return found
    },
    close: () => unwatchFile(path, readAgain)
  }
}

function invalid(problem: string): ServiceError {
  return new ServiceError('KEY_INVALID', `authorization ${problem}`, {
    details: [{ path: '/authorization', message: problem }],
    headers: { 'www-authenticate': 'Bearer error="invalid_token"' }
  })
}

interface KnownCaller extends Caller {
  endedAt: string | undefined
  expiresAt: number
  mayComeFrom(origin: string): boolean
}

function index(callers: readonly CallerEntry[]): Map<string, KnownCaller> {
  return new Map(
    callers.flatMap(({ name, scopes, quota, origins = [], keys, endedAt }) => {
      const mayComeFrom = createOriginMatcher(origins)
      return keys.map(({ hash, expiresAt }): [string, KnownCaller] => [
        hash,
        {
          name,
          scopes,
          quota,
          endedAt,
          expiresAt: expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(expiresAt),
          mayComeFrom
        }
      ])
    })
  )
}
