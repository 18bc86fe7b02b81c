import { type OptionsInput, optionsError, readOptions, type SubmitOptions } from './options.ts'

/**
 * The options of a submission with a crypto origin: a feeId and a non-empty signature (interface 6.10, 6.11).
 * @throws ServiceError OPTIONS_INVALID naming the field
 */
export function cryptoOptions(
  input: OptionsInput
): SubmitOptions & { signature: string; hasPermit2: boolean } {
  const { options, ...read } = readOptions(input, ['feeId', 'signature', 'message'])
  const { signature, permit2 } = options
  if (typeof signature !== 'string' || signature === '') {
    throw optionsError(
      'options/signature',
      'must be a non-empty string: a crypto origin needs the user’s signature'
    )
  }
  return { ...read, signature, text: JSON.stringify(options), hasPermit2: hasContent(permit2) }
}

/** Widgets send a Permit2 signature as text or as an object. */
function hasContent(option: unknown): boolean {
  if (typeof option === 'string') return option !== ''
  return typeof option === 'object' && option !== null && Object.keys(option).length > 0
}
