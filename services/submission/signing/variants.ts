import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import type { EngineContext } from '../runtime/context.ts'
import type { Variant } from '../store/types.ts'
import { signTransaction } from './transaction.ts'

/** The content of a variant before it is signed. */
export interface VariantPlan extends Omit<Variant, 'hash' | 'bytes'> {
  messages: Any[]
}

/** Signs a variant; nothing is stored or sent. */
export async function signVariant(engine: EngineContext, plan: VariantPlan): Promise<Variant> {
  const { messages, ...rest } = plan
  const { feeDenom: denom } = engine.settings
  const signed = await signTransaction(engine.wallet, engine.signer(), { ...rest, messages, denom })
  return { ...rest, ...signed }
}

/** The messages that a variant carries. */
export function messagesOf({ bytes }: Variant): Any[] {
  return TxBody.decode(TxRaw.decode(bytes).bodyBytes).messages
}
