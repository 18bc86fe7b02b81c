import { type IntegerOptions, type SchemaOptions, type StringOptions, Type } from '@sinclair/typebox'

/** The values of the domain, each with its one pattern: validation, documentation and types come from here. */

const forms = new Map<string, string>()

/** Options with a pattern, and what that expects in words, because no error shows a regular expression (interface 3.19). */
export function formed<Options extends { pattern: string }>(words: string, options: Options): Options {
  forms.set(options.pattern, words)
  return options
}

/** What a pattern expects, as the rest of a sentence after “must be”. */
export const formOf = (pattern: string): string | undefined => forms.get(pattern)

/** One of a list of words. TypeBox's union of literals would be an `anyOf`, of which no generator makes an enumeration. */
export const oneOf = <const Word extends string>(words: readonly Word[], options: SchemaOptions = {}) =>
  Type.Unsafe<Word>({ type: 'string', enum: words, ...options })

/** Words for the leaves that take other options. */
const NAME = formed('a short name: 1 to 32 letters, digits, _ and -', { pattern: '^[A-Za-z0-9_-]{1,32}$' })
const SYMBOL = formed('a symbol: 1 to 32 letters, digits and ._+-', { pattern: '^[A-Za-z0-9._+-]{1,32}$' })
const ADDRESS = formed('an address: letters and digits, without spaces', {
  pattern: '^[\\x21-\\x7e]{1,128}$'
})
const DIGITS = formed('an integer in digits, without zeros before it', { pattern: '^(0|[1-9][0-9]{0,77})$' })
const AMOUNT = formed('a number above zero, such as 100.5', {
  pattern: '^(?=[^eE]*[1-9])(0|[1-9][0-9]{0,77})(\\.[0-9]{1,36})?([eE][+-]?[0-9]{1,2})?$'
})
/** What others are shown as well: nothing in it is invisible, looks like something else or acts on a terminal (interface 3.20). */
const VISIBLE = formed('visible ASCII characters', { pattern: '^[\\x20-\\x7e]*$' })
const UUID = formed('a UUID of version 4', {
  pattern: '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-4[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$'
})

export const chainName = (options: StringOptions = {}) =>
  Type.String({
    ...NAME,
    description: 'Short name of a chain, or of a rail (`BANK`, `CC`)',
    examples: ['ETH'],
    ...options
  })

export const tokenSymbol = (options: StringOptions = {}) =>
  Type.String({
    ...SYMBOL,
    description: 'Symbol of a token',
    examples: ['USDT'],
    ...options
  })

export const address = (options: StringOptions = {}) =>
  Type.String({
    ...ADDRESS,
    description: 'Address in the format of its chain',
    examples: ['0x70997970C51812dc3A010C7d01b50e0d17dc79C8'],
    ...options
  })

/** The address of a payer, which a rail has not. */
export const originAddress = (description: string) =>
  address({
    ...formed('an address: letters and digits, without spaces', { pattern: '^[\\x21-\\x7e]{0,128}$' }),
    description
  })

/** At most 78 digits, the length of the largest 256-bit integer. */
export const digitString = (options: StringOptions = {}) =>
  Type.String({
    ...DIGITS,
    description: 'Integer in the token’s smallest unit, as a string of digits',
    examples: ['100000000'],
    ...options
  })

export const positiveDecimal = (options: StringOptions = {}) =>
  Type.String({
    ...AMOUNT,
    description: 'Amount above zero in whole tokens, a number as JSON writes it',
    examples: ['100.5'],
    ...options
  })

export const decimals = (options: IntegerOptions = {}) =>
  Type.Integer({ minimum: 0, maximum: 36, description: 'Decimals of the token', examples: [6], ...options })

export const feeId = (options: StringOptions = {}) =>
  Type.String({
    minLength: 1,
    maxLength: 255,
    ...VISIBLE,
    description: 'Identifier of a fee quote',
    examples: ['2f1c6d1e-6a0f-4b5e-9a54-0a4f2f0f6c11'],
    ...options
  })

export const txId = () =>
  Type.String(
    formed('a transaction id: a number above zero, not a hash', {
      pattern: '^[1-9][0-9]{0,18}$',
      description: 'The chain’s sequential transaction id, not a hash',
      examples: ['42']
    })
  )

export const transactionHash = () =>
  Type.String({
    pattern: '^[0-9A-F]{64}$',
    description: 'sha256 of the signed transaction, upper-case hex',
    examples: ['9F86D081884C7D659A2FEAA0C55AD015A3BF4F1B2B0B822CD15D6C15B0F00A08']
  })

export const submissionId = () =>
  Type.String(
    formed('a submissionId: 1 to 64 letters, digits, _ and -', {
      pattern: '^[A-Za-z0-9_-]{1,64}$',
      description: 'Identifier of a submission at this service',
      examples: ['01JD3Q7Z4M8N5T2V6W9X0Y1Z2A']
    })
  )

export const uuid = (options: StringOptions = {}) =>
  Type.String({
    ...UUID,
    description: 'UUID of version 4',
    examples: ['2f1c6d1e-6a0f-4b5e-9a54-0a4f2f0f6c11'],
    ...options
  })
