import { type SchemaOptions, type Static, Type } from '@sinclair/typebox'
import { address, chainName, decimals, digitString, feeId, tokenSymbol } from './leaves.ts'

const smallestUnits = (options: SchemaOptions = {}) =>
  Type.Union([digitString(), Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })], options)

/** An amount in the smallest unit: digits, or an integer that a JSON number holds exactly. */
export const SmallestUnits = smallestUnits()

const visible = (description: string) => Type.String({ pattern: '^[\\x20-\\x7e]{0,255}$', description })

/** Body of a transfer (contract §3, Submit), in its two forms. */
export const TransferBody = Type.Object(
  {
    originAddress: address({ description: 'Address of the paying user' }),
    originChain: chainName(),
    originSymbol: tokenSymbol(),
    targetAddress: address({ description: 'Receiving address' }),
    targetChain: chainName({ examples: ['POL'] }),
    targetSymbol: tokenSymbol({ examples: ['USDC'] }),
    amount: Type.Optional(
      Type.Union([Type.String({ minLength: 1, maxLength: 128 }), Type.Number()], {
        description:
          'Version 1.5: the quote’s submitAmount, in the smallest unit, as digits or a safe integer. ' +
          'Beside `submitAmount` (version 1.4): the amount of the fee call in whole tokens, for information only.',
        examples: ['100000000']
      })
    ),
    submitAmount: Type.Optional(
      smallestUnits({
        description:
          'Version 1.4: the quote’s submitAmount. Where it is sent, it is what is transferred, whatever `amount` says.'
      })
    ),
    fee: Type.Optional(
      smallestUnits({
        description: 'Total fee in the smallest unit; required unless `submitAmount` is sent, which implies 0'
      })
    ),
    decimals: decimals(),
    options: Type.String({
      minLength: 2,
      maxLength: 16_384,
      description:
        'JSON object as text, never an object. A crypto origin needs `feeId` and `signature` (of the quote’s message).',
      examples: ['{"feeId":"2f1c6d1e-6a0f-4b5e-9a54-0a4f2f0f6c11","signature":"0x…"}']
    }),
    feeId: Type.Optional(
      feeId({ minLength: 0, description: 'Merged into `options`; must not contradict them' })
    ),
    signature: Type.Optional(
      Type.String({ maxLength: 4096, description: 'Merged into `options`; must not contradict them' })
    ),
    message: Type.Optional(
      Type.String({ maxLength: 2048, description: 'Merged into `options`; must not contradict them' })
    ),
    htlcExpirationTimestamp: Type.Optional(visible('Passed on')),
    htlcCreationHash: Type.Optional(visible('Passed on')),
    htlcCreationVout: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 2 ** 32 - 1, description: 'Passed on' })
    ),
    htlcVersion: Type.Optional(visible('Passed on')),
    senderPubKey: Type.Optional(
      Type.String({ pattern: '^(0x)?([0-9a-fA-F]{2}){0,128}$', description: 'Hex; passed on as bytes' })
    )
  },
  { description: 'Transfer request; properties that are not listed are ignored' }
)
export type TransferBody = Static<typeof TransferBody>

export const SubmitHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      pattern: '^[\\x21-\\x7e]{1,255}$',
      description:
        'Names the submission for retries; the feeId does so without it. ' +
        'The same key with the same content joins the submission that exists, other content is a 409.'
    })
  )
})
