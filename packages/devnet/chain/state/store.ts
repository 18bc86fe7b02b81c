import type { StateView } from './state.ts'

export type Store = ReturnType<typeof createStore>

/** Creates a store that keeps `historyLength` past heights, as undo logs of the values that each block replaced. */
export function createStore(historyLength: number) {
  const values = new Map<string, unknown>()
  /** The values that each block replaced, by height; undefined means the key was absent. */
  const undoLogs = new Map<number, Map<string, unknown>>()
  let open = new Map<string, unknown>()
  let newest = 0
  let oldest = 0

  function remember(key: string): void {
    if (!open.has(key)) open.set(key, values.get(key))
  }

  function* logsAfter(height: number): Generator<Map<string, unknown>> {
    for (let next = height + 1; next <= newest; next++) {
      const log = undoLogs.get(next)
      if (log) yield log
    }
    yield open
  }

  function past(height: number): StateView {
    function get<T>(key: string): T | undefined {
      for (const log of logsAfter(height)) {
        if (log.has(key)) return log.get(key) as T | undefined
      }
      return values.get(key) as T | undefined
    }
    return { get }
  }

  return {
    /** The height of the last commit. */
    get height() {
      return newest
    },
    get<T>(key: string): T | undefined {
      return values.get(key) as T | undefined
    },
    set<T>(key: string, value: T): void {
      remember(key)
      values.set(key, value)
    },
    delete(key: string): void {
      remember(key)
      values.delete(key)
    },
    /** Returns the keys written since the last commit. */
    changedKeys: () => [...open.keys()],
    /** Commits the writes since the last commit as the block at `height`. */
    commit(height: number): void {
      undoLogs.set(height, open)
      open = new Map()
      newest = height
      undoLogs.delete(height - historyLength)
      oldest = Math.max(oldest, height - historyLength)
    },
    /** Returns the state after the block at `height`, or undefined if the history does not include it. */
    at: (height: number) => (height >= oldest && height <= newest ? past(height) : undefined)
  }
}
