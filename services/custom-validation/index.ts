import { ServiceError, ValidationUnavailableError } from '../errors/index.ts'
import { isObject } from '../json.ts'
import type { Verdict } from './types.ts'

/** The longest that a validation may take (interface 12.5). */
const TIMEOUT_MS = 5_000

/** A code of an integrator's (interface 12.11). */
const CODE = /^[\w.-]{1,64}$/

/**
 * Runs an integrator's validation of a submission (interface 12.1, 12.2).
 *
 * @throws ServiceError CUSTOM_VALIDATION with the validation's own text, and its code where it has one
 * @throws ValidationUnavailableError when the validation throws, takes longer than `timeoutMs` or answers anything but a
 *   verdict (interface 12.5)
 */
export async function assertValid(
  validate: () => Verdict | Promise<Verdict>,
  timeoutMs = TIMEOUT_MS
): Promise<void> {
  const answer = await answerOf(validate, timeoutMs)
  if (answer === '') return
  if (typeof answer === 'string') throw new ServiceError('CUSTOM_VALIDATION', answer)
  if (!isRefusal(answer)) {
    throw new ValidationUnavailableError(
      `customTransValidation answered with a value of type ${typeof answer}, not with a string or { code, message }`
    )
  }
  throw new ServiceError('CUSTOM_VALIDATION', answer.message, { customCode: answer.code })
}

function isRefusal(answer: unknown): answer is { code: string; message: string } {
  if (!isObject(answer)) return false
  const { code, message } = Object.assign({ code: undefined, message: undefined }, answer)
  return typeof code === 'string' && CODE.test(code) && typeof message === 'string' && message !== ''
}

/** The integrator's code may be plain JavaScript and answer anything. Only what answers later needs a timer. */
async function answerOf(validate: () => unknown, timeoutMs: number): Promise<unknown> {
  try {
    const answer = validate()
    return typeof answer === 'string' ? answer : await within(timeoutMs, answer)
  } catch (cause) {
    // Whatever status and code their error has: these are no words to the client.
    throw new ValidationUnavailableError('customTransValidation failed', { cause })
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
