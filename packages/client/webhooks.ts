import { Webhook } from 'standardwebhooks'
import type { Submission, SwapRecord, TransferRecord } from './records.ts'

/** The fields of a submitted request by which a shop finds its order, as the chain has them: both rails are `FIAT`. */
export interface WebhookRequest {
  feeId?: string
  /** Of a card or bank payment. */
  transactionIdSeed?: string
  originChain: string
  originAddress: string
  originSymbol: string
  targetChain: string
  targetAddress: string
  targetSymbol: string
  /** Amounts are decimal strings of whole tokens. A transfer has `amount`, a swap the other two. */
  amount?: string
  amountIn?: string
  amountOut?: string
  fee: string
}

interface EventOf<Type extends string, Data> {
  type: Type
  /** When it happened, in ISO 8601. */
  timestamp: string
  data: Data & { request: WebhookRequest }
}

type Finished = { submissionId: string; txId: number } & (
  | { kind: 'transfer'; record: TransferRecord }
  | { kind: 'swap'; record: SwapRecord }
)

/**
 * An event of the service (docs/events-and-webhooks.md), a union on `type`. Ignore types that you do not know: a newer service
 * may have more.
 */
export type WebhookEvent =
  | EventOf<
      'submission.committed' | 'submission.rejected',
      { kind: 'transfer' | 'swap'; submission: Submission }
    >
  | EventOf<'transfer.finished', Finished>

/** Headers as fetch, Node or a framework has them. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | string[] | undefined>>

/**
 * Verifies a webhook and parses it. It works in Node, in workers and in browsers.
 * @param body exactly as it came, before anything parses it
 * @param secret SERVICE_WEBHOOK_SECRET of the service, or the one of several that is yours: `whsec_…`
 * @throws Error when the signature is wrong or missing, or more than five minutes old, or the secret is too short
 */
export function verifyWebhook(body: string, headers: WebhookHeaders, secret: string): WebhookEvent {
  // Anybody can sign with an empty key. The service has 24 bytes at least.
  if (!/^whsec_.{32,}$/.test(secret)) throw new RangeError('The secret must be whsec_ and 24 bytes in base64')
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers)
  const strings = Object.fromEntries(entries.map(([name, value]) => [name, String(value)]))
  return new Webhook(secret).verify(body, strings) as WebhookEvent
}
