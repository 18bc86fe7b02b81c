/**
 * Options of an LRUCache for so many entries, which takes memory for those that it has. With `max` it would take the memory
 * of all of them at once: a tenth of a second's start and megabytes for caches that are hardly ever full.
 */
export const upTo = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 })
