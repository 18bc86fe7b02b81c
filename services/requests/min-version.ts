import type { SubmitBody } from '../../schemas/submit.ts'
import { fieldError } from '../errors/index.ts'

/** Fields that only bodies of version 1.4 need: in version 1.5 they are in `amount` and in `options`. */
const OLDER = ['submitAmount', 'feeId', 'signature', 'message'] as const

type Body = SubmitBody & { submitAmount?: unknown }

/** @throws ServiceError VALIDATION for a body of version 1.4 (interface 6.46) */
export function assertVersion15(body: Body): void {
  const field = OLDER.find(name => body[name] !== undefined && body[name] !== '')
  if (field === undefined) return
  const wants = '`amount` and `fee` in the smallest unit, and `feeId`, `signature` and `message` in `options`'
  throw fieldError(field, `is a field of version 1.4, which is not accepted here; version 1.5 has ${wants}`)
}
