import { Value } from '@sinclair/typebox/value'
import { feeId as feeIdSchema, uuid } from '../../schemas/leaves.ts'
import { MAX_OPTIONS, MAX_SIGNATURE, type SubmitBody } from '../../schemas/submit.ts'
import { BTC, family } from '../chains/families.ts'
import { fieldError, type ServiceError } from '../errors/index.ts'
import { isKnownMethod, paymentMethodOf, railOf } from '../fiat/index.ts'
import { transactionIdSignature } from '../fiat/transaction-id.ts'
import { isDeeper, isObject, parseJson } from '../json.ts'
import type { Signer } from '../wallet/signer.ts'

const optionOf = {
  feeId: 'feeId',
  signature: 'signature',
  message: 'message',
  fiatTransactionIdSeed: 'transactionIdSeed',
  ccTransactionIdSeed: 'transactionIdSeed'
} as const

export type OptionsInput = Pick<SubmitBody, 'options' | keyof typeof optionOf>

/** Options that this file reads, writes or removes, by lower-case name. */
const ownNames = new Map(
  [...Object.values(optionOf), 'chargeFeeAtTarget', 'paymentMethod', 'permit2', 'transactionIdSignature'].map(
    name => [lowerCase(name), name]
  )
)

const FeeId = feeIdSchema()
const Seed = uuid()
/**
 * The maximum depth of options, more than any option needs. JSON.parse accepts deeper values than JSON.stringify can
 * write.
 */
const MAX_DEPTH = 32

/** Parses the options of any origin, merged with `fields` of the body (interface 6.8 to 6.10). */
function readOptions(input: OptionsInput, fields: readonly (keyof typeof optionOf)[]) {
  const options = parse(input.options)
  for (const field of fields) merge(options, field, input[field])
  const { feeId, message, chargeFeeAtTarget } = options
  if (!Value.Check(FeeId, feeId)) {
    throw optionError('feeId', 'must be the feeId of a quote: 1 to 255 visible ASCII characters')
  }
  if (message !== undefined && typeof message !== 'string') {
    throw optionError('message', 'must be the signed message, as a string')
  }
  if (chargeFeeAtTarget !== undefined && typeof chargeFeeAtTarget !== 'boolean') {
    throw optionError('chargeFeeAtTarget', 'must be true or false, without quotation marks')
  }
  return { feeId, chargeFeeAtTarget, message, options }
}

/**
 * Parses the options of a submission with a crypto origin (interface 6.10, 6.11).
 * @returns `text` has the options for the chain, serialized again so that the chain gets exactly what was checked
 * @throws ServiceError OPTIONS_INVALID with the field
 */
export function cryptoOptions(input: OptionsInput, originChain: string) {
  const { options, ...read } = readOptions(input, ['feeId', 'signature', 'message'])
  const { signature = originChain === BTC ? '' : undefined, permit2 } = options
  const isEmpty = signature === '' || (signature === '0x' && family(originChain) !== 'EVM')
  if (typeof signature !== 'string' || (isEmpty && originChain !== BTC)) {
    throw optionError('signature', 'must be the user’s signature of the quote’s message, as a string')
  }
  if (signature.length > MAX_SIGNATURE)
    throw optionError('signature', `must have at most ${MAX_SIGNATURE} characters`)
  return { ...read, signature, text: write(options), permit2: readPermit2(permit2) }
}

/** The parts of a Permit2 signature (interface 6.31). A `deadline` with more than 11 digits is in milliseconds. */
const permit2Parts = {
  r: [/^0x[\da-f]{64}$/i, 'must be 32 bytes in hex with 0x'],
  s: [/^0x[\da-f]{64}$/i, 'must be 32 bytes in hex with 0x'],
  v: [/^2[78]$/, 'must be 27 or 28'],
  deadline: [/^[1-9]\d{0,10}$/, 'must be in whole Unix seconds, with at most 11 digits']
} as const

/** @returns undefined if there is none */
function readPermit2(permit2: unknown): { deadline: number } | undefined {
  if (permit2 === undefined || permit2 === null || permit2 === '') return undefined
  if (!isObject(permit2)) throw optionError('permit2', 'must be an object: { r, s, v, deadline }')
  if (Object.keys(permit2).length === 0) return undefined
  for (const [name, [pattern, problem]] of Object.entries(permit2Parts)) {
    const value = permit2[name]
    const isScalar = typeof value === 'string' || typeof value === 'number'
    if (!isScalar || !pattern.test(String(value))) throw optionError(`permit2/${name}`, problem)
  }
  return { deadline: Number(permit2['deadline']) }
}

