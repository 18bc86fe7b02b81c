import { ServiceError } from '../errors/index.ts'

/** The longest that a validation may take (interface 12.5). */
const TIMEOUT_MS = 5_000

/**
 * Runs an integrator's validation of a submission (interface 12.1, 12.2).
 *
 * @param validate answers '' for a valid submission, otherwise the reason for the client
 * @throws ServiceError CUSTOM_VALIDATION with the validation's own text
 * @throws Error, a 500 to the client, when the validation throws, takes longer than `timeoutMs` or answers anything but
 *   a string (interface 12.5)
 */
export async function assertValid(
  validate: () => string | Promise<string>,
  timeoutMs = TIMEOUT_MS
): Promise<void> {
  const answer = await answerOf(validate, timeoutMs)
  if (typeof answer !== 'string') {
    throw new Error(`customTransValidation answered with a value of type ${typeof answer}, not with a string`)
  }
  if (answer !== '') throw new ServiceError('CUSTOM_VALIDATION', answer)
}

/** The integrator's code may be plain JavaScript and answer anything. Only what answers later needs a timer. */
async function answerOf(validate: () => unknown, timeoutMs: number): Promise<unknown> {
  try {
    const answer = validate()
    return typeof answer === 'string' ? answer : await within(timeoutMs, answer)
  } catch (cause) {
    // Wrapped, because their error may have a `statusCode`, which would become that of the answer.
    throw new Error('customTransValidation failed', { cause })
  }
}

async function within(timeoutMs: number, answer: unknown): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}
