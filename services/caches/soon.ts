/**
 * A value that is there already, or that comes later. A value that is there comes without a promise, because a chain of
 * promises takes longer than everything else that an answer from memory needs. A failure is always a rejected promise.
 */
export type Soon<T> = T | Promise<T>

/** Goes on with a value at once when it is there, otherwise when it has come. */
export function whenThere<T, U>(value: Soon<T>, next: (value: T) => Soon<U>): Soon<U> {
  if (value instanceof Promise) return value.then(next)
  try {
    return next(value)
  } catch (err) {
    return Promise.reject(err)
  }
}