/**
 * Parses the options of a submission from a rail (interface 10.3 to 10.8), and adds the wallet's signature of the seed.
 * An approval signature, which only crypto origins need, is removed.
 * @param originChain BANK, CC or FIAT
 * @throws ServiceError OPTIONS_INVALID with the field
 */
export async function fiatOptions(input: OptionsInput, originChain: string, signer: Pick<Signer, 'sign'>) {
  const fields = ['feeId', 'message', 'fiatTransactionIdSeed', 'ccTransactionIdSeed'] as const
  const { options, ...read } = readOptions(input, fields)
  const { paymentMethod: sent = '', transactionIdSeed } = options
  const paymentMethod = sent === '' ? paymentMethodOf(originChain) : sent
  const rail = typeof paymentMethod === 'string' ? railOf(originChain, paymentMethod) : undefined
  if (typeof paymentMethod !== 'string' || rail === undefined) throw methodError(originChain)
  if (!Value.Check(Seed, transactionIdSeed)) {
    throw optionError(
      'transactionIdSeed',
      'must be a UUID of version 4, sent here or as fiatTransactionIdSeed'
    )
  }
  const seedSignature = await transactionIdSignature(transactionIdSeed, signer)
  // A copy of thousands of options would take longer than parsing them. JSON.stringify omits undefined.
  Object.assign(options, { signature: undefined, paymentMethod, transactionIdSignature: seedSignature })
  return { ...read, rail, paymentMethod, transactionIdSeed, text: write(options) }
}

/**
 * Rejects an unknown payment method, unless a known quote contains it (interface 10.4).
 * @throws ServiceError OPTIONS_INVALID
 */
export function assertKnownMethod(originChain: string, paymentMethod: string | undefined): void {
  if (paymentMethod !== undefined && !isKnownMethod(paymentMethod)) throw methodError(originChain)
}

function methodError(originChain: string): ServiceError {
  const expected = paymentMethodOf(originChain) ?? 'creditCard or sepaEur'
  return optionError('paymentMethod', `must be ${expected}, exactly as written here, or as in the quote`)
}

/** Returns the feeId in an unvalidated body, for the log. */
export function feeIdOf(body: unknown): string | undefined {
  const { feeId, options }: Record<string, unknown> = Object(body)
  const isShort = typeof options === 'string' && options.length <= MAX_OPTIONS
  const found = [feeId, isShort && Object(parseJson(options)).feeId]
  return found.find(feeId => Value.Check(FeeId, feeId))
}

/**
 * Returns the signed message of a request whose options are not checked yet: the body's field or, if that is missing or
 * empty, the option (interface 6.9).
 */
export function messageOf({ message = '', options }: OptionsInput): string {
  if (message !== '') return message
  const option: unknown = Object(parseJson(options)).message
  return typeof option === 'string' ? option : ''
}

const optionsError = (field: string, problem: string) => fieldError(field, problem, 'OPTIONS_INVALID')
export const optionError = (name: string, problem: string) => optionsError(`options/${name}`, problem)

function parse(text: string): Record<string, unknown> {
  const options = parseJson(text)
  if (!isObject(options)) {
    throw optionsError('options', 'must be a string that contains a JSON object')
  }
  if (isDeeper(options, MAX_DEPTH)) {
    throw optionsError('options', `must not be nested deeper than ${MAX_DEPTH} levels`)
  }
  for (const name of Object.keys(options)) {
    const own = ownNames.get(lowerCase(name))
    if (own !== undefined && own !== name) throw optionError(name, `must be spelled ${own}`)
  }
  return options
}

/** Serializes options for the chain, which stores them. The text can be longer than the client's: `1e20` becomes 21 digits. */
function write(options: Record<string, unknown>): string {
  const text = JSON.stringify(options)
  if (text.length <= MAX_OPTIONS) return text
  throw optionsError(
    'options',
    `must have at most ${MAX_OPTIONS} characters for the chain, with numbers written out and fields merged`
  )
}

/**
 * Converts a name to lower case. The chain might ignore the case of names, so `FEEID` after `feeId` would replace the
 * checked quote. Converts to upper case first, because that turns `ſ` into `S`.
 */
function lowerCase(name: string): string {
  return name.toUpperCase().toLowerCase()
}

/** Merges a body field into the options. An empty string counts as missing: widgets send fields without a value. */
function merge(
  options: Record<string, unknown>,
  field: keyof typeof optionOf,
  value: string | undefined
): void {
  if (value === undefined || value === '') return
  const name = optionOf[field]
  const present = options[name]
  if (present !== undefined && present !== '' && present !== value) {
    throw optionsError(field, `must equal ${name} in options, or be omitted`)
  }
  options[name] = value
}
