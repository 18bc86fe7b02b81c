import type { Clock } from '../../clock.ts'
import type { Question } from '../types.ts'

/** The first rest after a failure; each further failure of the same question doubles it. */
const FIRST_REST_MS = 1000
const LONGEST_REST_MS = 30_000

interface Rest {
  failures: number
  until: number
  isOver: boolean
  reason: string
}

/**
 * The rests of one node. A question that fails lets the node rest from all questions of that use. A rest is over when its
 * time has passed and the node has reported its status since; the next failure of the same question is a longer one,
 * unless the question has been answered in between.
 */
export function createRests(clock: Clock) {
  const rests = new Map<Question, Rest>()

  return {
    failed(question: Question, reason: string): void {
      const failures = (rests.get(question)?.failures ?? 0) + 1
      const rest = Math.min(FIRST_REST_MS * 2 ** (failures - 1), LONGEST_REST_MS)
      rests.set(question, { failures, until: clock.elapsed() + rest, isOver: false, reason })
    },
    answered(question: Question): void {
      rests.delete(question)
      // A node that answers anything may report its status again.
      const silence = rests.get('status')
      if (silence) silence.until = Math.min(silence.until, clock.elapsed())
    },
    statusCame(): void {
      rests.delete('status')
      for (const rest of rests.values()) rest.isOver ||= clock.elapsed() >= rest.until
    },
    /** The reason for the present rest of one of these questions. */
    reason(questions: readonly Question[]): string | undefined {
      for (const question of questions) {
        const rest = rests.get(question)
        if (rest && !rest.isOver) return rest.reason
      }
      return undefined
    },
    /** The most failures in a row of one of these questions. */
    failures: (questions: readonly Question[]): number =>
      Math.max(0, ...questions.map(question => rests.get(question)?.failures ?? 0)),
    /** How many milliseconds the rest of a question still lasts. */
    remaining: (question: Question): number =>
      Math.max(0, (rests.get(question)?.until ?? 0) - clock.elapsed()),
    /** When the last of these rests ends; the node with the earliest end failed the longest time ago. */
    end: (questions: readonly Question[]): number =>
      Math.max(0, ...questions.map(question => rests.get(question)?.until ?? 0))
  }
}
