import { randomUUID } from 'node:crypto'
import { createReceiver, type Outcome, type ReceiverSettings } from './receiver.ts'

/** Sends a signed event of no payment once: a `webhook.test`, unless the type is given. */
export async function sendTest(
  settings: ReceiverSettings & { timeoutMs?: number },
  { type, data } = { type: 'webhook.test', data: {} }
): Promise<Outcome> {
  const timestamp = new Date().toISOString()
  const receiver = createReceiver(settings)
  const payload = JSON.stringify({ type, timestamp, data })
  const outcome = await receiver.send({ eventId: `msg_test_${randomUUID()}`, payload })
  await receiver.close()
  return outcome ?? { isDelivered: false, detail: 'closed' }
}
