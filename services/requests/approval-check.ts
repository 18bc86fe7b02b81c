import { isSameAddress } from '../addresses/index.ts'
import { addAmounts, compareAmounts, exactAmount } from '../amounts.ts'
import { type ApprovalTerms, approvalMessage, readApprovalMessage } from '../approvals/message.ts'
import type { SignatureCheck } from '../approvals/signatures/index.ts'
import type { Approval } from '../custom-validation/types.ts'
import { fieldError } from '../errors/index.ts'
import type { Logger } from '../logger.ts'
import type { QuoteTerms } from '../quotes/contract.ts'
import { exactOf } from '../quotes/terms.ts'
import { sidesOf } from './quote-check.ts'
import type { RequestedSubmission } from './request.ts'

/**
 * Checks the approval signature of a submission (interface 6.35).
 * @param quote the quote that the submission matches, if known
 * @throws ServiceError APPROVAL_INVALID, if approvals are enforced
 * @throws UpstreamError, UpstreamTimeoutError from the chain of a contract wallet, if approvals are enforced
 */
export type ApprovalCheck = (
  requested: RequestedSubmission,
  quote: QuoteTerms | undefined
) => Promise<Approval>

/** @param options.mode `observe` only counts and logs the approvals that `enforce` would reject */
export function createApprovalCheck(options: {
  mode: 'off' | 'observe' | 'enforce'
  signatures: Pick<SignatureCheck, 'problem'>
  log: Logger
}): ApprovalCheck {
  const { mode, signatures, log } = options
  let refused = 0

  return async (requested, quote) => {
    const { feeId, route, approval } = requested
    if (mode === 'off' || approval === undefined) return { status: 'unchecked' }
    const { chain, address } = route.origin
    const { message = '', signature } = approval
    const { expected, texts } = approvalTexts(requested, message, quote)
    try {
      const problem = await signatures.problem({ chain, address, signature, texts })
      if (problem === undefined) return { status: 'approved' }
      if (mode === 'enforce') {
        const advice = `sign the message “${expected}” with the origin address`
        throw fieldError('options/signature', `${problem}; ${advice}`, 'APPROVAL_INVALID')
      }
      refused += 1
      log.warn(
        { feeId, chain, problem, refused },
        'SERVICE_APPROVAL_CHECK=enforce would reject this approval'
      )
      return { status: 'refused', problem }
    } catch (err) {
      if (mode === 'enforce') throw err
      log.warn({ err, feeId, chain }, 'approval could not be checked')
      return { status: 'unchecked' }
    }
  }
}

/**
 * Returns the messages that the user might have signed: the quote's message for the submitted amount, any other message
 * of the quote that authorises at least that amount (interface 6.45), the request's message if it matches the
 * submission exactly, and the message that this service builds. If the request contains a message, no other message
 * counts, because the chain gets it with the signature.
 */
function approvalTexts(
  { route, fee, chargeFeeAtTarget }: RequestedSubmission,
  message: string,
  quote: QuoteTerms | undefined
): { expected: string; texts: string[] } {
  const { origin, target } = route
  const amount = exactAmount(origin.amount.whole)
  const terms = {
    amount: addAmounts(amount, exactAmount(fee)),
    originSymbol: origin.symbol,
    originChain: origin.chain,
    targetAddress: target.address,
    targetChain: target.chain
  }
  const isSame = compareTerms(message, terms) === 0
  const quoted = (quote ? sidesOf(quote, chargeFeeAtTarget) : [])
    .filter(({ submitAmount }) => compareAmounts(exactOf(submitAmount), amount) === 0)
    .flatMap(side => side.message || [])
  const larger = (quote ? sidesOf(quote, undefined) : [])
    .flatMap(side => side.message || [])
    .filter(text => (compareTerms(text, terms) ?? -1) >= 0)
  const built = approvalMessage(terms)
  const texts = new Set([...quoted, ...larger, ...(isSame ? [message] : []), built])
  return {
    expected: quoted[0] ?? built,
    texts: [...texts].filter(text => message === '' || text === message)
  }
}

/** Compares the amounts of a message and the terms like `compareAmounts`. @returns undefined for another transfer */
function compareTerms(text: string, terms: ApprovalTerms): number | undefined {
  const signed = readApprovalMessage(text)
  const isSameTransfer =
    signed !== undefined &&
    signed.originSymbol === terms.originSymbol &&
    signed.originChain === terms.originChain &&
    isSameAddress(signed.targetAddress, terms.targetAddress) &&
    signed.targetChain === terms.targetChain
  return isSameTransfer ? compareAmounts(signed.amount, terms.amount) : undefined
}
