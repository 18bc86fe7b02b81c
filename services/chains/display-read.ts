import { type Aged, cachedRead, type ReadObserver } from '../caches/cached-read.ts'
import type { Logger } from '../logger.ts'

/**
 * A cached read of the chain API for display (interface 4.21 to 4.24).
 * @param name the read's name in the log and in the metrics
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
      // Far above the number of pairs of chains, the most keys that any read has.
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
