import { isSameAddress } from '../addresses/index.ts'
import { wholeText } from '../amounts.ts'
import type { ChainLocks } from '../bitcoin/chain-locks.ts'
import type { Locks } from '../bitcoin/locks.ts'
import { BTC } from '../chains/families.ts'
import { fieldError } from '../errors/index.ts'
import { createMessageTypes } from '../messages/index.ts'
import type { QuoteTerms } from '../quotes/contract.ts'
import type { BitcoinLock, SubmissionRequest } from '../submission/contract.ts'
import { lockIdentity } from '../submission/identities.ts'
import { neededUnits } from './allowance-check.ts'
import type { LockFields, RequestedSubmission, Wallet } from './request.ts'

/** The decimals of amounts in bitcoin. */
const DECIMALS = 8

/**
 * Checks that a submission from Bitcoin uses the lock of its own intent, in place of the approval (interface 26.8).
 * @returns the registration of the lock, which the submission has to follow; undefined if the chain knows the lock, and for
 *   other origins
 * @throws ServiceError LOCK_INVALID, LOCK_UNKNOWN, LOCK_ALREADY_USED with the field; LOCK_PENDING
 * @throws UpstreamError, UpstreamTimeoutError from the Bitcoin API and the chain API
 */
export type LockCheck = (
  requested: RequestedSubmission,
  quote: QuoteTerms | undefined
) => Promise<SubmissionRequest | undefined>

export function createLockCheck(options: {
  brand: string
  wallet: Pick<Wallet, 'address'>
  bitcoin: { locks: Pick<Locks, 'find' | 'record'>; chainLocks: ChainLocks }
}): LockCheck {
  const { brand, wallet, bitcoin } = options
  const { locks, chainLocks } = bitcoin
  const { requestHtlcLock } = createMessageTypes(brand)

  return async (requested, quote) => {
    const { lock, caller } = requested
    if (lock === undefined) return undefined
    const intent = await locks.find(String(lock.htlcLockId ?? ''), caller, 'htlcLockId')
    const { htlcCreationHash: txHash = '' } = lock
    assertEqual(termsOf(requested, lock, intent, quote))
    if (!/^[0-9a-f]{64}$/.test(txHash)) throw mismatch('htlcCreationHash', 'htlcCreationHash of its record')
    const recorded = await locks.record(intent, txHash, 'htlcCreationHash')
    const { htlcCreationVout, htlcExpirationTimestamp, htlcVersion, senderPubKey } = recorded
    assertEqual([
      ['htlcCreationVout', lock.htlcCreationVout, htlcCreationVout],
      ['htlcExpirationTimestamp', lock.htlcExpirationTimestamp, htlcExpirationTimestamp],
      ['htlcVersion', lock.htlcVersion, htlcVersion],
      ['senderPubKey', lock.senderPubKey?.replace(/^0x/, '').toLowerCase(), senderPubKey]
    ])
    const { senderAddress: fromAddress, amountSats } = intent.terms
    const known = await chainLocks.find(txHash, fromAddress)
    // The chain tells the locks of a sender apart only by their transactions.
    if (known && known.htlcAddress !== intent.address) {
      const problem = 'must not contain another lock of the sender that the chain knows'
      throw fieldError('htlcCreationHash', problem, 'LOCK_ALREADY_USED')
    }
    if (known) return undefined
    const message = requestHtlcLock.fromPartial({
      creator: wallet.address,
      fromAddress,
      senderPubkey: Buffer.from(senderPubKey).toString('hex'),
      amount: wholeText({ units: BigInt(amountSats), decimals: DECIMALS }),
      htlcTimeout: htlcExpirationTimestamp,
      txHash,
      htlcAddress: intent.address
    })
    return {
      identities: [lockIdentity('registration', txHash, fromAddress)],
      typeUrl: requestHtlcLock.typeUrl,
      message: requestHtlcLock.encode(message).finish(),
      ...(caller !== undefined && { caller })
    }
  }
}

type Comparison = [field: string, sent: unknown, expected: string | number]

/**
 * The terms that a submission must share with its intent, so that nobody submits a stranger's lock, or another amount.
 */
function termsOf(
  requested: RequestedSubmission,
  { htlcAddress = '', htlcAmountSats = '' }: LockFields,
  { address, terms }: BitcoinLock,
  quote: QuoteTerms | undefined
): Comparison[] {
  const { origin, target } = requested.route
  const { senderAddress, recipientAddress, amountSats } = terms
  const sameOr = (sent: string, expected: string) => (isSameAddress(sent, expected) ? expected : sent)
  return [
    ['originAddress', sameOr(origin.address, senderAddress), senderAddress],
    ['originSymbol', origin.symbol, BTC],
    ['targetAddress', sameOr(target.address, recipientAddress), recipientAddress],
    [origin.amount.field, neededUnits(requested, DECIMALS, quote), amountSats],
    ['htlcAddress', htlcAddress === '' ? address : htlcAddress, address],
    ['htlcAmountSats', htlcAmountSats === '' ? amountSats : htlcAmountSats, amountSats]
  ]
}

function assertEqual(comparisons: readonly Comparison[]): void {
  for (const [field, sent, expected] of comparisons)
    if (String(sent) !== String(expected)) throw mismatch(field, String(expected))
}

const mismatch = (field: string, expected: string) =>
  fieldError(field, `must agree with the lock intent: ${expected}`, 'LOCK_INVALID')
