import type { Submission } from '../../services/submission/contract.ts'
import { lockOf, PAYMENT, requestOf } from './chain/messages.ts'
import type { Context } from './context.ts'
import { TAKEN, type Witness } from './oracle/witness.ts'
import type { SubmissionPlan } from './plan.ts'
import type { Process } from './service/process.ts'
import type { Host } from './service/replica.ts'

const RETRY_MS = 1500

const PATIENCE_MS = 10_000

/** Waits for a response of a process. @returns undefined if the process dies first */
const unlessDead = <T>(process: Process, answer: Promise<T>): Promise<T | undefined> =>
  Promise.race([answer, new Promise<undefined>(resolve => process.onDeath(() => resolve(undefined)))])

/** Creates the clients: they send, wait for results, resend and retry. */
export function createSubmitters(host: Host, witness: Witness, { clock, random, trace }: Context) {
  let busy = 0

  /** Sends one request. @returns the submission or error from the service; undefined if there is no response */
  async function request(plan: SubmissionPlan, content: string): Promise<Submission | Error | undefined> {
    const service = host.service()
    if (!service) return undefined
    const { engine, process } = service
    const { identity } = plan
    // A stranger who takes a payment has a request that the chain would execute.
    const isStranger = identity.startsWith(PAYMENT) && content === 'other'
    const behaviour = isStranger ? 'plain' : plan.behaviour
    clock.linger()
    const key = { kind: 'key', value: `${identity}/${content}` } as const
    const unkeyed = requestOf({ identity, content, behaviour })
    const request = { ...unkeyed, identities: [...unkeyed.identities, key] }
    const name = lockOf(identity)
    const lock = name && { identity: name, content: 'lock', behaviour: plan.lockBehaviour ?? 'plain' }
    if (lock) witness.unanswered(lock)
    const submitted = engine.submit({ ...request, ...(lock && { follows: requestOf(lock) }) })
    return unlessDead(process, submitted).catch((error: Error) => error)
  }

  /** Waits like a polling client. @returns undefined if the submission is not settled in time */
  async function outcome(submissionId: string): Promise<Submission | undefined> {
    const service = host.service()
    if (!service) return undefined
    const settled = service.engine.settled(submissionId, PATIENCE_MS)
    return unlessDead(service.process, settled).catch(() => undefined)
  }

  async function submit(plan: SubmissionPlan, content: string): Promise<void> {
    const { identity } = plan
    for (;;) {
      const answer = await request(plan, content)
      if (answer && !(answer instanceof Error)) {
        trace(() => `client: ${identity}/${content} accepted as ${answer.submissionId}`)
        witness.accepted({ identity, content }, answer)
        return follow(plan, content, answer.submissionId)
      }
      trace(() => `client: ${identity}/${content} ${answer ? `refused: ${answer.message}` : 'no response'}`)
      if (answer) witness.refused({ identity, content }, answer)
      else witness.unanswered({ identity, content })
      if (!plan.persists || TAKEN.includes(Object(answer).code)) return
      await clock.delay(random.int(1, RETRY_MS))
    }
  }

  async function follow(plan: SubmissionPlan, content: string, submissionId: string): Promise<void> {
    const settled = await outcome(submissionId)
    if (settled) witness.told(settled)
    // The store was restored to an older state that lacks the submission, so the client resubmits.
    if (!settled && !witness.ids.has(submissionId)) return submit(plan, content)
    if (settled?.status !== 'rejected' || !plan.retriesRefused) return
    // A refused payment may be used again for its target, with any content.
    const again = plan.identity.startsWith(PAYMENT) ? `${content}-again` : content
    await submit({ ...plan, retriesRefused: false }, again)
  }

  function begin(plan: SubmissionPlan, content: string, atMs: number): void {
    busy += 1
    clock.after(atMs, async () => {
      await submit(plan, content)
      busy -= 1
    })
  }

  return {
    busy: () => busy,
    start(plan: SubmissionPlan): void {
      const { atMs, copies, againAtMs, conflictAtMs } = plan
      for (let copy = 0; copy < copies; copy++) begin(plan, 'content', atMs)
      if (againAtMs !== undefined) begin(plan, 'content', againAtMs)
      if (conflictAtMs !== undefined) begin(plan, 'other', conflictAtMs)
    }
  }
}
