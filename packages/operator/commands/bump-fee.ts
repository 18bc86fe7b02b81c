import { optionalAmount } from '../../../services/amounts.ts'
import type { SignedTx } from '../../../services/submission/contract.ts'
import { limitReason, multiplyUp } from '../../../services/submission/decide/fees.ts'
import { createSlotTable, dearestFee } from '../../../services/submission/slots.ts'
import type { OwnedStore } from '../../../services/submission/store/operator.ts'
import { messagesOf, signTransaction } from '../../../services/submission/transaction.ts'
import { matching, readArguments, wholeNumber } from '../arguments.ts'
import type { Command } from '../command.ts'
import { type Context, walletOf, walletStateOf } from '../context.ts'
import { OperatorError } from '../errors.ts'

export const bumpFee: Command = {
  arguments: 'SLOT --gas-price PRICE --max-fee AMOUNT',
  summary: 're-signs an open slot with a higher fee',
  details: `  --gas-price PRICE  the new gas price, a decimal
  --max-fee AMOUNT   the highest acceptable fee, in base units
Stop all servers first. The next server to start sends the new transaction. The chain executes only one transaction per slot.`,
  changes: () => true,
  async run(argv, context) {
    const { values, argument } = readArguments(
      argv,
      { 'gas-price': { type: 'string' }, 'max-fee': { type: 'string' } },
      'SLOT'
    )
    const sequence = wholeNumber('SLOT', argument)
    const price = matching(
      '--gas-price',
      values['gas-price'],
      /^\d{1,18}(\.\d{1,18})?$/,
      'a decimal such as 0.05'
    )
    const maxFee = BigInt(
      matching('--max-fee', values['max-fee'], /^\d{1,30}$/, 'a whole number of base units')
    )
    const { store, queries } = await context.own()
    const account = await walletStateOf(queries)
    const newest = (await queries.signedTxs(sequence)).at(-1)
    if (newest === undefined) throw new OperatorError(`slot ${sequence} is not open`)
    const feeAmount = multiplyUp(BigInt(newest.gasLimit), price)
    if (feeAmount <= newest.feeAmount) {
      throw new OperatorError(`the new fee ${feeAmount} is not above the current fee ${newest.feeAmount}`)
    }
    if (feeAmount > maxFee) throw new OperatorError(`the new fee ${feeAmount} is above --max-fee ${maxFee}`)
    await checkFeeLimit(context, { store, queries }, { sequence, feeAmount })
    const wallet = await walletOf(context, account)
    const messages = messagesOf(newest)
    const denom = context.config.feeDenom
    const signed = await signTransaction(wallet, account, { ...newest, messages, feeAmount, denom })
    await store.addSignedTx({ ...newest, ...signed, feeAmount })
    context.report(
      { slot: sequence, hash: signed.hash, fee: String(feeAmount), denom },
      `Re-signed slot ${sequence} with a fee of ${feeAmount} ${denom} instead of ${newest.feeAmount} ${denom}.`,
      `The next server to start sends transaction ${signed.hash}.`
    )
    return 0
  }
}

/** @throws OperatorError if the day's fees could exceed the limit, as the engine counts them (interface 17.10) */
async function checkFeeLimit(
  { config }: Context,
  { store, queries }: Pick<OwnedStore, 'store' | 'queries'>,
  { sequence, feeAmount }: Pick<SignedTx, 'sequence' | 'feeAmount'>
): Promise<void> {
  const limit = optionalAmount(config.SERVICE_DAILY_FEE_LIMIT)
  if (limit === undefined) return
  const slots = createSlotTable()
  for (const signedTx of await store.openSignedTxs()) slots.add(signedTx)
  const added = feeAmount - dearestFee(slots.get(sequence))
  const reason = limitReason({ paid: await queries.feesPaidToday(), inOpenSlots: slots.fees, added }, limit)
  if (reason !== undefined) throw new OperatorError(reason)
}
