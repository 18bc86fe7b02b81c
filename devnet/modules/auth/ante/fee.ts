import { AbciError, sdkError } from '../../../chain/errors.ts'
import { requiredFees } from '../../../chain/min-gas-prices.ts'
import { sendCoins } from '../../bank/balances.ts'
import { areValidCoins, type Coin, formatCoins } from '../../bank/coins.ts'
import { getAccount } from '../accounts.ts'
import type { AnteContext } from './context.ts'

/** Only the mempool checks the minimum: each validator of a real network sets its own. @throws AbciError 13 */
function checkMinimum({ app, mode }: AnteContext, fee: readonly Coin[], gasLimit: bigint): void {
  if (mode === 'deliver' || app.minGasPrices.length === 0) return
  const required = requiredFees(app.minGasPrices, gasLimit)
  const suffices = required.some(({ denom, amount }) =>
    fee.some(coin => coin.denom === denom && coin.amount >= amount && amount > 0n)
  )
  if (!suffices) {
    throw sdkError(
      'insufficientFee',
      `insufficient fees; got: ${formatCoins(fee)} required: ${formatCoins(required)}`
    )
  }
}

/** Moves the fee to the fee collector. @throws AbciError 5 with the cause wrapped twice, as the SDK does */
function takeFee({ app, state, emit }: AnteContext, payer: string, fee: readonly Coin[]): void {
  if (!areValidCoins(fee)) throw sdkError('insufficientFee', `invalid fee amount: ${formatCoins(fee)}`)
  // The SDK looks the module's account up first, and the read costs gas.
  getAccount(state, app.feeCollector)
  try {
    sendCoins({ state, emit }, payer, app.feeCollector, fee)
  } catch (error) {
    if (error instanceof AbciError && error.code === 5) throw sdkError('insufficientFunds', error.message)
    throw error
  }
}

/** Takes the fee from the fee payer, the first signer unless the transaction names another. @throws AbciError */
export function deductFee(context: AnteContext): void {
  const { tx, mode, state, emit } = context
  const { amount, gasLimit, payer, granter } = tx.fee
  if (mode !== 'simulate') {
    if (gasLimit === 0n) throw sdkError('invalidGasLimit', 'must provide positive gas')
    checkMinimum(context, amount, gasLimit)
  }
  const feePayer = payer || (tx.signers[0] ?? '')
  if (granter !== '') throw sdkError('invalidRequest', 'fee grants are not enabled')
  if (!getAccount(state, feePayer)) {
    throw sdkError('unknownAddress', `fee payer address: ${feePayer} does not exist`)
  }
  if (amount.some(coin => coin.amount !== 0n)) takeFee(context, feePayer, amount)
  emit('tx', { fee: formatCoins(amount), fee_payer: feePayer })
}
