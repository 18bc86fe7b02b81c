import { type TSchema, Type } from '@sinclair/typebox'
import type { BrandNames } from './brand.ts'
import { component, integer, oneOf, text } from './leaves.ts'
import { SubmissionState, time } from './submission.ts'
import { recordOf } from './transaction-record.ts'

const ID = '2f1c6d1e-6a0f-4b5e-9a54-0a4f2f0f6c11'
export const Request = component('SubmittedRequest', 'The submitted request, as sent to the chain', {
  feeId: Type.Optional(text('The quote', ID)),
  transactionIdSeed: Type.Optional(text('Of a card or bank payment', ID)),
  originChain: text('Origin chain; `FIAT` for a card or bank payment', 'ETH'),
  originAddress: text('Paying address; empty for a card or bank payment', '0x7099…'),
  originSymbol: text('Origin token', 'USDT'),
  targetChain: text('Target chain', 'POL'),
  targetAddress: text('Receiving address', '0x3C44…'),
  targetSymbol: text('Target token', 'USDC'),
  fee: text('Total fee in whole tokens', '0.41275'),
  amount: Type.Optional(text('Amount of a transfer in whole tokens', '100.5')),
  amountIn: Type.Optional(text('Amount paid in a swap, in whole tokens', '100.5')),
  amountOut: Type.Optional(text('Amount received in a swap, in whole tokens', '93.055555'))
})

const requestKind = oneOf(['transfer', 'swap'], { description: 'Kind of the request' })
export const kind = oneOf(['transfer', 'swap', 'lock', 'reclaim'], {
  description: 'Kind of the request; a lock of bitcoins, and its return, have no target'
})
const Settled = component('SettledSubmission', 'A submission with its result', {
  kind,
  submission: SubmissionState,
  request: Request
})

interface Event {
  title: string
  description: string
  data: TSchema
}

const Blocker = component('Blocker', 'A condition that blocks the service', {
  blocker: text('Kind of the condition, as in the detail of `/ready`', 'daily-fee-limit'),
  since: time('When it began'),
  reason: text('The cause, in English; it can change', 'SERVICE_DAILY_FEE_LIMIT is reached'),
  action: text('What the operator of the service should do', 'Find out why fees are so high.')
})

/** The webhook events by type (interface 23.2). */
const events = (names: BrandNames): Record<string, Event> => ({
  'submission.committed': {
    title: 'SubmissionCommitted',
    description: 'The chain has executed a submission.',
    data: Settled
  },
  'submission.rejected': {
    title: 'SubmissionRejected',
    description: 'The chain has finally rejected a submission; nothing was executed.',
    data: Settled
  },
  'transfer.finished': {
    title: 'TransferFinished',
    description:
      'A transfer or swap has reached its final state. Only with the `txstatus` `Completed` did the payment arrive.',
    data: component('FinishedTransfer', 'A transfer or swap with its final record', {
      kind: requestKind,
      submissionId: SubmissionState.properties.submissionId,
      txId: integer(1, 'The chain’s sequential transaction id', 42),
      record: Type.Union([recordOf('transfer', names), recordOf('swap', names)], {
        title: 'FinishedRecord',
        description: 'The status record'
      }),
      request: Request
    })
  },
  'wallet.low_balance': {
    title: 'WalletLowBalance',
    description: 'The balance of the wallet is below `SERVICE_DAILY_FEE_LIMIT`.',
    data: Blocker
  },
  'service.blocked': {
    title: 'ServiceBlocked',
    description:
      'The service has been unable to execute submissions for ten seconds, and needs its operator.',
    data: Blocker
  },
  'service.unblocked': {
    title: 'ServiceUnblocked',
    description: 'The condition that blocked the service ended two minutes ago.',
    data: Blocker
  }
})

const header = (name: string, description: string) => ({
  name,
  in: 'header' as const,
  required: true,
  description,
  schema: { type: 'string' as const }
})

export function webhookEvents(names: BrandNames): Record<string, { post: object }> {
  const post = (type: string, { title, description, data }: Event) => ({
    operationId: `on${title}`,
    summary: description.split('.', 1).join(),
    description: `${description} Sent to \`SERVICE_WEBHOOK_URL\`, at least once, signed as Standard Webhooks specifies.`,
    tags: ['webhooks'],
    security: [],
    parameters: [
      header('webhook-id', 'Identifies the event; the same for each attempt'),
      header('webhook-timestamp', 'When this attempt was made, in seconds since the epoch'),
      header('webhook-signature', '`v1,` and the base64 of an HMAC-SHA256; several are separated by spaces')
    ],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: component(title, description, {
            type: oneOf([type], { description: 'Kind of the event' }),
            timestamp: time('When it happened'),
            data
          })
        }
      }
    },
    responses: {
      '2XX': { description: 'Delivered' },
      default: { description: 'Not delivered; the event is resent' }
    }
  })
  return Object.fromEntries(
    Object.entries(events(names)).map(([type, event]) => [type, { post: post(type, event) }])
  )
}
