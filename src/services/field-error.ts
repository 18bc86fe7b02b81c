import { ValidationError } from './errors.ts'

/** A 400 for one field of a request that its schema alone cannot judge. */
export function fieldError(field: string, problem: string): ValidationError {
  return new ValidationError(`${field} ${problem}`, [{ path: `/${field}`, message: problem }])
}
