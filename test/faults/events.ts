import type { Test } from 'tap'
import type { Variables } from '../helpers/app.ts'
import type { Network } from '../helpers/network.ts'
import { operatorQueries } from '../helpers/operator.ts'

/** Sends webhooks to a receiver that does not exist, so every event stays in the store. */
export const WEBHOOK: Variables = {
  SERVICE_WEBHOOK_URL: 'http://127.0.0.1:1/webhooks',
  SERVICE_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 1).toString('base64')}`
}

/**
 * Asserts that the store has one event for each settled submission, with the submission's state, and no other events.
 * The servers must have been started with `WEBHOOK` and may still be running.
 */
export async function assertEventsHold(
  t: Test,
  network: Pick<Network, 'env'>,
  variables: Variables
): Promise<void> {
  const queries = await operatorQueries(t, network, variables)
  const events = await queries.events({})
  const submissions = await queries.list({ states: ['committed', 'rejected'] })
  const expected = submissions.map(({ submission }) => `msg_${submission.submissionId}_${submission.status}`)
  t.ok(expected.length > 0, `${expected.length} settled submissions`)
  t.strictSame(
    events.map(({ eventId }) => eventId).sort(),
    expected.sort(),
    'each settled submission has one event'
  )
}
