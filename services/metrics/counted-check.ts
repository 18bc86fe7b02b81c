import type { Counter } from 'prom-client'
import { ServiceError } from '../errors/index.ts'

/**
 * Counts the results of a check. A refusal has a status of the client.
 * @param unclear the result where nothing could be checked; without it that is not counted
 */
export function countedCheck<Submission extends unknown[], Answer>(
  check: (...submission: Submission) => Promise<Answer>,
  counter: Counter<'result'>,
  resultOf: (answer: Answer) => string,
  unclear?: string
): (...submission: Submission) => Promise<Answer> {
  return async (...submission) => {
    try {
      const answer = await check(...submission)
      counter.inc({ result: resultOf(answer) })
      return answer
    } catch (error) {
      const result = error instanceof ServiceError && error.statusCode < 500 ? 'refused' : unclear
      if (result !== undefined) counter.inc({ result })
      throw error
    }
  }
}
