import type { ErrorCode } from './catalogue.ts'
import { ServiceError } from './index.ts'

/**
 * A 400 for one field of a request that its schema alone cannot check.
 * @param field path, such as `amount` or `options/feeId`
 * @param problem rest of a sentence that starts with the field
 */
export function fieldError(field: string, problem: string, code: ErrorCode = 'VALIDATION'): ServiceError {
  const details = [{ path: `/${field}`, message: problem }]
  return new ServiceError(code, `${field.replaceAll('/', '.')} ${problem}`, { details })
}
