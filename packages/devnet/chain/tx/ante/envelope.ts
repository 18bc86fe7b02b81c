import { Decimal } from '@cosmjs/math'
import { getAccount } from '../../auth/accounts.ts'
import { sendCoins } from '../../bank/balances.ts'
import { areValidCoins, type Coin, formatCoins } from '../../coins.ts'
import { AbciError, sdkError } from '../../errors.ts'
import type { AnteContext } from './context.ts'

const SIZE_COST_PER_BYTE = 10
const PRICE_DIGITS = 18
/** The gas that the SDK charges for reading parameters and indexes, which this chain does not have. */
const PARAMETERS_GAS = 9_000
/** The size that the SDK assumes for a missing signature and its secp256k1 key in simulations. */
const SIMULATED_SIGNATURE_BYTES = 112

/** @throws AbciError 41 when the gas limit exceeds the block gas limit */
export function checkGasLimit({ app, tx }: AnteContext): void {
  const { gasLimit } = tx.fee
  if (gasLimit > app.maxBlockGas) {
    throw sdkError('invalidGasLimit', `tx gas limit ${gasLimit} exceeds block max gas ${app.maxBlockGas}`)
  }
}

/** Checks the parts of the envelope that need no state. @throws AbciError */
export function checkBasics({ tx, mode }: AnteContext): void {
  if (mode === 'recheck') return
  const { amount } = tx.fee
  if (amount.some(coin => coin.amount < 0n)) {
    throw sdkError('insufficientFee', `invalid fee provided: ${formatCoins(amount)}`)
  }
  const count = tx.raw.signatures.length
  if (count === 0) throw sdkError('noSignatures')
  if (count !== tx.signers.length) {
    throw sdkError('unauthorized', `wrong number of signers; expected ${tx.signers.length}, got ${count}`)
  }
}

/** Charges gas for size and parameters, in simulations also for missing signatures. */
export function consumeSizeGas({ tx, mode, meter }: AnteContext): void {
  meter.consume(SIZE_COST_PER_BYTE * tx.bytes.length, 'txSize')
  meter.consume(PARAMETERS_GAS, 'ReadFlat')
  if (mode !== 'simulate') return
  for (const index of tx.signers.keys()) {
    if (tx.raw.signatures[index]?.length) continue
    meter.consume(SIZE_COST_PER_BYTE * SIMULATED_SIGNATURE_BYTES, 'txSize')
  }
}

/** @throws AbciError 13. Blocks are exempt: on a real network, each validator sets its own minimum */
function checkMinimum({ app, mode }: AnteContext, fee: readonly Coin[], gasLimit: bigint): void {
  const price = BigInt(Decimal.fromUserInput(app.minGasPrice, PRICE_DIGITS).atomics)
  if (mode === 'deliver' || price === 0n) return
  const scale = 10n ** BigInt(PRICE_DIGITS)
  const required = { denom: app.feeDenom, amount: (price * gasLimit + scale - 1n) / scale }
  const suffices = fee.some(({ denom, amount }) => denom === required.denom && amount >= required.amount)
  if (!suffices) {
    throw sdkError(
      'insufficientFee',
      `insufficient fees; got: ${formatCoins(fee)} required: ${formatCoins([required])}`
    )
  }
}

/** @throws AbciError 5, which wraps the cause twice, as in the SDK */
function takeFee({ app, state, emit }: AnteContext, payer: string, fee: readonly Coin[]): void {
  if (!areValidCoins(fee)) throw sdkError('insufficientFee', `invalid fee amount: ${formatCoins(fee)}`)
  // The SDK first reads the module account, which costs gas.
  getAccount(state, app.feeCollector)
  try {
    sendCoins({ state, emit }, payer, app.feeCollector, fee)
  } catch (error) {
    if (error instanceof AbciError && error.code === 5) throw sdkError('insufficientFunds', error.message)
    throw error
  }
}

/** Deducts the fee from the first signer's balance. @throws AbciError */
export function deductFee(context: AnteContext): void {
  const { tx, mode, state, emit } = context
  const { amount, gasLimit } = tx.fee
  if (mode !== 'simulate') {
    if (gasLimit === 0n) throw sdkError('invalidGasLimit', 'must provide positive gas')
    checkMinimum(context, amount, gasLimit)
  }
  const [feePayer = ''] = tx.signers
  if (!getAccount(state, feePayer)) {
    throw sdkError('unknownAddress', `fee payer address: ${feePayer} does not exist`)
  }
  if (amount.some(coin => coin.amount !== 0n)) takeFee(context, feePayer, amount)
  emit('tx', { fee: formatCoins(amount), fee_payer: feePayer })
}
