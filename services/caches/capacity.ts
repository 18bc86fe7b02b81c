/**
 * Options of an LRUCache with a maximum number of entries. It only allocates memory for existing entries. With `max` it
 * would allocate all of it in advance: for all caches together 18 ms of startup and megabytes, although they are hardly
 * ever full.
 */
export const upTo = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 })
