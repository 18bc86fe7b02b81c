/** Runs tasks one at a time, in the order in which they were given. */
export type Mutex = <T>(task: () => Promise<T>) => Promise<T>

export function createMutex(): Mutex {
  let tail: Promise<unknown> = Promise.resolve()
  return task => {
    const result = tail.then(task)
    tail = result.catch(() => {})
    return result
  }
}
