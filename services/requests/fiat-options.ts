import { Value } from '@sinclair/typebox/value'
import { uuid } from '../../schemas/leaves.ts'
import type { FiatRail } from '../chains/families.ts'
import { paymentMethodOf, railOf } from '../fiat/index.ts'
import { transactionIdSignature } from '../fiat/transaction-id.ts'
import type { Signer } from '../wallet/signer.ts'
import { type OptionsInput, optionsError, readOptions, type SubmitOptions } from './options.ts'

const Seed = uuid()

/**
 * The options of a submission from a rail (interface 10.3 to 10.9): payment method and seed come from the client, the
 * signature of the seed always from the wallet, and the approval signature of a crypto origin is removed.
 * @param originChain BANK, CC or FIAT
 * @returns also the rail that the origin stands for
 * @throws ServiceError OPTIONS_INVALID naming the field
 */
export async function fiatOptions(
  input: OptionsInput,
  originChain: string,
  signer: Pick<Signer, 'sign'>
): Promise<SubmitOptions & { rail: FiatRail; transactionIdSeed: string }> {
  const { options, ...read } = readOptions(input, [
    'feeId',
    'message',
    'fiatTransactionIdSeed',
    'ccTransactionIdSeed'
  ])
  const { signature, ...kept } = options
  const { paymentMethod: named = '', transactionIdSeed } = kept
  const paymentMethod = named === '' ? paymentMethodOf(originChain) : named
  if (typeof paymentMethod !== 'string') {
    throw optionsError('options/paymentMethod', 'must be a non-empty string, such as creditCard or sepaEur')
  }
  const rail = railOf(originChain, paymentMethod)
  if (rail === undefined) {
    throw optionsError('options/paymentMethod', `is not a payment method of ${originChain}`)
  }
  if (!Value.Check(Seed, transactionIdSeed)) {
    throw optionsError(
      'options/transactionIdSeed',
      'must be a UUID of version 4, here or as fiatTransactionIdSeed'
    )
  }
  const signed = {
    ...kept,
    paymentMethod,
    transactionIdSignature: await transactionIdSignature(transactionIdSeed, signer)
  }
  return { ...read, rail, transactionIdSeed, text: JSON.stringify(signed) }
}
