import type { SubmitBody } from '../../schemas/submit.ts'
import { FIAT } from '../chains/families.ts'
import type { MsgRequestTransaction } from '../messages/index.ts'
import { isRail } from '../rails/index.ts'
import type { Signer } from '../wallet/signer.ts'
import { cryptoOptions } from './crypto-options.ts'
import { railOptions } from './rail-options.ts'

/** The decimals that a request counts an amount in, and the field that says so. */
export interface ClaimedDecimals {
  value: number
  field: string
}

/** One end of a submission, as it is checked. */
export interface RouteEnd {
  /** Short name, as clients and filters know it: a rail's own, never FIAT. */
  chain: string
  /** Empty for a rail. */
  address: string
  symbol: string
  decimals?: ClaimedDecimals
}

export interface Route {
  origin: RouteEnd
  target: RouteEnd
}

/** A submission in the chain's words, before it is checked against the chains. */
export interface Prepared<Message> {
  feeId: string
  route: Route
  message: Message
}

/** The same with its message encoded: what the chain gets when all checks have passed. */
export type Encoded = Prepared<Uint8Array> & { typeUrl: string }

/** What of the wallet a submission needs. */
export type Wallet = Pick<Signer, 'address' | 'signDigest'>

/** What the messages of transfers and swaps have in common. */
type CommonFields = Omit<MsgRequestTransaction, 'amount' | 'fee'>

/**
 * All of a submission but its amounts. A rail is FIAT to the chain and has no address there (spec §9).
 * @throws ServiceError OPTIONS_INVALID naming the field
 */
export function prepareRequest(
  body: SubmitBody,
  wallet: Wallet,
  decimals: { origin: ClaimedDecimals; target?: ClaimedDecimals }
): Prepared<CommonFields> {
  const { originSymbol, targetChain, targetAddress, targetSymbol } = body
  const { feeId, text, origin, onChain } = isRail(body.originChain)
    ? fromRail(body, wallet)
    : fromCrypto(body)
  return {
    feeId,
    route: {
      origin: { ...origin, symbol: originSymbol, decimals: decimals.origin },
      target: {
        chain: targetChain,
        address: targetAddress,
        symbol: targetSymbol,
        ...(decimals.target && { decimals: decimals.target })
      }
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
      options: text
    }
  }
}

function fromRail(body: SubmitBody, wallet: Wallet) {
  const { rail, ...options } = railOptions(body, body.originChain, wallet)
  return { ...options, origin: { chain: rail, address: '' }, onChain: FIAT }
}

function fromCrypto(body: SubmitBody) {
  const { originChain: chain, originAddress: address } = body
  return { ...cryptoOptions(body), origin: { chain, address }, onChain: chain }
}
