export type Random = ReturnType<typeof createRandom>

/** Hashes a seed and a stream name to 32 bits (FNV-1a), so that adjacent seeds produce unrelated numbers. */
function mix(seed: number, stream: string): number {
  let hash = 0x811c9dc5
  for (const character of `${seed}/${stream}`) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193)
  return hash
}

/**
 * Creates a seeded random number generator, the same on every machine. Streams are independent: leaving out a fault
 * does not change the rest of a schedule.
 */
export function createRandom(seed: number, stream: string) {
  let state = mix(seed, stream)

  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    let bits = Math.imul(state ^ (state >>> 15), 1 | state)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32
  }

  function int(least: number, most: number): number {
    return least + Math.floor(next() * (most - least + 1))
  }

  return {
    next,
    int,
    chance: (probability: number) => next() < probability,
    pick<T>(items: readonly T[]): T {
      const picked = items[int(0, items.length - 1)]
      if (picked === undefined) throw new RangeError('cannot pick from an empty list')
      return picked
    }
  }
}
