export interface Detail {
  readonly path: string
  readonly message: string
}

interface Facts {
  /** A code of the service (docs/errors.md), of the client, or of the page. */
  readonly code: string
  readonly message: string
  readonly statusCode?: number
  readonly requestId?: string
  readonly details?: readonly Detail[]
  readonly mayBeAccepted?: boolean
}

/** What the service says in regular expressions, in words, for the fields that the user writes. */
const forms: Readonly<Record<string, string>> = {
  amount: 'must be a number above zero, such as 100.5',
  targetAddress: 'must be an address: letters and digits, without spaces'
}

function inWords(text: string): string {
  return text.replace(
    /(\w+) must match pattern ".*"$/s,
    (_, field) => `${field} ${forms[field] ?? 'is not written as it must be'}`
  )
}

/** Why something failed. */
export class Problem extends Error {
  readonly code: string
  readonly statusCode: number | undefined
  readonly requestId: string | undefined
  readonly details: readonly Detail[]
  /** Whether a submission may have been accepted, so that its body must be sent again and nothing else. */
  readonly mayBeAccepted: boolean

  constructor({ code, message, statusCode, requestId, details = [], mayBeAccepted = false }: Facts) {
    super(inWords(message))
    this.code = code
    this.statusCode = statusCode
    this.requestId = requestId
    this.details = details.map(({ path, message }) => ({
      path,
      message: inWords(`${path} ${message}`).slice(path.length + 1)
    }))
    this.mayBeAccepted = mayBeAccepted
  }
}
