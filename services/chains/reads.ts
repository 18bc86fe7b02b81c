import type { Static, TSchema } from '@sinclair/typebox'
import { type Aged, cachedRead, type ReadObserver } from '../caches/cached-read.ts'
import type { Logger } from '../logger.ts'
import type { SchemaCheck } from '../schema-check.ts'
import type { ChainApi } from '../upstream/chain-api.ts'
import { UpstreamError } from '../upstream/errors.ts'

/**
 * Creates reads of the chain API (interface 19.4), each with its own cache. A response is converted for clients when it
 * arrives, once for all readers.
 */
export function createChainReads(
  chainApi: Pick<ChainApi, 'name' | 'get'>,
  log: Logger,
  observeReads: ((cache: string) => ReadObserver) | undefined
) {
  return {
    single<T extends TSchema, U>(
      path: string,
      shape: SchemaCheck<T>,
      from: (answer: Static<T>) => U
    ): () => Promise<Aged<U>> {
      async function load(): Promise<U> {
        const answer = await chainApi.get(path, shape)
        if (answer === undefined) throw new UpstreamError(chainApi.name, `nothing at ${path}`)
        return from(answer)
      }
      const read = displayRead(path, load, log, observeReads)
      return () => read('')
    },

    /** Reads an item below the path, which the chain may not have. */
    byKey<T extends TSchema, U>(
      path: string,
      shape: SchemaCheck<T>,
      from: (answer: Static<T> | undefined) => U
    ): (key: string) => Promise<Aged<U>> {
      const load = async (key: string) => from(await chainApi.get(`${path}/${key}`, shape))
      return displayRead(path, load, log, observeReads)
    }
  }
}

/**
 * A cached read of the chain API for display (interface 4.21 to 4.24).
 * @param name name of the read in the log and the metrics
 */
export function displayRead<T>(
  name: string,
  load: (key: string) => Promise<T>,
  log: Logger,
  observeReads?: (cache: string) => ReadObserver
): (key: string) => Promise<Aged<T>> {
  const onRead = observeReads?.(name)
  return cachedRead(
    {
      ...(onRead && { onRead }),
      // Far more than the number of chain pairs, the largest set of keys of any read.
      maxKeys: 1_000,
      freshMs: 10_000,
      stale: { maxAgeMs: 600_000, waitAboveMs: 60_000, waitMs: 1_000 },
      onFailing: (key, err) =>
        log.warn({ err, read: name, key }, 'a read failed; serving the last answer, if any'),
      onRecovered: key => log.info({ read: name, key }, 'a read that failed works again')
    },
    load
  )
}
