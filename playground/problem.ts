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

/** @param field that the text is about; by default the one that it names before the expression */
function inWords(text: string, field = /(\w+) must match pattern/.exec(text)?.[1] ?? ''): string {
  return text.replace(/must match pattern ".*"$/s, forms[field] ?? 'is not written as it must be')
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
      message: inWords(message, path.split('/').at(-1))
    }))
    this.mayBeAccepted = mayBeAccepted
  }
}
