import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import type { EngineContext } from '../lead/context.ts'
import { dearestFee } from '../lead/slots.ts'
import { StoreCorruptError } from '../store/errors.ts'
import type { Variant } from '../store/types.ts'

/** The content of a variant before it is signed. */
export interface VariantPlan extends Omit<Variant, 'hash' | 'bytes'> {
  messages: Any[]
}

/** A transaction might take the fees of the day above their limit. */
export class FeeLimitError extends Error {
  override name = 'FeeLimitError'
}

/**
 * The most that the chain can take today is what it took, and of each open slot the dearest variant. What costs no more than
 * another variant of its slot adds nothing to that.
 */
async function checkFeeLimit(engine: EngineContext, { sequence, feeAmount }: VariantPlan): Promise<void> {
  const { slots, settings, blockers } = engine
  const { dailyFeeLimit: limit } = settings
  const added = feeAmount - dearestFee(slots.get(sequence))
  if (limit === undefined || added <= 0n) return
  const paid = await engine.feesPaidToday().catch(cause => {
    // What cannot be read counts as the limit.
    throw cause instanceof StoreCorruptError ? new FeeLimitError(cause.message, { cause }) : cause
  })
  const fees = { paid, inOpenSlots: slots.fees, added, limit }
  if (paid + slots.fees + added > limit) {
    const amounts = Object.entries(fees).map(([name, amount]) => `${name} ${amount}`)
    throw new FeeLimitError(`SERVICE_DAILY_FEE_LIMIT is reached: ${amounts.join(', ')}`)
  }
  blockers.clear('daily-fee-limit')
}

/**
 * Signs a variant; nothing is sent. The lock of the slots is held until it is stored, so that every check of the fees counts
 * all others (interface 17.10).
 * @throws FeeLimitError, SignerUnavailableError
 */
export async function signVariant(engine: EngineContext, plan: VariantPlan): Promise<Variant> {
  await checkFeeLimit(engine, plan)
  const { messages, ...rest } = plan
  const { feeDenom: denom } = engine.settings
  const signed = await engine.signing.sign(engine.signer(), { ...rest, messages, denom })
  return { ...rest, ...signed }
}

/** The messages that a variant carries. */
export function messagesOf({ bytes }: Variant): Any[] {
  return TxBody.decode(TxRaw.decode(bytes).bodyBytes).messages
}
