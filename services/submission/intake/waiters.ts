import { coalesce } from '../../async/coalesce.ts'
import type { Clock } from '../../clock.ts'
import type { SubmissionStore } from '../store/types.ts'
import type { Submission } from '../types.ts'

/** Requests that wait until their submission is settled. */
export interface Waiters {
  readonly size: number
  /** The submissions that are waited for. */
  readonly submissionIds: string[]
  has(submissionId: string): boolean
  /** Resolves with the settled submission, or with undefined after `timeoutMs` or `release`. */
  wait(submissionId: string, timeoutMs: number): Promise<Submission | undefined>
  settle(submission: Submission): void
  /** Ends every wait without a result, from now on. */
  release(): void
  /** Resolves when no request waits. */
  empty(): Promise<void>
}

type Resolve = (submission: Submission | undefined) => void

export function createWaiters(clock: Clock): Waiters {
  const waiting = new Map<string, Set<Resolve>>()
  let onEmpty: (() => void)[] = []
  let released = false

  function leave(submissionId: string, resolve: Resolve): void {
    const others = waiting.get(submissionId)
    others?.delete(resolve)
    if (others?.size === 0) waiting.delete(submissionId)
    if (waiting.size > 0) return
    for (const resolveEmpty of onEmpty) resolveEmpty()
    onEmpty = []
  }

  return {
    get size() {
      return waiting.size
    },
    get submissionIds() {
      return [...waiting.keys()]
    },
    has: submissionId => waiting.has(submissionId),
    wait(submissionId, timeoutMs) {
      if (released) return Promise.resolve(undefined)
      return new Promise(resolve => {
        const finish: Resolve = submission => {
          cancel()
          leave(submissionId, finish)
          resolve(submission)
        }
        const cancel = clock.after(timeoutMs, () => finish(undefined))
        const others = waiting.get(submissionId) ?? new Set()
        waiting.set(submissionId, others.add(finish))
      })
    },
    settle(submission) {
      for (const finish of [...(waiting.get(submission.submissionId) ?? [])]) finish(submission)
    },
    release() {
      released = true
      for (const finish of [...waiting.values()].flatMap(all => [...all])) finish(undefined)
    },
    async empty() {
      if (waiting.size > 0) await new Promise<void>(resolve => onEmpty.push(resolve))
    }
  }
}

/** Brings results to the requests that wait for them, whichever replica has stored them. */
export interface Results {
  /** Looks for the results of all submissions that are waited for. */
  look(): Promise<void>
  /**
   * Looks for the results of those of these submissions that are waited for, together with all others of the same turn of
   * the event loop. What this process settles in that turn need not be read.
   */
  lookFor(submissionIds: readonly string[]): Promise<void>
}

export function createResults(store: Pick<SubmissionStore, 'findSettled'>, waiters: Waiters): Results {
  async function read(submissionIds: readonly string[]): Promise<void> {
    if (submissionIds.length === 0) return
    for (const submission of await store.findSettled(submissionIds)) waiters.settle(submission)
  }

  return {
    look: () => read(waiters.submissionIds),
    lookFor: coalesce((lists: (readonly string[])[]) => read(lists.flat().filter(waiters.has)))
  }
}
