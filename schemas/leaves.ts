import {
  type ArrayOptions,
  type IntegerOptions,
  type SchemaOptions,
  type StringOptions,
  type TProperties,
  type TSchema,
  Type
} from '@sinclair/typebox'

const forms = new Map<string, string>()

/** Registers a description of a pattern, which errors show instead of the regular expression (interface 3.19). */
export function formed<Options extends { pattern: string }>(words: string, options: Options): Options {
  forms.set(options.pattern, words)
  return options
}

/** Returns a pattern's description, which follows “must be”. */
export const formOf = (pattern: string): string | undefined => forms.get(pattern)

/**
 * Creates an enumeration of strings. TypeBox's union of literals would be an `anyOf`, which generators do not convert
 * to one.
 */
export const oneOf = <const Word extends string>(words: readonly Word[], options: SchemaOptions = {}) =>
  Type.Unsafe<Word>({ type: 'string', enum: words, ...options })

export const text = (description: string, example?: string) =>
  Type.String({ description, ...(example !== undefined && { examples: [example] }) })

export const flag = (description: string) => Type.Boolean({ description })

export const integer = (minimum: number, description: string, ...examples: number[]) =>
  Type.Integer({ minimum, description, ...(examples.length > 0 && { examples }) })

export const list = <T extends TSchema>(description: string, item: T, options: ArrayOptions = {}) =>
  Type.Array(item, { description, ...options })

/** An object that becomes a component of the document under its title. */
export const component = <T extends TProperties>(title: string, description: string, properties: T) =>
  Type.Object(properties, { title, description })

export const titled = <T extends TProperties>(title: string, properties: T) =>
  Type.Object(properties, { title })

/** An optional property: some servers write a missing value as null. */
export const maybe = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]))

/** An object that may have other properties too. */
export const open = <T extends TSchema>(schema: T): T => ({ additionalProperties: true, ...schema })

const leaf = (words: string, options: StringOptions & { pattern: string }) => {
  const own = formed(words, options)
  return (other: StringOptions = {}) => Type.String({ ...own, ...other })
}

export const chainName = leaf('a short name: 1 to 32 letters, digits, _ and -', {
  pattern: '^[A-Za-z0-9_-]{1,32}$',
  description: 'Short name of a chain, or of a rail (`BANK`, `CC`)',
  examples: ['ETH']
})

export const tokenSymbol = leaf('a symbol: 1 to 32 letters, digits and ._+-', {
  pattern: '^[A-Za-z0-9._+-]{1,32}$',
  description: 'Symbol of a token',
  examples: ['USDT']
})

const ADDRESS = 'an address: at most 128 visible ASCII characters, without spaces'
export const address = leaf(ADDRESS, {
  pattern: '^[\\x21-\\x7e]{1,128}$',
  description: 'Address in the format of its chain',
  examples: ['0x70997970C51812dc3A010C7d01b50e0d17dc79C8']
})

/** Creates the schema of an origin address, which is empty for a rail. */
export const originAddress = (description: string) =>
  address({ ...formed(ADDRESS, { pattern: '^[\\x21-\\x7e]{0,128}$' }), description })

/** An integer of at most 78 digits, the length of the largest 256-bit integer. */
export const digitString = leaf('an integer as a string of digits, without leading zeros', {
  pattern: '^(0|[1-9][0-9]{0,77})$',
  description: 'Integer in the token’s smallest unit, as a string of digits',
  examples: ['100000000']
})

export const positiveDecimal = leaf(
  'a number greater than zero, such as 100.5, with at most 78 digits before the point, 36 after it and 2 in the exponent',
  {
    pattern: '^(?=[^eE]*[1-9])(0|[1-9][0-9]{0,77})(\\.[0-9]{1,36})?([eE][+-]?[0-9]{1,2})?$',
    description: 'Amount above zero in whole tokens, in the format of a JSON number',
    examples: ['100.5']
  }
)

export const decimals = (options: IntegerOptions = {}) =>
  Type.Integer({ minimum: 0, maximum: 36, description: 'Decimals of the token', examples: [6], ...options })

/** Displayed by other programs, so without invisible characters and those that terminals interpret (interface 6.10). */
export const feeId = leaf('visible ASCII characters', {
  minLength: 1,
  maxLength: 255,
  pattern: '^[\\x21-\\x7e]*$',
  description: 'Identifier of a fee quote',
  examples: ['2f1c6d1e-6a0f-4b5e-9a54-0a4f2f0f6c11']
})

export const txId = leaf('a transaction id: a positive integer, not a hash', {
  pattern: '^[1-9][0-9]{0,18}$',
  description: 'The chain’s sequential transaction id, not a hash',
  examples: ['42']
})

export const transactionHash = () =>
  Type.String({
    pattern: '^[0-9A-F]{64}$',
    description: 'sha256 of the signed transaction, upper-case hex',
    examples: ['9F86D081884C7D659A2FEAA0C55AD015A3BF4F1B2B0B822CD15D6C15B0F00A08']
  })

export const submissionId = leaf('a submissionId: 1 to 64 letters, digits, _ and -', {
  pattern: '^[A-Za-z0-9_-]{1,64}$',
  description: 'Identifier of a submission at this service',
  examples: ['01JD3Q7Z4M8N5T2V6W9X0Y1Z2A']
})

/** Name of an entry in a file of the configuration. */
export const ENTRY_NAME = /^[a-z][a-z0-9-]{0,62}$/

export const name = leaf(
  'a name: at most 63 lower-case letters, digits and hyphens, starting with a letter',
  {
    pattern: ENTRY_NAME.source,
    examples: ['shop']
  }
)

export const uuid = leaf('a UUID of version 4', {
  pattern: '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-4[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$',
  description: 'UUID of version 4',
  examples: ['2f1c6d1e-6a0f-4b5e-9a54-0a4f2f0f6c11']
})
