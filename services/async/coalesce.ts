/**
 * Combines all reads in one turn of the event loop into a single call.
 * @param read called with the keys of all callers, possibly with duplicates; all callers share its result or error
 */
export function coalesce<Key, Found>(read: (keys: Key[]) => Promise<Found>): (key: Key) => Promise<Found> {
  let next: { keys: Key[]; found: Promise<Found> } | undefined

  async function readNext(keys: Key[]): Promise<Found> {
    await new Promise(resolve => setImmediate(resolve))
    next = undefined
    return read(keys)
  }

  return key => {
    if (!next) {
      const keys: Key[] = []
      next = { keys, found: readNext(keys) }
    }
    next.keys.push(key)
    return next.found
  }
}
