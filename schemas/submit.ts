import { type SchemaOptions, type Static, type TProperties, Type } from '@sinclair/typebox'
import { address, chainName, digitString, feeId, formed, originAddress, text, tokenSymbol } from './leaves.ts'
import { receiver } from './submit-examples.ts'

export const smallestUnits = (options: SchemaOptions = {}) =>
  Type.Union([digitString(), Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })], options)

/** Digits, or an integer that a JSON number represents exactly. */
export const SmallestUnits = smallestUnits()

const PRINTABLE = formed('at most 255 printable ASCII characters', { pattern: '^[\\x20-\\x7e]{0,255}$' })
export const printable = (...about: Parameters<typeof text>) =>
  Type.String({ ...PRINTABLE, ...text(...about) })

/** The maximum length of the options, in characters, which is more than any payment needs: the chain stores them. */
export const MAX_OPTIONS = 16_384

/**
 * The maximum length of a signature, in characters, which is more than wallets need: a contract wallet's chain gets the
 * signature in a call (interface 6.11).
 */
export const MAX_SIGNATURE = 4096

const merged =
  'Merged into `options`; must not contradict them. Rejected with SERVICE_MIN_VERSION=1.5, except in `options`'

const seed = (description: string) => Type.String({ maxLength: 255, description })

const lockField = (description: string) =>
  Type.Optional(
    Type.Union([Type.String(PRINTABLE), Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })], {
      description: `For \`BTC\`: ${description}`
    })
  )

/** The fields that transfers and swaps share (interface 6.2, 6.8 to 6.15). */
export const submitFields = {
  originAddress: originAddress('Address of the paying user; ignored for a rail, and may be empty'),
  originChain: chainName({ description: 'Short name of a chain, or of a rail: `BANK`, `CC`, or `FIAT`' }),
  originSymbol: tokenSymbol(),
  targetAddress: address({ description: 'Receiving address', examples: [receiver] }),
  targetChain: chainName({ examples: ['POL'] }),
  targetSymbol: tokenSymbol({ examples: ['USDC'] }),
  options: Type.String({
    minLength: 2,
    maxLength: MAX_OPTIONS,
    description:
      'JSON object as a string; an object is rejected. A crypto origin needs `feeId` and `signature` (of the quote’s ' +
      'message). A rail needs `feeId`, `paymentMethod` (`creditCard`, `sepaEur`) and `transactionIdSeed` (UUID of ' +
      'version 4), and may have `chargeFeeAtTarget` (boolean). The service removes `signature` from a rail’s options ' +
      'and sets `transactionIdSignature`.',
    examples: ['{"feeId":"2f1c6d1e-6a0f-4b5e-9a54-0a4f2f0f6c11","signature":"0x…"}']
  }),
  feeId: Type.Optional(feeId({ minLength: 0, description: merged })),
  signature: Type.Optional(Type.String({ maxLength: MAX_SIGNATURE, description: merged })),
  message: Type.Optional(Type.String({ maxLength: 2048, description: merged })),
  fiatTransactionIdSeed: Type.Optional(
    seed('For a rail: `transactionIdSeed`, here instead of in the options; must not contradict them')
  ),
  ccTransactionIdSeed: Type.Optional(seed('Older name of `fiatTransactionIdSeed`')),
  htlcExpirationTimestamp: Type.Optional(printable('Passed on to the chain')),
  htlcCreationHash: Type.Optional(printable('Passed on to the chain')),
  htlcCreationVout: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 2 ** 32 - 1, description: 'Passed on to the chain' })
  ),
  htlcVersion: Type.Optional(printable('Passed on to the chain')),
  senderPubKey: Type.Optional(
    Type.String(
      formed('at most 128 bytes in hex', {
        pattern: '^(0x)?([0-9a-fA-F]{2}){0,128}$',
        description: 'Hex; passed on to the chain as bytes'
      })
    )
  ),
  htlcLockId: lockField('`lockId` of the lock intent. The fields above are then those of its record'),
  htlcAddress: lockField('that of the lock intent, or empty'),
  htlcAmountSats: lockField('`amountSats` of the lock intent, or empty')
}

export const requestBody = <T extends TProperties>(title: string, name: string, example: object, fields: T) =>
  Type.Object(fields, { title, description: `${name}; other properties are ignored`, examples: [example] })

const SubmitBody = Type.Object(submitFields)
export type SubmitBody = Static<typeof SubmitBody>

export const SubmitHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      ...formed('1 to 255 visible ASCII characters, without spaces', { pattern: '^[\\x21-\\x7e]{1,255}$' }),
      description:
        'Identifies the submission for retries, in addition to the feeId or payment. The same key with the same content returns the ' +
        'result of the existing submission; the same key with other content is a 409.'
    })
  )
})
export type SubmitHeaders = Static<typeof SubmitHeaders>
