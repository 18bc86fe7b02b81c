/** How long another server may still accept an attempt that got no response (docs/errors.md, rule 6 of retrying). */
const UNDECIDED_MS = 60_000

/** How many bodies a client remembers after their calls have ended. Limits the memory of a long-running server. */
const MOST_REMEMBERED = 1_000

/** The attempts to submit one body, shared by all calls of a client: a call cannot see the attempts of another call. */
export interface History {
  /** The calls in progress. Each may send the body again. */
  calls: number
  /** When the last possibly accepted attempt ended. Cleared when a later response shows that it was not accepted. */
  unansweredAt: number | undefined
  isExecuted: boolean
}

/** Whether the body may have been accepted, as far as the client knows. */
export const mayBeAccepted = ({ calls, unansweredAt, isExecuted }: History): boolean =>
  calls > 1 || unansweredAt !== undefined || isExecuted

/**
 * Whether a refusal proves that no earlier attempt was accepted. A rejection by the chain proves it immediately.
 * @param sentAt when the refused attempt was sent
 */
export function isDecided({ unansweredAt }: History, sentAt: number, byChain: boolean): boolean {
  return unansweredAt === undefined || sentAt - unansweredAt >= (byChain ? 0 : UNDECIDED_MS)
}

/** The histories of a client's bodies, by serialized body. */
export class Histories {
  readonly #current = new Map<string, History>()
  readonly #ended = new Map<string, History>()

  /** Registers a call for a body. @returns the body's history */
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
    if (oldest !== undefined && this.#ended.size > MOST_REMEMBERED) this.#ended.delete(oldest)
  }
}
