import type { Any } from 'cosmjs-types/google/protobuf/any'
import { backoffMs } from '../../async/backoff.ts'
import { within } from '../../async/within.ts'
import { messageOf, shorten } from '../../errors/shown.ts'
import type { SignedTx, WalletState } from '../contract.ts'
import { limitReason, multiplyUp } from '../decide/fees.ts'
import { StoreCorruptError } from '../errors.ts'
import { dearestFee, type SlotTable } from '../slots.ts'
import { signTransaction } from '../transaction.ts'
import type { Blockers } from './blockers.ts'
import type { TermTools, Tools } from './tools.ts'

/** The timeout of the signer. No block is applied while the signer is signing. */
const MAX_SIGNING_MS = 5000

const BACKOFF = { firstMs: 1000, longestMs: 10_000 }

/** The signer failed, or its backoff after a failure is not over. Nothing was signed. */
class SignerUnavailableError extends Error {
  override name = 'SignerUnavailableError'
  readonly pauseMs: number

  constructor(message: string, pauseMs: number, options?: ErrorOptions) {
    super(message, options)
    this.pauseMs = pauseMs
  }
}

export class FeeLimitError extends Error {
  override name = 'FeeLimitError'
}

interface SigningPlan extends Omit<SignedTx, 'hash' | 'bytes'> {
  messages: Any[]
}

/** Returns the pause after an error of the fee limit or the signer. @throws any other error */
export function pauseUnsigned(error: unknown, blockers: Blockers): number {
  if (error instanceof FeeLimitError) return blockers.raise('daily-fee-limit', error.message)
  if (error instanceof SignerUnavailableError) return error.pauseMs
  throw error
}

/** Creates the functions that sign within the daily fee limit, and not during the backoff after a failure. */
export function createSigning(
  engine: Pick<Tools, 'wallet' | 'settings' | 'clock'> &
    Pick<TermTools, 'feesPaidToday' | 'blockers'> & { slots: SlotTable; walletState: () => WalletState }
) {
  const { wallet, settings, slots, feesPaidToday, walletState, blockers, clock } = engine
  let failures = 0
  let backoffUntil = Number.NEGATIVE_INFINITY

  /** @throws SignerUnavailableError during the backoff of the signer */
  function requireSigner(): void {
    const left = backoffUntil - clock.elapsed()
    if (left > 0) throw new SignerUnavailableError('the signer failed; waiting before the next attempt', left)
  }

  function late(): never {
    throw new Error(`the signer did not sign within ${MAX_SIGNING_MS} ms`)
  }

  /**
   * Checks the daily fee limit. The chain can charge at most the fees already paid plus the highest fee of each open
   * slot. A transaction that costs no more than another one of its slot adds nothing.
   */
  async function checkFeeLimit({ sequence, feeAmount }: SigningPlan): Promise<void> {
    const { dailyFeeLimit: limit } = settings
    const added = feeAmount - dearestFee(slots.get(sequence))
    if (limit === undefined || added <= 0n) return
    const paid = await feesPaidToday().catch(cause => {
      // If the paid fees are unreadable, treat the limit as reached.
      throw cause instanceof StoreCorruptError ? new FeeLimitError(cause.message, { cause }) : cause
    })
    const reason = limitReason({ paid, inOpenSlots: slots.fees, added }, limit)
    if (reason !== undefined) throw new FeeLimitError(reason)
    blockers.clear('daily-fee-limit')
  }

  return {
    requireSigner,
    /**
     * Signs a transaction without sending it. A signature that arrives after the timeout is dropped. The caller must hold
     * the slot lock until the transaction is stored, so that every fee check counts all signed transactions (interface
     * 17.10).
     * @throws FeeLimitError, SignerUnavailableError
     */
    async sign(plan: SigningPlan): Promise<SignedTx> {
      await checkFeeLimit(plan)
      requireSigner()
      const { messages, ...rest } = plan
      const dear = multiplyUp(BigInt(2 * plan.gasLimit), settings.gasPrice)
      if (plan.feeAmount > dear && Number(settings.gasPrice) > 0)
        blockers.raise(
          'fees-risen',
          `${plan.gasLimit} gas cost ${plan.feeAmount}, more than twice the configured price (${dear})`
        )
      try {
        const { feeDenom: denom } = settings
        const signing = signTransaction(wallet, walletState(), { ...plan, denom })
        const signed = await within(MAX_SIGNING_MS, signing, late, clock)
        failures = 0
        blockers.clear('signer-unavailable')
        return { ...rest, ...signed }
      } catch (cause) {
        const reason = shorten(messageOf(cause))
        failures += 1
        const pauseMs = backoffMs(failures, BACKOFF)
        backoffUntil = clock.elapsed() + pauseMs
        blockers.raise('signer-unavailable', reason)
        throw new SignerUnavailableError(reason, pauseMs, { cause })
      }
    }
  }
}
