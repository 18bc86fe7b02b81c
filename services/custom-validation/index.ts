import { ServiceError } from '../errors/index.ts'

/** Long enough for a validation that asks a system of the integrator's, short enough for a user who waits. */
const TIMEOUT_MS = 5_000

/**
 * Waits for what an integrator's validation says of a transaction (spec §1, Custom validation hook).
 *
 * @param validate answers '' for a valid transaction, otherwise why it is not
 * @throws ServiceError CUSTOM_VALIDATION with the validation's own text
 * @throws Error, which is the service's fault to a client, when the validation throws, takes longer than
 *   `timeoutMs` or answers anything but a text
 */
export async function assertValid(
  validate: () => string | Promise<string>,
  timeoutMs = TIMEOUT_MS
): Promise<void> {
  const answer = await answerOf(validate, timeoutMs)
  if (typeof answer !== 'string') {
    throw new Error(`customTransValidation answered with a value of type ${typeof answer}, not with a text`)
  }
  if (answer !== '') throw new ServiceError('CUSTOM_VALIDATION', answer)
}

/** The type is what the integrator promised: plain JavaScript may answer anything. */
async function answerOf(validate: () => unknown, timeoutMs: number): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs)
  })
  try {
    return await Promise.race([callNow(validate), late])
  } catch (cause) {
    // Wrapped, because an error of theirs may claim a status of its own.
    throw new Error('customTransValidation failed', { cause })
  } finally {
    clearTimeout(timer)
  }
}

async function callNow(validate: () => unknown): Promise<unknown> {
  return validate()
}
