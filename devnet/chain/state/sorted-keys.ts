const MAX_CHUNK = 512

/** The position of the first of `sorted` that is not below `key`. */
function lowerBound(sorted: readonly string[], key: string): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] as string) < key) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * A set of strings in ascending order, kept in chunks so that adding and deleting never moves more than a few hundred
 * of them: state may hold millions of keys, and blocks must not take longer for it.
 */
export class SortedKeys {
  #chunks: string[][] = [[]]

  add(key: string): void {
    const at = this.#chunkOf(key)
    const chunk = this.#chunks[at] as string[]
    const index = lowerBound(chunk, key)
    if (chunk[index] === key) return
    chunk.splice(index, 0, key)
    if (chunk.length > MAX_CHUNK) this.#chunks.splice(at + 1, 0, chunk.splice(MAX_CHUNK / 2))
  }

  delete(key: string): void {
    const at = this.#chunkOf(key)
    const chunk = this.#chunks[at] as string[]
    const index = lowerBound(chunk, key)
    if (chunk[index] !== key) return
    chunk.splice(index, 1)
    if (chunk.length === 0 && this.#chunks.length > 1) this.#chunks.splice(at, 1)
  }

  /** The keys that start with `prefix`. */
  withPrefix(prefix: string): string[] {
    const found: string[] = []
    let at = this.#chunkOf(prefix)
    let index = lowerBound(this.#chunks[at] as string[], prefix)
    for (; at < this.#chunks.length; at++, index = 0) {
      const chunk = this.#chunks[at] as string[]
      for (; index < chunk.length; index++) {
        const key = chunk[index] as string
        if (!key.startsWith(prefix)) return found
        found.push(key)
      }
    }
    return found
  }

  /** The only chunk that can hold `key`: the last one that starts at or below it. */
  #chunkOf(key: string): number {
    let low = 0
    let high = this.#chunks.length - 1
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if (((this.#chunks[middle] as string[])[0] as string) <= key) low = middle
      else high = middle - 1
    }
    return low
  }
}
