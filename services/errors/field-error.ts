import { type ErrorCode, ServiceError } from './index.ts'

/**
 * A 400 for one field of a request that its schema alone cannot judge.
 * @param field as a path, such as `amount` or `options/feeId`
 * @param problem the rest of the sentence that the field begins
 */
export function fieldError(field: string, problem: string, code: ErrorCode = 'VALIDATION'): ServiceError {
  const details = [{ path: `/${field}`, message: problem }]
  return new ServiceError(code, `${field.replaceAll('/', '.')} ${problem}`, { details })
}
