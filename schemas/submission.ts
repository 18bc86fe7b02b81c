import { Type } from '@sinclair/typebox'
import { oneOf, submissionId, transactionHash } from './leaves.ts'

export const SubmissionParams = Type.Object({ submissionId: submissionId() })

const height = () => Type.Integer({ minimum: 1, description: 'Height of the block', examples: [1024] })
const chainTxId = (description = 'The chain’s sequential transaction id') =>
  Type.Integer({ minimum: 1, description, examples: [42] })
export const time = (description: string) =>
  Type.String({ format: 'date-time', description, examples: ['2025-01-31T12:00:00.000Z'] })

export const SubmissionState = Type.Object(
  {
    submissionId: submissionId(),
    status: oneOf(['queued', 'broadcast', 'committed', 'rejected'], {
      title: 'SubmissionStatus',
      description: '`committed` and `rejected` are final',
      examples: ['committed']
    }),
    txId: Type.Optional(
      chainTxId(
        'The chain’s sequential transaction id, once committed. A committed submission without it was executed, but ' +
          'the chain did not report its id; do not submit it again'
      )
    ),
    transactionHash: Type.Optional(transactionHash()),
    height: Type.Optional(height()),
    error: Type.Optional(
      Type.Object(
        {
          chainCode: Type.Integer({ description: 'The chain’s code', examples: [5] }),
          codespace: Type.String({ description: 'The module that defines the code', examples: ['sdk'] }),
          message: Type.String({ description: 'The chain’s message', examples: ['insufficient funds'] })
        },
        { description: 'Why the chain rejected the submission; only with the status `rejected`' }
      )
    ),
    createdAt: time('When the service accepted the submission'),
    updatedAt: time('When its status last changed')
  },
  { title: 'Submission', description: 'Current state of the submission' }
)

export const SubmitCommitted = Type.Object(
  {
    submissionId: submissionId(),
    txId: chainTxId(),
    transactionHash: transactionHash(),
    height: height(),
    code: Type.Optional(
      Type.Literal(0, {
        description: 'The chain’s success code, only with SERVICE_RESPONSE_FORMAT=widget'
      })
    ),
    events: Type.Array(
      Type.Object(
        {
          type: Type.String({ description: 'Kind of the event', examples: ['transaction_requested'] }),
          attributes: Type.Array(
            Type.Object({
              key: Type.String({ description: 'Name', examples: ['txId'] }),
              value: Type.String({ description: 'Value, as a string', examples: ['42'] })
            }),
            { description: 'Attributes of the event' }
          )
        },
        { title: 'ChainEvent' }
      ),
      { description: 'Events of this submission only' }
    ),
    gasUsed: Type.Integer({
      description: 'Gas used by the whole chain transaction, which other submissions may share'
    }),
    gasWanted: Type.Integer({ description: 'Gas limit of the whole chain transaction' })
  },
  { title: 'SubmissionResult', description: 'Executed by the chain' }
)

export const SubmitPending = Type.Object(
  {
    submissionId: submissionId(),
    status: oneOf(['queued', 'broadcast', 'committed'], {
      description: '`committed`: executed, but the chain did not report a transaction id',
      examples: ['queued']
    })
  },
  {
    title: 'PendingSubmission',
    description: 'Accepted; do not submit it again. `/submissions/{submissionId}` returns its state'
  }
)
