/** The hashes of the transactions seen last. Eviction is oldest-first, as in CometBFT's LRU cache. */
export class TxCache {
  readonly #size: number
  readonly #hashes = new Set<string>()

  constructor(size: number) {
    this.#size = size
  }

  /** Adds a hash as the newest. @returns false when it was there already */
  push(hash: string): boolean {
    const isNew = !this.#hashes.delete(hash)
    this.#hashes.add(hash)
    if (this.#hashes.size > this.#size) this.#dropOldest()
    return isNew
  }

  remove(hash: string): void {
    this.#hashes.delete(hash)
  }

  #dropOldest(): void {
    for (const oldest of this.#hashes) {
      this.#hashes.delete(oldest)
      return
    }
  }
}
