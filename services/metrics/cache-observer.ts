import type { ReadObserver, ReadResult } from '../caches/cached-read.ts'
import type { Instruments } from './instruments.ts'

/** How often a cache was read, by what the read found. */
export type CacheCounts = Record<ReadResult, number>

/** Reports the reads of each cache. They are counted in plain numbers, because a read is shorter than a call of the counter. */
export function createCacheObservers({
  cacheCounts,
  cacheAge
}: Instruments): (cache: string) => ReadObserver {
  return cache => {
    const observeAge = cacheAge.child({ cache })
    const counts: CacheCounts = { fresh: 0, stale: 0, fetched: 0, failed: 0 }
    cacheCounts.set(cache, counts)
    return (result, ageSeconds) => {
      counts[result] += 1
      if (ageSeconds !== undefined) observeAge(ageSeconds)
    }
  }
}
