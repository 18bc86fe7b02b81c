import { type Clock, systemClock } from '../clock.ts'

/** @param late called after `ms` milliseconds; returns a replacement for the result, or throws */
export async function within<T>(
  ms: number,
  work: T | Promise<T>,
  late: () => T,
  clock: Clock = systemClock
): Promise<T> {
  let cancel = () => {}
  const timeout = new Promise<void>(resolve => {
    cancel = clock.after(ms, resolve)
  })
  try {
    return await Promise.race([work, timeout.then(late)])
  } finally {
    cancel()
  }
}
