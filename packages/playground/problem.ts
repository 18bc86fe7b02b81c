export interface Detail {
  readonly path: string
  readonly message: string
}

interface Facts {
  /** An error code of the service (docs/errors.md), the client or the page. */
  readonly code: string
  readonly message: string
  readonly statusCode?: number
  readonly requestId?: string
  readonly details?: readonly Detail[]
  readonly mayBeAccepted?: boolean
}

/** An error to display. */
export class Problem extends Error {
  readonly code: string
  readonly statusCode: number | undefined
  readonly requestId: string | undefined
  readonly details: readonly Detail[]
  /** Whether the service might have accepted the submission. If so, retry only with the same body. */
  readonly mayBeAccepted: boolean

  constructor({ code, message, statusCode, requestId, details = [], mayBeAccepted = false }: Facts) {
    super(message)
    this.code = code
    this.statusCode = statusCode
    this.requestId = requestId
    this.details = details
    this.mayBeAccepted = mayBeAccepted
  }
}
