import { createRandom } from '../../simulation/random.ts'
import type { VirtualClock } from '../../simulation/time/virtual-clock.ts'

interface Submission {
  submissionId: string
  settlesAt: number
}

/** An attempt to submit, and the submission that it created or joined. */
export interface Attempt {
  /** Index of the client. A page reload starts a new client. */
  client: number
  /** The call's `Idempotency-Key`. */
  call: string
  submission?: Submission
}

type Answer = () => Response

const refuse =
  (code: string, status: number): Answer =>
  () =>
    Response.json({ statusCode: status, code, error: 'Error', message: code, requestId: 'r' }, { status })

const REFUSED = [
  refuse('QUOTE_UNKNOWN', 400),
  refuse('VALIDATION', 400),
  refuse('NOT_COMPLIANT', 403),
  refuse('DAILY_FEE_LIMIT', 503)
]
const BUSY = [refuse('INTAKE_CLOSED', 503), refuse('RATE_LIMITED', 429), refuse('UPSTREAM_BUSY', 503)]

/** Responses that a proxy sends instead of the service. */
const BEFORE = [
  () => new Response('<p>', { status: 403 }),
  () => new Response('<p>', { status: 404 }),
  refuse('INVALID_JSON', 400),
  refuse('BODY_TOO_LARGE', 413),
  refuse('ORIGIN_BLOCKED', 403),
  refuse('RATE_LIMITED', 429)
]

/** Replacements for a damaged response. */
const DAMAGED = [
  () => new Response('<p>', { status: 502 }),
  () => new Response('{'),
  () => new Response(null, { status: 204 }),
  () => Response.json({ submissionId: 7 }),
  refuse('INTERNAL', 500),
  refuse('SUBMISSION_UNKNOWN', 503),
  refuse('NEWER', 503)
]

const WAYS = [
  'lost before',
  'lost after',
  'lost after',
  'damaged before',
  'damaged after',
  'damaged after'
] as const

/**
 * Simulates a multi-server service that receives the same body several times and executes it at most once. The service
 * checks each attempt for up to 55 seconds and accepts or rejects it at random. The network loses and damages requests
 * and responses.
 */
export function createScheduledService(seed: number, clock: VirtualClock) {
  const random = createRandom(seed, 'service')
  const isRefusedByChain = random.chance(0.3)
  const badness = random.next()
  const attempts: Attempt[] = []
  const submissions = new Map<string, Submission>()
  let current: Submission | undefined
  let isHealthy = false
  let mood = 'refuses'
  const changeMood = () => {
    mood = random.pick(['accepts', 'refuses', 'refuses', 'is busy'])
    clock.after(random.int(2_000, 90_000), changeMood)
  }
  changeMood()

  const isSettled = ({ settlesAt }: Submission) => clock.elapsed() >= settlesAt
  const isWell = () => isHealthy || !random.chance(badness)

  function stateOf(submission: Submission) {
    const { submissionId } = submission
    if (!isSettled(submission)) return { submissionId, status: 'queued' }
    return isRefusedByChain
      ? { submissionId, status: 'rejected', error: { codespace: 'transaction', chainCode: 1, message: 'no' } }
      : { submissionId, status: 'committed', txId: 7 }
  }

  function accept(): Submission {
    const submission = {
      submissionId: `s${submissions.size + 1}`,
      settlesAt: clock.elapsed() + random.int(100, 60_000)
    }
    submissions.set(submission.submissionId, submission)
    return submission
  }

  /** Decides an attempt once its checks are over. */
  function decide(attempt: Attempt, answer: (make: Answer) => void): void {
    // A client may submit a request again after the chain rejected it.
    if (isRefusedByChain && current && isSettled(current)) current = undefined
    if (current === undefined && !isHealthy && mood !== 'accepts') {
      answer(random.pick(mood === 'refuses' ? REFUSED : BUSY))
      return
    }
    current ??= accept()
    const submission = current
    attempt.submission = submission
    clock.after(Math.min(submission.settlesAt - clock.elapsed(), random.int(100, 20_000)), () => {
      const { submissionId, status } = stateOf(submission)
      if (status === 'queued') answer(() => Response.json({ submissionId, status }, { status: 202 }))
      else if (status === 'rejected') answer(refuse('CHAIN_REJECTED', 400))
      else answer(() => Response.json({ submissionId, txId: 7 }))
    })
  }

  function post(attempt: Attempt, resolve: (answer: Response) => void, lose: () => void): void {
    attempts.push(attempt)
    const way = isWell() ? 'well' : random.pick(WAYS)
    if (way === 'damaged before') return void clock.after(10, () => resolve(random.pick(BEFORE)()))
    if (way.startsWith('lost')) clock.after(random.int(0, 60_000), lose)
    if (way === 'lost before') return
    clock.after(random.chance(0.6) ? random.int(1, 2_000) : random.int(1, 55_000), () =>
      decide(attempt, make => {
        if (way !== 'lost after') resolve(way === 'well' ? make() : random.pick(DAMAGED)())
      })
    )
  }

  function get({ url }: Request, resolve: (answer: Response) => void, lose: () => void): void {
    const submission = submissions.get(url.split('/').at(-1) ?? '')
    clock.after(random.int(10, 2_000), () => {
      if (submission === undefined) resolve(refuse('NOT_FOUND', 404)())
      else if (isWell()) resolve(Response.json(stateOf(submission)))
      else if (random.chance(0.5)) lose()
      else resolve(random.pick([...DAMAGED, ...BEFORE])())
    })
  }

  return {
    attempts,
    isRefusedByChain,
    submissions,
    fetchOf: (client: number) => (request: Request) =>
      new Promise<Response>((resolve, reject) => {
        const lose = () => reject(new TypeError('fetch failed'))
        const call = request.headers.get('idempotency-key')
        if (call === null) get(request, resolve, lose)
        else post({ client, call }, resolve, lose)
      }),
    heal() {
      isHealthy = true
    }
  }
}
