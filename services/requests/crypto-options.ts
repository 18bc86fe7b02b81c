import { type OptionsInput, optionsError, readOptions, type SubmitOptions } from './options.ts'

/**
 * The options of a submission with a crypto origin: a feeId and a non-empty signature (interface 6.10, 6.11).
 * @throws ServiceError OPTIONS_INVALID naming the field
 */
export function cryptoOptions(input: OptionsInput): SubmitOptions {
  const { feeId, options } = readOptions(input, ['feeId', 'signature', 'message'])
  const { signature } = options
  if (typeof signature !== 'string' || signature === '') {
    throw optionsError(
      'options/signature',
      'must be a non-empty string: a crypto origin needs the user’s signature'
    )
  }
  return { feeId, text: JSON.stringify(options) }
}
