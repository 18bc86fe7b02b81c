import type { App } from '../../../chain/app.ts'
import type { Emit } from '../../../chain/events.ts'
import type { GasMeter } from '../../../chain/state/gas.ts'
import type { DecodedTx } from '../../../chain/tx/decode.ts'
import type { RunMode } from '../../../chain/tx/run.ts'
import type { State } from '../../../chain/types.ts'
import { deductFee } from './fee.ts'
import { checkBasics, checkGasLimit, checkMemo, checkTimeoutHeight, consumeSizeGas } from './limits.ts'
import { setPublicKeys } from './public-keys.ts'
import { incrementSequences, verifySignatures } from './sequences.ts'
import { checkSignatureCount, consumeSignatureGas } from './signature-gas.ts'

/** What the steps of the ante handler work with. `state` is paid from `meter`. */
export interface AnteContext {
  readonly app: App
  readonly tx: DecodedTx
  readonly mode: RunMode
  readonly height: number
  readonly state: State
  readonly meter: GasMeter
  readonly emit: Emit
}

/** The steps in the order of the SDK's own ante handler: which error a bad transaction gets depends on it. */
const steps: readonly ((context: AnteContext) => void)[] = [
  checkGasLimit,
  checkBasics,
  checkTimeoutHeight,
  checkMemo,
  consumeSizeGas,
  deductFee,
  setPublicKeys,
  checkSignatureCount,
  consumeSignatureGas,
  verifySignatures,
  incrementSequences
]

/** Checks a transaction's envelope, takes its fee and counts its signers' sequences on. @throws AbciError */
export function runAnteHandler(context: AnteContext): void {
  for (const step of steps) step(context)
}
