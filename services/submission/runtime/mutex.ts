/** Runs tasks one after the other, in the order in which they were given. */
export type Serial = <T>(task: () => Promise<T>) => Promise<T>

export function createSerial(): Serial {
  let tail: Promise<unknown> = Promise.resolve()
  return task => {
    const result = tail.then(task)
    tail = result.catch(() => {})
    return result
  }
}
