/**
 * Options of an LRUCache for so many entries, which takes memory for those that it has. With `max` it would take the memory
 * of all of them at once: together 18 ms of the start and megabytes, for caches that are hardly ever full.
 */
export const upTo = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 })
