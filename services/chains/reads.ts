import type { Static, TSchema } from '@sinclair/typebox'
import { type Aged, cachedRead } from '../caches/cached-read.ts'
import type { Logger } from '../logger.ts'
import type { SchemaCheck } from '../schema-check.ts'
import type { ChainApi } from '../upstream/chain-api.ts'
import { UpstreamError } from '../upstream/errors.ts'

/** Creates cached reads of the chain API (interface 4.22, 19.4), which convert each response only once. */
export function createChainReads(chainApi: Pick<ChainApi, 'name' | 'get'>, log: Logger) {
  /** Creates a read of the items below a path. `from` gets undefined for an item that the chain does not have. */
  function byKey<T extends TSchema, U>(
    path: string,
    shape: SchemaCheck<T>,
    from: (response: Static<T> | undefined) => U
  ): (key: string) => Promise<Aged<U>> {
    return cachedRead(
      {
        // Far more than the number of chain pairs.
        maxKeys: 1_000,
        freshMs: 10_000,
        stale: { maxAgeMs: 600_000, waitAboveMs: 60_000, waitMs: 1_000 },
        onFailing: (key, err) =>
          log.warn({ err, read: path, key }, 'chain API read failed; serving the last value, if any'),
        onRecovered: key => log.info({ read: path, key }, 'chain API read recovered')
      },
      async key => from(await chainApi.get(key === '' ? path : `${path}/${key}`, shape))
    )
  }

  function single<T extends TSchema, U>(
    path: string,
    shape: SchemaCheck<T>,
    from: (response: Static<T>) => U
  ): () => Promise<Aged<U>> {
    const read = byKey(path, shape, response => {
      if (response === undefined) throw new UpstreamError(chainApi.name, `${path} was not found`)
      return from(response)
    })
    return () => read('')
  }

  return { single, byKey }
}
