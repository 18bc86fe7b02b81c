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
  const waiting = new Set<(submission?: Submission) => void>()
  let onEmpty: (() => void)[] = []
  let released = false

  return {
    /** Resolves with the settled submission, or with undefined after `timeoutMs` or `release`. */
    wait(submissionId: string, timeoutMs: number): Promise<Submission | undefined> {
      if (released) return Promise.resolve(undefined)
      return new Promise(resolve => {
        function finish(submission?: Submission): void {
          cancel()
          leave()
          resolve(submission)
          waiting.delete(finish)
          if (waiting.size > 0) return
          for (const resolveEmpty of onEmpty) resolveEmpty()
          onEmpty = []
        }
        const cancel = clock.after(timeoutMs, finish)
        const leave = poller.watch(submissionId, submission => {
          if (isSettled(submission)) finish(submission)
        })
        waiting.add(finish)
      })
    },
    /** Ends all current and future waits without a result. */
    release(): void {
      released = true
      for (const finish of [...waiting]) finish()
    },
    async empty(): Promise<void> {
      if (waiting.size > 0) await new Promise<void>(resolve => onEmpty.push(resolve))
    }
  }
}
