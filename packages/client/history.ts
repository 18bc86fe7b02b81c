/** How long a server might still accept an attempt that got no response (docs/errors.md, "Retrying", rule 6). */
const UNDECIDED_MS = 60_000

/** How many histories a client keeps after their calls have ended. */
const MAX_REMEMBERED = 1_000

/** The attempts to submit one body, across all calls of a client. */
export interface History {
  /** Calls in progress. Any of them might resend the body. */
  calls: number
  /**
   * When the last attempt that the service might have accepted ended. Cleared when a later response proves that the
   * service accepted no attempt.
   */
  unansweredAt: number | undefined
  isExecuted: boolean
}

/** Returns whether the service might have accepted the body. */
export const mayBeAccepted = ({ calls, unansweredAt, isExecuted }: History): boolean =>
  calls > 1 || unansweredAt !== undefined || isExecuted

/**
 * Returns whether a rejection proves that no earlier attempt was accepted. A rejection by the chain always proves it.
 * Any other rejection proves it only when the service can no longer accept an earlier attempt.
 * @param sentAt when the rejected attempt was sent
 */
export function isDecided({ unansweredAt }: History, sentAt: number, byChain: boolean): boolean {
  return unansweredAt === undefined || sentAt - unansweredAt >= (byChain ? 0 : UNDECIDED_MS)
}

/** A client's submission histories, keyed by serialized body. */
export class Histories {
  readonly #current = new Map<string, History>()
  readonly #ended = new Map<string, History>()

  /** Registers a call. @returns the history of its body */
  begin(text: string): History {
    const history = this.#current.get(text) ??
      this.#ended.get(text) ?? { calls: 0, unansweredAt: undefined, isExecuted: false }
    history.calls += 1
    this.#current.set(text, history)
    this.#ended.delete(text)
    return history
  }

  end(text: string, history: History): void {
    history.calls -= 1
    if (history.calls > 0) return
    this.#current.delete(text)
    if (mayBeAccepted(history)) this.#ended.set(text, history)
    const [oldest] = this.#ended.keys()
    if (oldest !== undefined && this.#ended.size > MAX_REMEMBERED) this.#ended.delete(oldest)
  }
}
