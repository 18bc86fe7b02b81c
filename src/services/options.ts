import { ServiceError } from './errors.ts'

/** Where a feeId, a signature and its message may be sent: inside the options, beside them, or both alike. */
export interface OptionsInput {
  /** JSON object as text. */
  options: string
  feeId?: string
  signature?: string
  message?: string
}

export interface SubmitOptions {
  feeId: string
  /** JSON object for the chain, written anew: what was checked is what is sent, without doubled keys. */
  text: string
}

const MERGED = ['feeId', 'signature', 'message'] as const
const MAX_FEE_ID = 255

/**
 * The options of a transfer with a crypto origin (spec §2, Submit options; contract §3, Options by rail):
 * a feeId and a non-empty signature, the top-level fields merged in.
 * @throws ServiceError OPTIONS_INVALID naming the field
 */
export function cryptoOptions(input: OptionsInput): SubmitOptions {
  const options = merge(parse(input.options), input)
  const { feeId, signature, message } = options
  if (typeof feeId !== 'string' || feeId === '' || feeId.length > MAX_FEE_ID) {
    throw fault('/options/feeId', `must be a text of 1 to ${MAX_FEE_ID} characters`)
  }
  if (typeof signature !== 'string' || signature === '') {
    throw fault('/options/signature', 'must be a non-empty text: a crypto origin needs the user’s signature')
  }
  if (message !== undefined && typeof message !== 'string') throw fault('/options/message', 'must be a text')
  return { feeId, text: JSON.stringify(options) }
}

function parse(text: string): Record<string, unknown> {
  let options: unknown
  try {
    options = JSON.parse(text)
  } catch {
    throw fault('/options', 'must be a JSON object as text')
  }
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw fault('/options', 'must be a JSON object as text')
  }
  return { ...options }
}

/** An empty text beside the options says nothing: widgets send fields that they have no value for. */
function merge(options: Record<string, unknown>, input: OptionsInput): Record<string, unknown> {
  const merged = { ...options }
  for (const name of MERGED) {
    const beside = input[name]
    if (beside === undefined || beside === '') continue
    if (options[name] !== undefined && options[name] !== beside) {
      throw fault(`/${name}`, `contradicts ${name} in options`)
    }
    merged[name] = beside
  }
  return merged
}

function fault(path: string, problem: string): ServiceError {
  const name = path.slice(1).replaceAll('/', '.')
  return new ServiceError('OPTIONS_INVALID', `${name} ${problem}`, { details: [{ path, message: problem }] })
}
