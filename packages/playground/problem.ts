interface Facts {
  /** An error code of the service (docs/errors.md), the client or the page. */
  readonly code: string
  readonly message: string
  readonly statusCode?: number
  readonly requestId?: string
  readonly details?: readonly { readonly path: string; readonly message: string }[]
  /** Whether the service might have accepted the submission. If so, retry only with the same body. */
  readonly mayBeAccepted?: boolean
}

/** An error to display. */
export class Problem extends Error {
  readonly facts: Facts

  constructor(facts: Facts) {
    super(facts.message)
    this.facts = facts
  }
}
