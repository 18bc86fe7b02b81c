import type { App } from '../../../chain/app.ts'
import type { Emit } from '../../../chain/events.ts'
import type { GasMeter } from '../../../chain/state/gas.ts'
import type { State } from '../../../chain/state/state.ts'
import type { RunMode } from '../../../chain/tx/context.ts'
import type { DecodedTx } from '../../../chain/tx/decode.ts'
import { checkBasics, checkGasLimit, consumeSizeGas, deductFee } from './envelope.ts'
import { consumeSignatureGas, incrementSequences, setPublicKeys, verifySignatures } from './signatures.ts'

export interface AnteContext {
  readonly app: App
  readonly tx: DecodedTx
  readonly mode: RunMode
  readonly height: number
  /** Access charges `meter`. */
  readonly state: State
  readonly meter: GasMeter
  readonly emit: Emit
}

/** The steps, in the order of the SDK's ante handler. If several fail, the first determines the error. */
const steps: readonly ((context: AnteContext) => void)[] = [
  checkGasLimit,
  checkBasics,
  consumeSizeGas,
  deductFee,
  setPublicKeys,
  consumeSignatureGas,
  verifySignatures,
  incrementSequences
]

/** Checks a transaction's envelope, deducts the fee and increments the signers' sequences. @throws AbciError */
export function runAnteHandler(context: AnteContext): void {
  for (const step of steps) step(context)
}
