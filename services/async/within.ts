import { systemClock } from '../clock.ts'

/** Waits for work at most so many milliseconds. @param late gives, or throws, what comes in place of its result then */
export async function within<T>(ms: number, work: T | Promise<T>, late: () => T): Promise<T> {
  let cancel = () => {}
  const timeout = new Promise<void>(resolve => {
    cancel = systemClock.after(ms, resolve)
  })
  try {
    return await Promise.race([work, timeout.then(late)])
  } finally {
    cancel()
  }
}
