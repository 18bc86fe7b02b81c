import type { Clock } from '../../clock.ts'

/** How long a candidate is waited for before the next one is asked as well. */
const IMPATIENCE_MS = 2000

/**
 * Puts an idempotent question to one candidate after the other until an answer settles it. The next candidate is asked
 * when one does not settle it or takes long; the answer of a slow one still counts when it is the first.
 * @param attempt asks a candidate; undefined when its answer does not settle the question. Never throws
 * @param onLate a candidate takes long
 * @returns undefined when no candidate settled it
 */
export function askInTurn<Candidate, Answer>(
  candidates: readonly Candidate[],
  attempt: (candidate: Candidate) => Promise<Answer | undefined>,
  { clock, onLate }: { clock: Clock; onLate: (candidate: Candidate) => void }
): Promise<Answer | undefined> {
  return new Promise(resolve => {
    const waiting = [...candidates]
    let asked = 0
    let cancel = () => {}

    function next(): void {
      cancel()
      const candidate = waiting.shift()
      if (candidate === undefined) {
        if (asked === 0) resolve(undefined)
        return
      }
      asked += 1
      if (waiting.length > 0) {
        cancel = clock.after(IMPATIENCE_MS, () => {
          onLate(candidate)
          next()
        })
      }
      void attempt(candidate).then(answer => {
        asked -= 1
        if (answer === undefined) return next()
        waiting.length = 0
        cancel()
        resolve(answer)
      })
    }

    next()
  })
}
