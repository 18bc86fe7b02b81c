import { type Static, Type } from '@sinclair/typebox'
import { component, feeId, formed, list, name, text, titled } from './leaves.ts'
import { SubmissionState } from './submission.ts'
import { kind, Request } from './webhook-events.ts'

const TIME = formed('a time such as 2025-01-31T12:00:00Z', {
  pattern: '^\\d{4}-\\d\\d-\\d\\d(T\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,3})?)?(Z|[+-]\\d\\d:\\d\\d))?$'
})
const time = (...about: Parameters<typeof text>) => Type.String({ ...TIME, ...text(...about) })

export const ListQuery = Type.Object({
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description:
        'An identifier that a customer has: a submissionId, txId, transaction hash, feeId, payment seed, address or webhook id',
      examples: ['0x70997970C51812dc3A010C7d01b50e0d17dc79C8']
    })
  ),
  status: Type.Optional(
    list('One or more statuses', SubmissionState.properties.status, {
      minItems: 1,
      maxItems: 4,
      examples: [['committed']]
    })
  ),
  feeId: Type.Optional(feeId({ description: 'Identifier of the quote; payments of a rail can share one' })),
  txId: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'The chain’s transaction id',
      examples: [42]
    })
  ),
  caller: Type.Optional(
    name({ description: 'Name of a caller; the name of another caller requires the scope `operate`' })
  ),
  from: Type.Optional(time('Accepted at this time or later', '2025-01-31T12:00:00Z')),
  to: Type.Optional(time('Accepted before this time', '2025-02-01')),
  cursor: Type.Optional(
    Type.String({
      maxLength: 255,
      description: '`next` of the previous page',
      examples: ['MTczODMyNDgwMDAwMCAwMUpEM1E3WjRNOE41VDJWNlc5WDBZMVoyQQ']
    })
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      default: 50,
      description: 'Maximum number of submissions on a page'
    })
  )
})
export type ListQuery = Static<typeof ListQuery>

const Listed = titled('ListedSubmission', {
  ...SubmissionState.properties,
  kind: Type.Optional(kind),
  request: Type.Optional(Request),
  txstatus: Type.Optional(
    text('With `q`: the status of the transfer or swap, missing while it cannot be read', 'Completed')
  ),
  caller: Type.Optional(
    name({ description: 'The caller whose API key the submission was sent with, if any' })
  )
})

export const SubmissionList = component('SubmissionPage', 'A page of submissions, newest first', {
  submissions: list('At most `limit`, newest first, without corrupt submissions', Listed),
  next: Type.Optional(text('The cursor of the next page'))
})
