/**
 * Makes one read of all that is wanted in a turn of the event loop.
 * @param read gets the keys of all callers, perhaps one of them twice; its result or error is that of each
 */
export function together<Key, Found>(read: (keys: Key[]) => Promise<Found>): (key: Key) => Promise<Found> {
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
