import { shorten } from '../../chain-client/index.ts'
import type { Clock } from '../../clock.ts'
import type { Signer } from '../../wallet/signer.ts'
import type { Blockers } from '../lead/blockers.ts'
import { type SigningAccount, signTransaction, type TransactionPlan } from './transaction.ts'

/** How long a signer may take, in milliseconds. No block is applied meanwhile. */
const MOST_SIGNING_MS = 5000

/** The first rest after a failure. Each one that follows without a signature is twice as long, up to the longest. */
const FIRST_REST_MS = 1000
const LONGEST_REST_MS = 10_000

/** The signer has failed, or rests after that. Nothing was signed. */
export class SignerUnavailableError extends Error {
  override name = 'SignerUnavailableError'
  readonly restMs: number

  constructor(message: string, restMs: number, options?: ErrorOptions) {
    super(message, options)
    this.restMs = restMs
  }
}

/** Signs with a signer that may fail: while it rests nobody waits for it, and what is priced meanwhile is not priced in vain. */
export interface Signing {
  /** @throws SignerUnavailableError while the signer rests */
  requireSigner(): void
  /**
   * Waits a bounded time. A signature that comes later is dropped: what is not stored is not sent.
   * @throws SignerUnavailableError
   */
  sign(account: SigningAccount, plan: TransactionPlan): ReturnType<typeof signTransaction>
}

export function createSigning(options: { wallet: Signer; blockers: Blockers; clock: Clock }): Signing {
  const { wallet, blockers, clock } = options
  let restMs = 0
  let restsUntil = Number.NEGATIVE_INFINITY

  function requireSigner(): void {
    const left = restsUntil - clock.elapsed()
    if (left > 0) throw new SignerUnavailableError('the signer rests after a failure', left)
  }

  async function withinLimit<T>(signing: Promise<T>): Promise<T> {
    let cancel = () => {}
    const late = new Promise<never>((_resolve, reject) => {
      const error = new Error(`the signer did not sign within ${MOST_SIGNING_MS} ms`)
      cancel = clock.after(MOST_SIGNING_MS, () => reject(error))
    })
    return Promise.race([signing, late]).finally(cancel)
  }

  return {
    requireSigner,
    async sign(account, plan) {
      requireSigner()
      try {
        const signed = await withinLimit(signTransaction(wallet, account, plan))
        restMs = 0
        blockers.clear('signer-unavailable')
        return signed
      } catch (cause) {
        const reason = shorten(cause instanceof Error ? cause.message : String(cause))
        restMs = Math.min(Math.max(FIRST_REST_MS, 2 * restMs), LONGEST_REST_MS)
        restsUntil = clock.elapsed() + restMs
        blockers.raise('signer-unavailable', reason)
        throw new SignerUnavailableError(reason, restMs, { cause })
      }
    }
  }
}
