import type { SubmitBody } from '../../schemas/submit.ts'
import { canonicalAddress } from '../addresses/index.ts'
import { BTC, FIAT } from '../chains/families.ts'
import type { SubmittedEnd } from '../custom-validation/types.ts'
import { fieldError } from '../errors/index.ts'
import { isFiat } from '../fiat/index.ts'
import type { MsgRequestTransaction } from '../messages/index.ts'
import type { Signer } from '../wallet/signer.ts'
import { cryptoOptions, fiatOptions } from './options.ts'

export interface ClaimedAmount {
  field: string
  /** Decimal string in whole tokens. */
  whole: string
  decimals: { value: number; field: string }
  /** Whether the request specifies decimals only for the other token. This token must then have the same decimals. */
  assumed: boolean
}

/** The ends of a transfer. A rail has its own name here, never FIAT (interface 4.2). */
export interface Route {
  origin: SubmittedEnd & { amount: ClaimedAmount }
  /** `amount` is undefined if the request contains no amount in the target token. */
  target: SubmittedEnd & { amount: ClaimedAmount | undefined }
  /** The option, if it has content. `deadline` is in Unix seconds. */
  permit2: { deadline: number } | undefined
}

/** A request, parsed for the checks. */
export interface RequestedSubmission {
  feeId: string
  route: Route
  /** Decimal string in whole origin tokens. */
  fee: string
  /** True deducts the fees from the amount that arrives, false adds them on top; undefined if the user did not choose. */
  chargeFeeAtTarget: boolean | undefined
  /** The approval that the user of a crypto origin signed; undefined for a rail, and for Bitcoin. */
  approval: { message: string | undefined; signature: string } | undefined
  /** The fields of the lock that takes the place of an approval; undefined unless the origin is Bitcoin. */
  lock: LockFields | undefined
  /** Identifies the payment of a rail; undefined for a crypto origin. */
  transactionIdSeed: string | undefined
  /** The payment method as the chain gets it; undefined for a crypto origin. */
  paymentMethod: string | undefined
  caller?: string | undefined
}

export type LockFields = Pick<
  SubmitBody,
  | 'htlcLockId'
  | 'htlcAddress'
  | 'htlcAmountSats'
  | 'htlcExpirationTimestamp'
  | 'htlcCreationHash'
  | 'htlcCreationVout'
  | 'htlcVersion'
  | 'senderPubKey'
>

export type Wallet = Pick<Signer, 'address' | 'sign'>

export type CommonFields = Omit<MsgRequestTransaction, 'amount' | 'fee'>

export interface RequestedAmounts<Fields extends { fee: string }> {
  claimed: { origin: ClaimedAmount; target: ClaimedAmount | undefined }
  /** Message fields that only transfers or only swaps have. Amounts are in whole tokens. */
  fields: Fields
}

/**
 * Parses a validated body: first its amounts, then its options.
 * @returns the request, and its message for the chain
 * @throws ServiceError VALIDATION or OPTIONS_INVALID with the field
 */
export async function readRequest<Body extends SubmitBody, Fields extends { fee: string }>(
  body: Body,
  readAmounts: (body: Body) => RequestedAmounts<Fields>,
  wallet: Wallet
): Promise<RequestedSubmission & { message: CommonFields & Fields }> {
  const { originSymbol, targetChain, targetAddress, targetSymbol } = body
  const { claimed, fields } = readAmounts(body)
  const { text, origin, onChain, permit2, ...read } = isFiat(body.originChain)
    ? await fromFiat(body, wallet)
    : fromCrypto(body)
  return {
    ...read,
    fee: fields.fee,
    route: {
      origin: { ...origin, symbol: originSymbol, amount: claimed.origin },
      target: { chain: targetChain, address: targetAddress, symbol: targetSymbol, amount: claimed.target },
      permit2
    },
    message: {
      creator: wallet.address,
      originChain: onChain,
      originAddress: origin.address,
      originSymbol,
      targetChain,
      targetAddress,
      targetSymbol,
      htlcExpirationTimestamp: body.htlcExpirationTimestamp ?? '',
      htlcCreationHash: body.htlcCreationHash ?? '',
      htlcCreationVout: body.htlcCreationVout ?? 0,
      htlcVersion: body.htlcVersion ?? '',
      senderPubKey: Buffer.from(body.senderPubKey?.replace(/^0x/, '') ?? '', 'hex'),
      options: text,
      ...fields
    }
  }
}

/** Parses a submission from a rail. The chain gets FIAT without an address (interface 10.2). */
async function fromFiat(body: SubmitBody, wallet: Wallet) {
  const { rail, ...read } = await fiatOptions(body, body.originChain, wallet)
  const origin = { chain: rail, address: '' }
  return { ...read, origin, onChain: FIAT, permit2: undefined, approval: undefined, lock: undefined }
}

function fromCrypto(body: SubmitBody) {
  const { originChain: chain, originAddress } = body
  const { message, signature, ...read } = cryptoOptions(body, chain)
  const isBitcoin = chain === BTC
  const approval = isBitcoin ? undefined : { message, signature }
  const lock = isBitcoin ? body : undefined
  // The registration of the lock contains the canonical address too.
  const address = isBitcoin ? canonicalAddress(originAddress) : originAddress
  const ofRail = { transactionIdSeed: undefined, paymentMethod: undefined }
  return { ...read, ...ofRail, origin: { chain, address }, onChain: chain, approval, lock }
}

/** @throws ServiceError VALIDATION with the field, for zero */
export function refuseZero(field: string, units: bigint): void {
  if (units === 0n) throw fieldError(field, 'must be greater than zero')
}
