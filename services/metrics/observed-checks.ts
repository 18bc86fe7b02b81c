import { ServiceError } from '../errors/index.ts'
import type { ApprovalCheck } from '../requests/approval-check.ts'
import type { QuoteCheck } from '../requests/quote-check.ts'

/** A refusal has a status of the client; what could not be checked has not. */
const isRefusal = (error: unknown) => error instanceof ServiceError && error.statusCode < 500

export function observedQuoteCheck(
  check: QuoteCheck,
  observe: (result: 'matched' | 'unknown' | 'refused') => void
): QuoteCheck {
  return async (...submission) => {
    try {
      const quote = await check(...submission)
      observe(quote ? 'matched' : 'unknown')
      return quote
    } catch (error) {
      if (isRefusal(error)) observe('refused')
      throw error
    }
  }
}

export function observedApprovalCheck(
  check: ApprovalCheck,
  observe: (result: 'approved' | 'refused' | 'unchecked') => void
): ApprovalCheck {
  return async (...submission) => {
    try {
      const approval = await check(...submission)
      observe(approval.status)
      return approval
    } catch (error) {
      observe(isRefusal(error) ? 'refused' : 'unchecked')
      throw error
    }
  }
}
