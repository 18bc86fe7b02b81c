import type { Poller, Source } from '../../async/poller.ts'
import type { Clock } from '../../clock.ts'
import type { Submission, SubmissionStore } from '../contract.ts'
import { isSettled } from '../view.ts'

export const submissionSource = ({ find }: Pick<SubmissionStore, 'find'>): Source<Submission> => ({
  find,
  isFinal: isSettled,
  // A settled submission always counts as newer: its time can be earlier if the system clock was set back.
  isOlder: (next, last) => !isSettled(next) && next.updatedAt < last.updatedAt
})

/** Creates the list of requests that wait for results, whichever replica accepted their submissions. */
export function createWaiters(poller: Pick<Poller<Submission>, 'watch'>, clock: Clock) {
  const waiting = new Map<(submission?: Submission) => void, Promise<unknown>>()
  let released = false

  return {
    /** Resolves with the settled submission, or with undefined after `timeoutMs` or `release`. */
    wait(submissionId: string, timeoutMs: number): Promise<Submission | undefined> {
      if (released) return Promise.resolve(undefined)
      let finish = (_submission?: Submission): void => {}
      const result = new Promise<Submission | undefined>(resolve => {
        finish = resolve
      })
      const cancel = clock.after(timeoutMs, finish)
      const leave = poller.watch(submissionId, submission => {
        if (isSettled(submission)) finish(submission)
      })
      waiting.set(finish, result)
      return result.finally(() => {
        cancel()
        leave()
        waiting.delete(finish)
      })
    },
    /** Ends all current and future waits without a result. */
    release(): void {
      released = true
      for (const finish of waiting.keys()) finish()
    },
    async empty(): Promise<void> {
      while (waiting.size > 0) await Promise.all(waiting.values())
    }
  }
}
