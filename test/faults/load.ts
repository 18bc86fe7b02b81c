import { setTimeout as delay } from 'node:timers/promises'
import { createRandom } from '../simulation/random.ts'
import type { FrontDoor } from './front-door.ts'
import { type Answer, look, PAUSE_MS, send } from './transfers.ts'

/** How many clients send at once: enough to keep intake, packer and follower busy at every moment. */
const CLIENTS = 24

/** How often a client does what not every client does. */
const REFUSED = 0.03
const IMPATIENT = 0.1
const DOUBLED = 0.15
const ASKED_AGAIN = 0.1

export interface Load {
  /** Every answer that clients got, by feeId; none where a client gave up and nobody knows more. */
  readonly answers: ReadonlyMap<string, readonly Answer[]>
  /** Resolves when clients got that many more answers. */
  moreAnswers(count: number): Promise<void>
  /** Sends nothing new; resolves when every client has the final word on what it sent, or has given up. */
  finish(): Promise<void>
}

/**
 * Clients that send one transfer after the other, each with a feeId of its own, and behave as widgets do: after a
 * broken connection most send the same again, some never ask any more; some send twice at once, or ask again for
 * what they know; a few send what the chain refuses.
 */
export function startLoad(door: FrontDoor, seed: number): Load {
  const answers = new Map<string, Answer[]>()
  let finishing = false
  let answered = 0
  const waiting = new Map<() => void, number>()

  function noteAnswer(): void {
    answered += 1
    for (const [resolve, due] of waiting) {
      if (answered < due) continue
      waiting.delete(resolve)
      resolve()
    }
  }

  /** Sends until somebody answers; undefined when the client gives up instead. */
  async function sendUntilTaken(feeId: string, refused: boolean, impatient: boolean) {
    for (;;) {
      const answer = await send(await door.find(), feeId, refused)
      if (answer.status === 'lost' && impatient) return undefined
      if (answer.status !== 'lost') noteAnswer()
      if (answer.status !== 'lost' && answer.status !== 'closed') return answer
      await delay(PAUSE_MS)
    }
  }

  async function lookUntilDecided(taken: Answer): Promise<Answer> {
    if (taken.status !== 'pending') return taken
    let answer: Answer = taken
    while (answer.status === 'pending' || answer.status === 'lost') {
      await delay(PAUSE_MS)
      answer = await look(await door.find(), taken.submissionId)
    }
    return answer
  }

  async function client(name: number): Promise<void> {
    const random = createRandom(seed, `client ${name}`)
    for (let transfer = 0; !finishing; transfer += 1) {
      const feeId = `fee-${name}-${transfer}`
      const [refused, impatient, doubled, askedAgain] = [REFUSED, IMPATIENT, DOUBLED, ASKED_AGAIN].map(
        random.chance
      )
      const known: Answer[] = []
      answers.set(feeId, known)
      const ask = async () => {
        const taken = await sendUntilTaken(feeId, refused === true, impatient === true)
        if (taken) known.push(taken, await lookUntilDecided(taken))
      }
      await (doubled ? Promise.all([ask(), ask()]) : ask())
      if (askedAgain) await ask()
    }
  }

  const clients = Promise.all(Array.from({ length: CLIENTS }, (_, name) => client(name)))
  // Whoever awaits something of this load is told of a failure; until then it must not end the process.
  clients.catch(() => {})

  return {
    answers,
    async moreAnswers(count) {
      const came = new Promise<void>(resolve => waiting.set(resolve, answered + count))
      if (count > 0) await Promise.race([came, clients])
    },
    async finish() {
      finishing = true
      await clients
    }
  }
}
