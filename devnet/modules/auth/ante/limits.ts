import { addressProblem, foreignPrefix } from '../../../chain/addresses.ts'
import { AbciError, sdkError } from '../../../chain/errors.ts'
import { rfc3339 } from '../../../chain/time.ts'
import { formatCoins } from '../../bank/coins.ts'
import { getAccount } from '../accounts.ts'
import { getParams } from '../params.ts'
import { type AnteContext, nanoseconds } from './context.ts'

const MAX_GAS_WANTED = 2n ** 63n - 1n

/** The size of a signature and its secp256k1 key in the SDK's simulation of an unsigned transaction. */
const SIMULATED_SIGNATURE_BYTES = 112

/** A transaction may not want more gas than a block has. @throws AbciError 41 */
export function checkGasLimit({ app, tx }: AnteContext): void {
  const gasLimit = tx.fee?.gasLimit ?? 0n
  if (app.maxBlockGas > 0n && gasLimit > app.maxBlockGas) {
    throw sdkError('invalidGasLimit', `tx gas limit ${gasLimit} exceeds block max gas ${app.maxBlockGas}`)
  }
  if (tx.hasExtensionOptions) throw sdkError('unknownExtensionOptions')
}

/** Checks of the envelope that need no state. @throws AbciError */
export function checkBasics({ app, tx, mode }: AnteContext): void {
  if (mode === 'recheck') return
  // The SDK does not check this, and panics.
  if (!tx.fee) throw new Error('runtime error: invalid memory address or nil pointer dereference')
  const { amount, hasEmptyAmount, gasLimit, payer } = tx.fee
  if (gasLimit > MAX_GAS_WANTED) {
    throw sdkError('invalidRequest', `invalid gas supplied; ${gasLimit} > ${MAX_GAS_WANTED}`)
  }
  if (hasEmptyAmount) throw sdkError('insufficientFee', 'invalid fee provided: null')
  if (amount.some(coin => coin.amount < 0n)) {
    throw sdkError('insufficientFee', `invalid fee provided: ${formatCoins(amount)}`)
  }
  const payerProblem = payer === '' ? undefined : addressProblem(payer, app.prefix)
  if (payerProblem) throw sdkError('invalidAddress', `Invalid fee payer address (${payerProblem})`)
  const count = tx.raw.signatures.length
  if (count === 0) throw sdkError('noSignatures')
  if (app.sdk !== '0.47') for (const signer of tx.signers) checkSigner(signer, app.prefix)
  if (count !== tx.signers.length) {
    throw sdkError('unauthorized', `wrong number of signers; expected ${tx.signers.length}, got ${count}`)
  }
}

/** Since 0.50 the signers are decoded here, for messages that have no checks of their own. @throws AbciError */
function checkSigner(signer: string, prefix: string): void {
  const problem = addressProblem(signer, prefix)
  if (problem === undefined) return
  const foreign = foreignPrefix(problem)
  throw foreign === undefined ? new AbciError('undefined', 1, problem, false) : sdkError('logic', foreign)
}

/** @throws AbciError 30 or 42 when the block's height or time is above the transaction's timeout */
export function checkTimeout({ tx, height, time }: AnteContext): void {
  if (tx.timeoutHeight > 0n && BigInt(height) > tx.timeoutHeight) {
    throw sdkError('timeoutHeight', `block height: ${height}, timeout height: ${tx.timeoutHeight}`)
  }
  if (tx.timeoutTimestamp > 0n && tx.timeoutTimestamp < nanoseconds(time)) {
    const timeout = goTime(Number(tx.timeoutTimestamp / 1_000_000n))
    throw sdkError('txTimeout', `block time: ${goTime(time)}, timeout timestamp: ${timeout}`)
  }
}

/** A time in milliseconds as Go prints it in a text. */
function goTime(milliseconds: number): string {
  return rfc3339(milliseconds).replace('T', ' ').replace('Z', ' +0000 UTC')
}

/** @throws AbciError 12 for a memo that is too long, in bytes */
export function checkMemo({ tx, state }: AnteContext): void {
  if (tx.memo === '') return
  const { maxMemoCharacters } = getParams(state)
  const length = Buffer.byteLength(tx.memo)
  if (length > maxMemoCharacters) {
    throw sdkError(
      'memoTooLarge',
      `maximum number of characters is ${maxMemoCharacters} but received ${length} characters`
    )
  }
}

/** Gas for each byte of the transaction; a simulation adds the signatures that are still missing. */
export function consumeSizeGas({ tx, mode, state, meter }: AnteContext): void {
  const { txSizeCostPerByte, txSigLimit } = getParams(state)
  meter.consume(txSizeCostPerByte * tx.bytes.length, 'txSize')
  if (mode !== 'simulate') return
  for (const [index, signer] of tx.signers.entries()) {
    if (tx.raw.signatures[index]?.length) continue
    const isMultisig = getAccount(state, signer)?.pubKey?.typeUrl.includes('multisig') ?? false
    const bytes = SIMULATED_SIGNATURE_BYTES * (isMultisig ? txSigLimit : 1)
    meter.consume(txSizeCostPerByte * bytes, 'txSize')
  }
}
