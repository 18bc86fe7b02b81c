import { randomUUID } from 'node:crypto'
import { createReceiver, type Outcome, type ReceiverSettings } from './receiver.ts'

/** Sends a signed `webhook.test` event once. */
export async function sendTest(settings: ReceiverSettings, timeoutMs?: number): Promise<Outcome> {
  const timestamp = new Date().toISOString()
  const receiver = createReceiver({ ...settings, ...(timeoutMs !== undefined && { timeoutMs }) })
  const outcome = await receiver.send({
    eventId: `msg_test_${randomUUID()}`,
    payload: JSON.stringify({ type: 'webhook.test', timestamp, data: {} })
  })
  await receiver.close()
  return outcome ?? { isDelivered: false, detail: 'closed' }
}
