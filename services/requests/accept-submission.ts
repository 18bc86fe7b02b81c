import type { SubmitBody } from '../../schemas/submit.ts'
import { canonicalAddress, type Environment } from '../addresses/index.ts'
import { exactAmount, unitsAt } from '../amounts.ts'
import { createLimiter } from '../async/limiter.ts'
import type { Caller } from '../callers/index.ts'
import type { ChainFilter } from '../chains/filter.ts'
import { assertWithinLimit } from '../chains/transfer-limit.ts'
import { assertValid } from '../custom-validation/index.ts'
import type { CheckedSubmission, SubmittedAmount, SubmittedEnd, Verdict } from '../custom-validation/types.ts'
import type { MessageType } from '../messages/index.ts'
import type { ComplianceService } from '../providers/compliance.ts'
import type {
  Identity,
  Requester,
  Submission,
  SubmissionRequest,
  SubmissionService
} from '../submission/contract.ts'
import { identified, identityKey } from '../submission/identities.ts'
import { UpstreamBusyError } from '../upstream/errors.ts'
import type { AllowanceCheck } from './allowance-check.ts'
import type { ApprovalCheck } from './approval-check.ts'
import { createIdentityLimiter } from './identity-limiter.ts'
import type { LockCheck } from './lock-check.ts'
import { assertVersion15 } from './min-version.ts'
import { assertKnownMethod } from './options.ts'
import type { QuoteCheck } from './quote-check.ts'
import {
  type CommonFields,
  type RequestedAmounts,
  type RequestedSubmission,
  readRequest,
  type Wallet
} from './request.ts'
import { type ChainFacts, createRouteChecks } from './route-checks.ts'

/** Maximum number of concurrent custom validations (interface 12.10). */
const MAX_VALIDATIONS = 1024

export interface SubmissionKind<Body, Fields extends { fee: string }> {
  /** @throws ServiceError VALIDATION with the field */
  readAmounts: (body: Body) => RequestedAmounts<Fields>
  messageType: MessageType<CommonFields & NoInfer<Fields>>
}

export interface SubmitContext {
  validate: (submission: CheckedSubmission) => Verdict | Promise<Verdict>
  idempotencyKey: string | undefined
  /** Owner of the request's API key. */
  caller: Caller | undefined
  requester: Requester
}

/**
 * Checks a submission, then stores it durably or returns the existing submission. The order of the checks is part of
 * the interface: the first failure is reported, and nothing is stored (interface 6.16).
 * A submission that was already accepted is not checked again: its quote might have expired since, and an error would
 * make the user pay again (interface 6.41). For the same reason, a request waits while an earlier request with its
 * feeId, or its payment, is being checked (interface 7.20).
 * @param body already validated by its schema
 * @throws ServiceError with the code of the failed check, and the field
 * @throws UpstreamError, UpstreamTimeoutError if the chains cannot be read
 * @throws UpstreamBusyError if too many custom validations are running, or too many requests with this feeId or
 *   payment are waiting
 * @throws the errors of `SubmissionService.submit`
 */
export type AcceptSubmission = <Body extends SubmitBody, Fields extends { fee: string }>(
  body: Body,
  kind: SubmissionKind<Body, Fields>,
  context: SubmitContext
) => Promise<Submission>

