import type { ServerResponse } from 'node:http'
import { Webhook } from 'standardwebhooks'
import type { Test } from 'tap'
import { type SeenRequest, serve } from './local-server.ts'

/** The secret that test receivers share with the servers. */
export const WEBHOOK_SECRET = `whsec_${Buffer.alloc(32, 'sealed hook').toString('base64')}`

/** Sends webhooks to a receiver that does not exist, so every event stays in the store. */
export const AWAY_WEBHOOK = {
  SERVICE_WEBHOOK_URL: 'http://127.0.0.1:1/webhooks',
  SERVICE_WEBHOOK_SECRET: WEBHOOK_SECRET
}

const webhook = new Webhook(WEBHOOK_SECRET)

export interface ReceivedEvent {
  id: string
  type: string
  data: {
    kind: string
    blocker?: string
    since?: string
    submission?: { submissionId: string; status: string; txId?: number }
    submissionId?: string
    txId?: number
    record?: Record<string, unknown>
    request: Record<string, string>
  }
}

/** Starts a receiver that verifies each webhook with a third-party package. @param answer omit to accept every event */
export async function receiveWebhooks(
  t: Test,
  answer: (event: ReceivedEvent, response: ServerResponse) => void = (_event, response) => response.end()
) {
  /** Every event with a valid signature in order of arrival, including events that the receiver rejected. */
  const events: ReceivedEvent[] = []

  function verified({ body, headers }: SeenRequest): ReceivedEvent {
    const texts = Object.entries(headers).map(([name, value]) => [name, String(value)])
    webhook.verify(body, Object.fromEntries(texts))
    return { id: String(headers['webhook-id']), ...JSON.parse(body) }
  }

  function receive(request: SeenRequest, response: ServerResponse): void {
    try {
      const event = verified(request)
      events.push(event)
      answer(event, response)
    } catch (error) {
      t.fail('a webhook is not genuine', { error })
      response.writeHead(401).end()
    }
  }

  const server = await serve(t, receive)
  return {
    ...server,
    events,
    env: { SERVICE_WEBHOOK_URL: `${server.url}/webhooks`, SERVICE_WEBHOOK_SECRET: WEBHOOK_SECRET }
  }
}
