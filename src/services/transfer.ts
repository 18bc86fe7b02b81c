import { Value } from '@sinclair/typebox/value'
import { SmallestUnits, type TransferBody } from '../schemas/submit.ts'
import { toWholeTokens } from './amounts.ts'
import { fieldError } from './field-error.ts'
import type { MsgRequestTransaction } from './messages/index.ts'
import { cryptoOptions } from './options.ts'
import { isRail } from './rails.ts'

export interface Transfer {
  feeId: string
  message: MsgRequestTransaction
}

/**
 * The chain's message for a transfer request with a crypto origin (contract §3, Submit).
 * @param creator chain address of the submitting wallet
 * @throws ValidationError, ServiceError OPTIONS_INVALID, each naming the field at fault
 */
export function prepareTransfer(body: TransferBody, creator: string): Transfer {
  const { originChain, originAddress, originSymbol, targetChain, targetAddress, targetSymbol, decimals } =
    body
  if (isRail(originChain)) {
    throw fieldError(
      'originChain',
      'must be a crypto chain: transfers from BANK, CC and FIAT are not supported yet'
    )
  }
  const { feeId, text } = cryptoOptions(body)
  const { amount, fee } = smallestUnits(body)
  if (/^0+$/.test(amount)) throw fieldError(nameOfAmount(body), 'must be above zero')

  return {
    feeId,
    message: {
      creator,
      originChain,
      originAddress,
      originSymbol,
      targetChain,
      targetAddress,
      targetSymbol,
      amount: toWholeTokens(amount, decimals, nameOfAmount(body)),
      fee: toWholeTokens(fee, decimals, 'fee'),
      htlcExpirationTimestamp: body.htlcExpirationTimestamp ?? '',
      htlcCreationHash: body.htlcCreationHash ?? '',
      htlcCreationVout: body.htlcCreationVout ?? 0,
      htlcVersion: body.htlcVersion ?? '',
      senderPubKey: Buffer.from(body.senderPubKey?.replace(/^0x/, '') ?? '', 'hex'),
      options: text
    }
  }
}

/** `submitAmount` makes it the 1.4 form: its `amount` is in whole tokens then and does not count. */
function smallestUnits(body: TransferBody): { amount: string; fee: string } {
  const { amount, submitAmount, fee } = body
  if (submitAmount !== undefined) return { amount: String(submitAmount), fee: String(fee ?? 0) }
  if (amount === undefined) throw fieldError('amount', 'is required')
  if (fee === undefined) throw fieldError('fee', 'is required')
  if (!Value.Check(SmallestUnits, amount)) {
    throw fieldError('amount', 'must be in the smallest unit, as digits or a safe integer')
  }
  return { amount: String(amount), fee: String(fee) }
}

function nameOfAmount(body: TransferBody): 'amount' | 'submitAmount' {
  return body.submitAmount === undefined ? 'amount' : 'submitAmount'
}
