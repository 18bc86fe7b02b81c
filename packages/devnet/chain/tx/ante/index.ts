import type { AnteContext } from './context.ts'
import { checkBasics, checkGasLimit, consumeSizeGas, deductFee } from './envelope.ts'
import { consumeSignatureGas, incrementSequences, setPublicKeys, verifySignatures } from './signatures.ts'

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
