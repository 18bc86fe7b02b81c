import { within } from '../async/within.ts'
import { ServiceError } from '../errors/index.ts'
import { shown } from '../errors/shown.ts'
import { isObject } from '../json.ts'
import type { Verdict } from './types.ts'

/** Maximum duration of a validation (interface 12.5). */
const TIMEOUT_MS = 5_000

/** An integrator's error code (interface 12.11). */
const CODE = /^[\w.-]{1,64}$/

/** Maximum length of a rejection message for clients and the log (interface 12.2). */
const MAX_MESSAGE = 2000

/**
 * Runs an integrator's validation of a submission (interface 12.1, 12.2).
 * @throws ServiceError CUSTOM_VALIDATION with the validation's own message, and its code if it returns one
 * @throws ServiceError VALIDATION_UNAVAILABLE if the validation throws, takes longer than five seconds or returns an
 *   invalid verdict (interface 12.5)
 */
export async function assertValid(validate: () => Verdict | Promise<Verdict>): Promise<void> {
  const { message, ...code } = await verdictOf(validate)
  if (message !== '') throw new ServiceError('CUSTOM_VALIDATION', shown(message, MAX_MESSAGE), code)
}

/**
 * Runs a validation and reads its verdict. An integrator's code can be plain JavaScript and return anything, even an
 * object that throws when it is read.
 */
async function verdictOf(validate: () => unknown) {
  const late = () => {
    throw new Error(`no response within ${TIMEOUT_MS} ms`)
  }
  try {
    const verdict = validate()
    return read(typeof verdict === 'string' ? verdict : await within(TIMEOUT_MS, verdict, late))
  } catch (cause) {
    // Ignore the error's status and code, which are not meant for the client.
    throw new ServiceError('VALIDATION_UNAVAILABLE', 'customTransValidation failed', { cause })
  }
}

function read(verdict: unknown): { message: string; customCode?: string } {
  if (typeof verdict === 'string') return { message: verdict }
  if (isObject(verdict)) {
    const { code, message } = Object.assign({ code: undefined, message: undefined }, verdict)
    const isRefusal = typeof code === 'string' && CODE.test(code) && typeof message === 'string'
    if (isRefusal && message !== '') return { message, customCode: code }
  }
  throw new TypeError(
    `returned a value of type ${typeof verdict}; expected a string, or { code, message } with a code of 1 to 64 letters, digits, _ . - and a non-empty message`
  )
}
