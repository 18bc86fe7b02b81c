import { multiplyUp } from '../../services/submission/signing/fees.ts'
import { signTransaction } from '../../services/submission/signing/transaction.ts'
import { messagesOf } from '../../services/submission/signing/variants.ts'
import { baseUnits, readArguments, required, wholeNumber } from '../arguments.ts'
import type { Command } from '../command.ts'
import { signerOf } from '../context.ts'
import { OperatorError, UsageError } from '../errors.ts'

export const resign: Command = {
  arguments: 'SLOT (--fee AMOUNT | --gas-price PRICE) --max-fee AMOUNT',
  summary: 'signs an open slot again with a higher fee',
  details: `  --fee AMOUNT       the new fee in base units
  --gas-price PRICE  the new fee per unit of gas, a decimal
  --max-fee AMOUNT   in base units: a higher fee is refused
All servers must be stopped. The next one to start sends the new transaction. Only one transaction of a slot is executed.`,
  async run(argv, context) {
    const { values, positionals } = readArguments(
      argv,
      { fee: { type: 'string' }, 'gas-price': { type: 'string' }, 'max-fee': { type: 'string' } },
      ['SLOT']
    )
    const sequence = wholeNumber('SLOT', positionals[0] ?? '')
    const feeOf = feePolicy(values.fee, values['gas-price'])
    const maxFee = baseUnits('--max-fee', required('--max-fee', values['max-fee']))
    const { store, queries } = await context.own()
    const signer = await signerOf(queries)
    const newest = (await queries.variants(sequence)).at(-1)
    if (newest === undefined) throw new OperatorError(`slot ${sequence} is not open`)
    const feeAmount = feeOf(newest.gasLimit)
    if (feeAmount <= newest.feeAmount) {
      throw new OperatorError(`the new fee ${feeAmount} is not above the present one, ${newest.feeAmount}`)
    }
    if (feeAmount > maxFee) throw new OperatorError(`the new fee ${feeAmount} is above --max-fee ${maxFee}`)
    const wallet = await context.wallet()
    if (wallet.address !== signer.address) {
      throw new OperatorError(`the store belongs to the wallet ${signer.address}, not to ${wallet.address}`)
    }
    const messages = messagesOf(newest)
    const denom = context.config.SERVICE_CHAIN_DENOM
    const signed = await signTransaction(wallet, signer, { ...newest, messages, feeAmount, denom })
    await store.addVariant({ ...newest, ...signed, feeAmount })
    context.print(
      `Slot ${sequence} is signed again with a fee of ${feeAmount} ${denom} instead of ${newest.feeAmount} ${denom}.`,
      `Transaction ${signed.hash} is sent at the next start of the server.`
    )
    return 0
  }
}

/** @throws UsageError unless exactly one of both is given */
function feePolicy(fee: string | undefined, price: string | undefined): (gasLimit: number) => bigint {
  if (fee !== undefined && price === undefined) {
    const amount = baseUnits('--fee', fee)
    return () => amount
  }
  if (price === undefined || fee !== undefined) throw new UsageError('expected one of --fee and --gas-price')
  if (!/^\d{1,18}(\.\d{1,18})?$/.test(price)) {
    throw new UsageError(`--gas-price ${price}: expected a decimal such as 0.05`)
  }
  return gasLimit => multiplyUp(BigInt(gasLimit), price)
}
