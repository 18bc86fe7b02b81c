import { Type } from '@sinclair/typebox'
import type { ResponseFormat } from './fee-quote.ts'
import { component, integer, list, oneOf, submissionId, text, titled, transactionHash } from './leaves.ts'

export const SubmissionParams = Type.Object({ submissionId: submissionId() })

const height = integer(1, 'Height of the block', 1024)
export const time = (description: string) =>
  Type.String({ format: 'date-time', description, examples: ['2025-01-31T12:00:00.000Z'] })

export const SubmissionState = component('Submission', 'Current state of the submission', {
  submissionId: submissionId(),
  status: oneOf(['queued', 'broadcast', 'committed', 'rejected'], {
    title: 'SubmissionStatus',
    description: '`committed` and `rejected` are final',
    examples: ['committed']
  }),
  txId: Type.Optional(
    integer(
      1,
      'The chain’s sequential transaction id, once committed. A committed submission without it was executed, but ' +
        'the chain did not report its id; do not submit it again',
      42
    )
  ),
  transactionHash: Type.Optional(transactionHash()),
  height: Type.Optional(height),
  error: Type.Optional(
    component('ChainError', 'Why the chain rejected the submission; only with the status `rejected`', {
      chainCode: Type.Integer({ description: 'The chain’s code', examples: [5] }),
      codespace: text('The module that defines the code', 'sdk'),
      message: text('The chain’s message', 'insufficient funds')
    })
  ),
  createdAt: time('When the service accepted the submission'),
  updatedAt: time('When its status last changed')
})

const attribute = titled('ChainEventAttribute', {
  key: text('Name', 'txId'),
  value: text('Value, as a string', '42')
})
const ChainEvent = titled('ChainEvent', {
  type: text('Kind of the event', 'transaction_requested'),
  attributes: list('Attributes of the event', attribute)
})

const SubmitResult = component('SubmissionResult', 'Executed by the chain', {
  submissionId: submissionId(),
  txId: integer(1, 'The chain’s sequential transaction id', 42),
  transactionHash: transactionHash(),
  height,
  events: list('Events of this submission only', ChainEvent),
  gasUsed: Type.Integer({
    description: 'Gas used by the whole chain transaction, which other submissions may share'
  }),
  gasWanted: Type.Integer({ description: 'Gas limit of the whole chain transaction' })
})

/** Widgets expect the chain's code. In the documented format, only errors have a `code` (interface 6.20). */
const WidgetSubmitResult = component('SubmissionResult', 'Executed by the chain', {
  ...SubmitResult.properties,
  code: Type.Integer({ minimum: 0, maximum: 0, description: 'The chain’s success code', examples: [0] })
})

export const submitResult = (format: ResponseFormat) =>
  format === 'widget' ? WidgetSubmitResult : SubmitResult

export const SubmitPending = component(
  'PendingSubmission',
  'Accepted; do not submit it again. `/submissions/{submissionId}` returns its state',
  {
    submissionId: submissionId(),
    status: oneOf(['queued', 'broadcast', 'committed'], {
      description: '`committed`: executed, but the chain did not report a transaction id',
      examples: ['queued']
    })
  }
)