export function createAcceptance(options: {
  environment: Environment
  minVersion: '1.4' | '1.5'
  wallet: Wallet
  filter: ChainFilter
  chains: ChainFacts
  checkQuote: QuoteCheck
  checkApproval: ApprovalCheck
  checkAllowance: AllowanceCheck
  checkLock: LockCheck
  compliance: Pick<ComplianceService, 'assertCompliant'>
  submissions: Pick<SubmissionService, 'isAccepted' | 'submit'>
}): AcceptSubmission {
  const {
    minVersion,
    wallet,
    chains,
    checkQuote,
    checkApproval,
    checkAllowance,
    checkLock,
    compliance,
    submissions
  } = options
  const { assertEnds, assertTokens } = createRouteChecks(options)
  const validating = createLimiter(MAX_VALIDATIONS, {
    waiting: 0,
    refusal: () => new UpstreamBusyError('custom validation')
  })
  const oneByOne = createIdentityLimiter()

  return async (body, { readAmounts, messageType }, { validate, idempotencyKey, caller, requester }) => {
    const requested = { ...(await readRequest(body, readAmounts, wallet)), caller: caller?.name }
    const { route } = requested
    const { typeUrl } = messageType
    const message = messageType.encode(requested.message).finish()
    const { identities, feeId } = identified(requested.message, requested)
    const content = { typeUrl, message, feeId, ...(caller && ownedBy(caller)) }
    const [main] = identities
    if (main === undefined) throw new TypeError('a checked request has no identity')
    const all = [...identities, ...keyIdentity(idempotencyKey, caller?.name)]

    const isAccepted = () => submissions.isAccepted({ ...content, identities: all })
    async function check(): Promise<SubmissionRequest | undefined> {
      if (minVersion === '1.5') assertVersion15(body)
      await assertEnds(route)
      const { origin, target } = await assertTokens(route)
      const { whole, field } = route.origin.amount
      await assertWithinLimit(chains, origin, exactAmount(whole), field)
      const quote = await checkQuote(requested, origin.decimals)
      if (!quote) assertKnownMethod(route.origin.chain, requested.paymentMethod)
      const approval = await checkApproval(requested, quote)
      const follows = await checkLock(requested, quote)
      const decimals = { origin: origin.decimals, target: target.decimals }
      const submission = checkedSubmission(requested, decimals, { quote, approval })
      await validating(() => assertValid(() => validate(submission)))
      const [originAddress, targetAddress] = [route.origin.address, route.target.address]
      await compliance.assertCompliant({ originAddress, targetAddress })
      await checkAllowance(requested, origin, quote)
      // The quote might have expired during the other checks, which can take several seconds.
      if (quote) await checkQuote(requested, origin.decimals, quote)
      return follows
    }

    return oneByOne(identityKey(main), async () => {
      const follows = (await isAccepted())
        ? undefined
        : await check().catch(async error => {
            // Another server might have accepted it meanwhile, so that the pool has used the allowance.
            if (!(await isAccepted())) throw error
            return undefined
          })
      return submissions.submit({ ...content, identities: all, ...(follows && { follows }) }, requester)
    })
  }
}

/**
 * Returns the identity of an `Idempotency-Key`, if there is one. Caller names and keys contain no space, so the keys of
 * different callers never collide (interface 24.5).
 */
export function keyIdentity(key: string | undefined, caller: string | undefined): Identity[] {
  return key === undefined ? [] : [{ kind: 'key', value: [caller, key].filter(Boolean).join(' ') }]
}

/**
 * Returns the caller, and whose refused payments it may send elsewhere. A key that pages carry is known to all their
 * visitors, so it may send none elsewhere (interface 7.29).
 */
function ownedBy({ name, scopes, isOfPages }: Caller): Pick<SubmissionRequest, 'caller' | 'mayRedirect'> {
  if (isOfPages) return { caller: name }
  return { caller: name, mayRedirect: scopes.includes('operate') ? 'all' : 'own' }
}

function checkedSubmission(
  { feeId, route, fee }: RequestedSubmission,
  decimals: { origin: number; target: number },
  { quote, approval }: Pick<CheckedSubmission, 'quote' | 'approval'>
): CheckedSubmission {
  const { origin, target } = route
  const amountOut = target.amount && amountOf(target.amount.whole, decimals.target)
  return {
    kind: amountOut ? 'swap' : 'transfer',
    feeId,
    origin: { ...endOf(origin), amount: amountOf(origin.amount.whole, decimals.origin) },
    target: { ...endOf(target), amount: amountOut },
    fee: amountOf(fee, decimals.origin),
    quote,
    approval
  }
}

function endOf({ chain, address, symbol }: SubmittedEnd): SubmittedEnd {
  return { chain, address: canonicalAddress(address), symbol }
}

function amountOf(text: string, decimals: number): SubmittedAmount {
  return { units: unitsAt(exactAmount(text), decimals).ceiling, decimals, text }
}
