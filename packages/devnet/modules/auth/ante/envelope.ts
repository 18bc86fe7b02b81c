import { AbciError, sdkError } from '../../../chain/errors.ts'
import { requiredFee } from '../../../chain/min-gas-price.ts'
import { rfc3339 } from '../../../chain/time.ts'
import { sendCoins } from '../../bank/balances.ts'
import { areValidCoins, type Coin, formatCoins } from '../../bank/coins.ts'
import { getAccount } from '../accounts.ts'
import { type AnteContext, nanoseconds } from './context.ts'

const SIZE_COST_PER_BYTE = 10
/** The SDK's gas for its parameters and indexes, which are not in the state here. */
const PARAMETERS_GAS = 9_000
/** The size of a signature and its secp256k1 key in the SDK's simulation of an unsigned transaction. */
const SIMULATED_SIGNATURE_BYTES = 112

/** A transaction may not want more gas than a block has. @throws AbciError 41 */
export function checkGasLimit({ app, tx }: AnteContext): void {
  const { gasLimit } = tx.fee
  if (app.maxBlockGas > 0n && gasLimit > app.maxBlockGas) {
    throw sdkError('invalidGasLimit', `tx gas limit ${gasLimit} exceeds block max gas ${app.maxBlockGas}`)
  }
}

/** Checks of the envelope that need no state. @throws AbciError */
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

/** @throws AbciError 42 when the block's time is above the transaction's timeout */
export function checkTimeout({ tx, time }: AnteContext): void {
  if (tx.timeoutTimestamp > 0n && tx.timeoutTimestamp < nanoseconds(time)) {
    const timeout = goTime(Number(tx.timeoutTimestamp / 1_000_000n))
    throw sdkError('txTimeout', `block time: ${goTime(time)}, timeout timestamp: ${timeout}`)
  }
}

/** A time in milliseconds as Go prints it in a message. */
function goTime(milliseconds: number): string {
  return rfc3339(milliseconds).replace('T', ' ').replace('Z', ' +0000 UTC')
}

/** Gas for each byte of the transaction, and for parameters; a simulation adds the signatures that are still missing. */
export function consumeSizeGas({ tx, mode, meter }: AnteContext): void {
  meter.consume(SIZE_COST_PER_BYTE * tx.bytes.length, 'txSize')
  meter.consume(PARAMETERS_GAS, 'ReadFlat')
  if (mode !== 'simulate') return
  for (const index of tx.signers.keys()) {
    if (tx.raw.signatures[index]?.length) continue
    meter.consume(SIZE_COST_PER_BYTE * SIMULATED_SIGNATURE_BYTES, 'txSize')
  }
}

/** Only the mempool checks the minimum: each validator of a real network sets its own. @throws AbciError 13 */
function checkMinimum({ app, mode }: AnteContext, fee: readonly Coin[], gasLimit: bigint): void {
  if (mode === 'deliver' || app.minGasPrice === 0n) return
  const required = { denom: app.feeDenom, amount: requiredFee(app.minGasPrice, gasLimit) }
  const suffices = fee.some(({ denom, amount }) => denom === required.denom && amount >= required.amount)
  if (!suffices) {
    throw sdkError(
      'insufficientFee',
      `insufficient fees; got: ${formatCoins(fee)} required: ${formatCoins([required])}`
    )
  }
}

/** Moves the fee to the fee collector. @throws AbciError 5 with the cause wrapped twice, as the SDK does */
function takeFee({ app, state, emit }: AnteContext, payer: string, fee: readonly Coin[]): void {
  if (!areValidCoins(fee)) throw sdkError('insufficientFee', `invalid fee amount: ${formatCoins(fee)}`)
  // The SDK first reads the module's account, which costs gas.
  getAccount(state, app.feeCollector)
  try {
    sendCoins({ state, emit }, payer, app.feeCollector, fee)
  } catch (error) {
    if (error instanceof AbciError && error.code === 5) throw sdkError('insufficientFunds', error.message)
    throw error
  }
}

/** Takes the fee from the first signer. @throws AbciError */
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
