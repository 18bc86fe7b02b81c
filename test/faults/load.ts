import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Test } from 'tap'
import type { Network, Variables } from '../helpers/app.ts'
import type { Told } from '../helpers/oracle/index.ts'
import { OTHER } from '../helpers/transfer.ts'
import { until } from '../helpers/until.ts'
import { createRandom } from '../simulation/random.ts'
import { isFailed, look, PAUSE_MS, send } from './transfers.ts'
import { assertAnswersHold, assertEventsHold } from './verdict.ts'

/** Enough clients to keep intake, packer and follower busy all the time. */
const CLIENTS = 24

/** The feeId prefixes, which select the kind of request. A third of the requests are not plain transfers. */
const KINDS = [...Array(6).fill('fee-'), ...Object.values(OTHER)]

const IMPATIENT = 0.1
const DOUBLED = 0.15
const ASKED_AGAIN = 0.1

/** Distributes clients across running servers in round-robin order. Clients wait while no server is running. */
function createFrontDoor() {
  const present: string[] = []
  let waiting: ((url: string) => void)[] = []
  return {
    open(url: string): void {
      present.push(url)
      for (const enter of waiting) enter(url)
      waiting = []
    },
    close(url?: string): void {
      if (url === undefined) present.length = 0
      else if (present.includes(url)) present.splice(present.indexOf(url), 1)
    },
    async find(): Promise<string> {
      const [next] = present.splice(0, 1)
      if (next === undefined) return new Promise<string>(resolve => waiting.push(resolve))
      present.push(next)
      return next
    }
  }
}

export type Load = ReturnType<typeof startLoad>

/**
 * Starts clients that behave like widgets: each sends one transfer after another, with a new feeId each time. Most
 * clients retry after a broken connection; the others give up. Some send a transfer twice concurrently, or resend it
 * after its result. Some requests are swaps, and some are rejected by the chain, in a simulation or by an event.
 * @param usualRounds how often the test injects its fault, unless ROUNDS says it; SEED repeats its random choices
 */
export function startLoad(t: Test, usualRounds: number) {
  const rounds = Number(process.env['ROUNDS']) || usualRounds
  const seed = Number(process.env['SEED']) || randomInt(2 ** 31)
  t.comment(`SEED=${seed} ROUNDS=${rounds}`)
  const door = createFrontDoor()
  t.teardown(() => door.close())
  const answers = new Map<string, Told[]>()
  let finishing = false
  let answered = 0
  /** Requests that were lost, or rejected because intake was closed. */
  const failed: string[] = []

  /** Sends the transfer until the service accepts or rejects it. @returns undefined if an impatient client gives up */
  async function sendUntilTaken(feeId: string, impatient: boolean) {
    for (;;) {
      const url = await door.find()
      const answer = await send(url, feeId)
      if (answer.status === 'lost' && impatient) return undefined
      if (answer.status !== 'lost') answered += 1
      if (!isFailed(answer)) return answer
      failed.push(`POST of ${feeId} to ${url}: ${JSON.stringify(answer)}`)
      await delay(PAUSE_MS)
    }
  }

  async function lookUntilDecided(taken: Told): Promise<Told> {
    if (taken.status !== 'pending') return taken
    let answer: Told = taken
    while (answer.status === 'pending' || isFailed(answer)) {
      await delay(PAUSE_MS)
      const url = await door.find()
      answer = await look(url, taken.submissionId)
      if (isFailed(answer)) failed.push(`GET of ${taken.submissionId} from ${url}: ${JSON.stringify(answer)}`)
    }
    return answer
  }

  async function client(name: number): Promise<void> {
    const random = createRandom(seed, `client ${name}`)
    for (let transfer = 0; !finishing; transfer += 1) {
      const feeId = `${random.pick(KINDS)}${name}-${transfer}`
      const [impatient, doubled, askedAgain] = [IMPATIENT, DOUBLED, ASKED_AGAIN].map(random.chance)
      const known: Told[] = []
      answers.set(feeId, known)
      const ask = async () => {
        const taken = await sendUntilTaken(feeId, impatient === true)
        if (taken) known.push(taken, await lookUntilDecided(taken))
      }
      await (doubled ? Promise.all([ask(), ask()]) : ask())
      if (askedAgain) await ask()
    }
  }

  const clients = Promise.all(Array.from({ length: CLIENTS }, (_, name) => client(name)))
  let problem: Error | undefined
  clients.catch(error => {
    problem = error
  })

  return {
    door,
    failed,
    rounds,
    random: createRandom(seed, 'faults'),
    async moreAnswers(count: number): Promise<void> {
      const due = answered + count
      await until(() => {
        if (problem) throw problem
        return answered >= due
      }, `clients have received ${count} more responses`)
    },
    /** Waits for the clients. Then compares all responses with the chain, and the webhook events with the submissions. */
    async finish(network: Network, url: string, variables: Variables): Promise<void> {
      finishing = true
      await clients
      t.comment(`${answers.size} transfers, ${failed.length} failed requests`)
      await assertAnswersHold(t, network, url, answers)
      await assertEventsHold(t, network, variables)
    }
  }
}
