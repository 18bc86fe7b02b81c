import { coalesce } from '../../async/coalesce.ts'
import type { Clock } from '../../clock.ts'
import type { Submission, SubmissionStore } from '../contract.ts'

type Finish = (submission: Submission | undefined) => void

/** Creates the list of requests that wait for results, whichever replica accepted their submissions. */
export function createWaiters(store: Pick<SubmissionStore, 'findSettled'>, clock: Clock) {
  const waiting = new Map<string, Set<Finish>>()
  let onEmpty: (() => void)[] = []
  let released = false

  function leave(submissionId: string, finish: Finish): void {
    const others = waiting.get(submissionId)
    others?.delete(finish)
    if (others?.size === 0) waiting.delete(submissionId)
    if (waiting.size > 0) return
    for (const resolve of onEmpty) resolve()
    onEmpty = []
  }

  function finishAll(submission: Submission): void {
    for (const finish of [...(waiting.get(submission.submissionId) ?? [])]) finish(submission)
  }

  async function look(submissionIds: readonly string[] = [...waiting.keys()]): Promise<void> {
    const waitedFor = submissionIds.filter(id => waiting.has(id))
    if (waitedFor.length === 0) return
    for (const submission of await store.findSettled(waitedFor)) finishAll(submission)
  }

  return {
    /** Resolves with the settled submission, or with undefined after `timeoutMs` or `release`. */
    wait(submissionId: string, timeoutMs: number): Promise<Submission | undefined> {
      if (released) return Promise.resolve(undefined)
      return new Promise(resolve => {
        const finish: Finish = submission => {
          cancel()
          leave(submissionId, finish)
          resolve(submission)
        }
        const cancel = clock.after(timeoutMs, () => finish(undefined))
        waiting.set(submissionId, (waiting.get(submissionId) ?? new Set()).add(finish))
      })
    },
    finish: finishAll,
    look: () => look(),
    /** Looks up the given submissions that requests wait for. Calls in one event-loop turn share a lookup. */
    lookFor: coalesce((lists: (readonly string[])[]) => look(lists.flat())),
    /** Ends all current and future waits without a result. */
    release(): void {
      released = true
      for (const finish of [...waiting.values()].flatMap(all => [...all])) finish(undefined)
    },
    async empty(): Promise<void> {
      if (waiting.size > 0) await new Promise<void>(resolve => onEmpty.push(resolve))
    }
  }
}
