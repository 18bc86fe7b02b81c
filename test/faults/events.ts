import type { Test } from 'tap'
import type { Variables } from '../helpers/app.ts'
import type { Network } from '../helpers/network.ts'
import { operatorTool } from '../helpers/operator.ts'

/** Webhooks to a receiver that does not exist, so that every event stays in the store. */
export const WEBHOOK: Variables = {
  SERVICE_WEBHOOK_URL: 'http://127.0.0.1:1/webhooks',
  SERVICE_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 1).toString('base64')}`
}

interface Row {
  submissionId: string
  status: string
}

const ALL = '1000000000'

/**
 * Compares the events in the store with its submissions: each settled one must have the event of its state, and there is no
 * other event. The servers had `WEBHOOK`, and may still run.
 */
export async function assertEventsHold(
  t: Test,
  network: Pick<Network, 'env'>,
  variables: Variables
): Promise<void> {
  const tool = operatorTool(t, network, variables)

  async function listed<T>(...argv: string[]): Promise<T[]> {
    const { out, err } = await tool(...argv, '--json', '--limit', ALL)
    t.equal(err, '')
    return out.split('\n').flatMap(line => (line === '' ? [] : JSON.parse(line)))
  }

  const events = await listed<{ eventId: string }>('events')
  const submissions = await listed<Row>('list', '--state', 'committed', '--state', 'rejected')
  const expected = submissions.map(({ submissionId, status }) => `msg_${submissionId}_${status}`)
  t.ok(expected.length > 0, `${expected.length} settled submissions`)
  t.strictSame(
    events.map(({ eventId }) => eventId).sort(),
    expected.sort(),
    'each settled submission has one event'
  )
}
