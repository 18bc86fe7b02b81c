/** How long an attempt without an answer may still be accepted, by another server (docs/errors.md, rule 6 of retrying). */
const UNDECIDED_MS = 60_000

/** How many bodies a client remembers whose calls have ended. A server that pays for years must not keep all. */
const MOST_REMEMBERED = 1_000

/** What has become of the attempts to submit one body, in all calls of a client: one call cannot know what another has sent. */
export interface History {
  /** How many calls go on. Each of them may send the body again. */
  calls: number
  /** When the last attempt ended that may have been accepted, until a later answer says that it was not. */
  unansweredAt: number | undefined
  isExecuted: boolean
}

/** Whether the body may have been accepted, as far as the client can know. */
export const mayBeAccepted = ({ calls, unansweredAt, isExecuted }: History): boolean =>
  calls > 1 || unansweredAt !== undefined || isExecuted

/**
 * Whether a refusal says of all attempts which ended before it that they were not accepted. What the chain has refused is
 * decided at once.
 * @param sentAt when the attempt was sent that was refused
 */
export function isDecided({ unansweredAt }: History, sentAt: number, byChain: boolean): boolean {
  return unansweredAt === undefined || sentAt - unansweredAt >= (byChain ? 0 : UNDECIDED_MS)
}

/** The histories of a client's bodies, by their text. */
export class Histories {
  readonly #current = new Map<string, History>()
  readonly #ended = new Map<string, History>()

  /** The history of a body that one more call submits. */
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
