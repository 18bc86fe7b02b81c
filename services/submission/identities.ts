import { hash } from 'node:crypto'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import { canonicalAddress } from '../addresses/index.ts'
import { BTC, FIAT } from '../chains/families.ts'
import { parseJson } from '../json.ts'
import { createMessageTypes, type MsgRequestTransaction } from '../messages/index.ts'
import type { Identity, SubmissionRequest } from './contract.ts'

/** Returns the database key of an identity. Equal values of different kinds have different keys (interface 7.3). */
export const identityKey = ({ kind, value }: Pick<Identity, 'kind' | 'value'>): string =>
  storedText(`${kind}:${value}`)

/**
 * Converts a string to the form that databases store: PostgreSQL cannot store NUL. Such a string is stored as JSON, and
 * no other stored string begins with `json:`.
 */
export function storedText(text: string): string {
  const whole = Buffer.from(text).toString()
  return whole.includes('\0') ? `json:${JSON.stringify(whole)}` : whole
}

export function originalText(stored: string): string {
  return stored.startsWith('json:') ? String(parseJson(stored.slice('json:'.length))) : stored
}

/** The protobuf tag of `creator`, field 1 of each message. */
const CREATOR = 0x0a

/**
 * Hashes the type and the encoded message without its creator, so that the next wallet recognizes what this one has
 * executed (interface 7.4).
 */
export function contentHash(typeUrl: string, message: Uint8Array): Buffer {
  const [tag, length = 0] = message
  // An address has fewer than 128 bytes, so its length takes one byte.
  const content = tag === CREATOR && length < 0x80 ? message.subarray(2 + length) : message
  return hash('sha256', Buffer.concat([Buffer.from(`${typeUrl}\0`), content]), 'buffer')
}

/** Returns the feeId of a message's quote, and the `transactionIdSeed` of a card or bank payment. */
export function optionsIn({ originChain, options }: Pick<MsgRequestTransaction, 'originChain' | 'options'>) {
  const { feeId, transactionIdSeed }: Record<string, unknown> = Object(parseJson(options))
  return {
    feeId: isText(feeId) ? feeId : undefined,
    transactionIdSeed: originChain === FIAT && isText(transactionIdSeed) ? transactionIdSeed : undefined
  }
}

type Identified = Pick<SubmissionRequest, 'identities' | 'feeId'>

type RouteFields =
  | 'originChain'
  | 'options'
  | 'targetChain'
  | 'targetAddress'
  | 'targetSymbol'
  | 'htlcCreationHash'
  | 'htlcCreationVout'

/**
 * Returns the identities of a transfer or swap on the chain (interface 7.3): the payment of a rail, for which a quote
 * is only a price, or the feeId of a crypto origin; and the lock of bitcoins that it uses.
 * @param options the message's options, if they are already parsed
 */
export function identified(
  message: Pick<MsgRequestTransaction, RouteFields>,
  options: Partial<ReturnType<typeof optionsIn>> = optionsIn(message)
): Identified {
  const { feeId, transactionIdSeed } = options
  const { targetChain, targetAddress, targetSymbol, htlcCreationHash, htlcCreationVout } = message
  const identities: Identity[] = []
  if (transactionIdSeed !== undefined) {
    const end = JSON.stringify([targetChain, canonicalAddress(targetAddress), targetSymbol])
    identities.push({ kind: 'payment', value: transactionIdSeed, target: hash('sha256', end) })
  } else if (feeId !== undefined && message.originChain !== FIAT) {
    identities.push({ kind: 'fee', value: feeId })
  }
  if (message.originChain === BTC && htlcCreationHash !== '')
    identities.push({ kind: 'lock', value: `${htlcCreationHash.toLowerCase()}:${htlcCreationVout}` })
  return { identities, feeId }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

/**
 * Returns the identity of a lock's registration or reclaim. The chain identifies a lock of bitcoins by its transaction
 * and its sender.
 */
export const lockIdentity = (kind: 'registration' | 'reclaim', txHash: string, sender: string): Identity => ({
  kind,
  value: `${txHash.toLowerCase()}:${canonicalAddress(sender)}`
})

/** Returns no identities for any message but a request by the wallet. */
export type Identify = (message: Any) => Identified

/**
 * Creates a function that identifies the wallet's requests.
 * @param brand the brand in the protobuf package names of the messages
 */
export function createIdentify(brand: string, address: string): Identify {
  const types = createMessageTypes(brand)

  function read({ typeUrl, value }: Any): Identified & { creator?: string } {
    switch (typeUrl) {
      case types.requestTransaction.typeUrl:
      case types.requestSwapTransaction.typeUrl: {
        const isSwap = typeUrl === types.requestSwapTransaction.typeUrl
        const request = isSwap
          ? types.requestSwapTransaction.decode(value)
          : types.requestTransaction.decode(value)
        return { ...identified(request), creator: request.creator }
      }
      case types.requestHtlcLock.typeUrl: {
        const { creator, txHash, fromAddress } = types.requestHtlcLock.decode(value)
        return { creator, identities: [lockIdentity('registration', txHash, fromAddress)] }
      }
      case types.htlcReclaim.typeUrl: {
        const { creator, txHash, senderAddress } = types.htlcReclaim.decode(value)
        return { creator, identities: [lockIdentity('reclaim', txHash, senderAddress)] }
      }
      default:
        return { identities: [] }
    }
  }

  return message => {
    const { creator, ...identified } = read(message)
    return creator === address ? identified : { identities: [] }
  }
}
