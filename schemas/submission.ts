import { Type } from '@sinclair/typebox'
import {
  component,
  integer,
  list,
  object,
  oneOf,
  submissionId,
  text,
  titled,
  transactionHash
} from './leaves.ts'

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
    object('Why the chain rejected the submission; only with the status `rejected`', {
      chainCode: Type.Integer({ description: 'The chain’s code', examples: [5] }),
      codespace: text('The module that defines the code', 'sdk'),
      message: text('The chain’s message', 'insufficient funds')
    })
  ),
  createdAt: time('When the service accepted the submission'),
  updatedAt: time('When its status last changed')
})

const attribute = Type.Object({ key: text('Name', 'txId'), value: text('Value, as a string', '42') })
const ChainEvent = titled('ChainEvent', {
  type: text('Kind of the event', 'transaction_requested'),
  attributes: list('Attributes of the event', attribute)
})

export const SubmitCommitted = component('SubmissionResult', 'Executed by the chain', {
  submissionId: submissionId(),
  txId: integer(1, 'The chain’s sequential transaction id', 42),
  transactionHash: transactionHash(),
  height,
  code: Type.Optional(
    Type.Literal(0, { description: 'The chain’s success code, only with SERVICE_RESPONSE_FORMAT=widget' })
  ),
  events: list('Events of this submission only', ChainEvent),
  gasUsed: Type.Integer({
    description: 'Gas used by the whole chain transaction, which other submissions may share'
  }),
  gasWanted: Type.Integer({ description: 'Gas limit of the whole chain transaction' })
})

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
