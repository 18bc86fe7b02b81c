import { randomUUID } from 'node:crypto'
import { createReceiver, type Outcome, type ReceiverSettings } from './receiver.ts'

/** Sends a signed event without a payment once, by default of the type `webhook.test`. */
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
