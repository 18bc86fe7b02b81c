/**
 * Returns LRUCache options for a maximum number of entries, so that memory is allocated only for existing entries. With
 * `max`, LRUCache allocates all memory in advance. For all caches together, that would take 18 ms of startup and
 * several megabytes, although the caches are rarely full.
 */
export const upTo = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 })
