import { type Static, type StringOptions, Type } from '@sinclair/typebox'
import { feeId, formed, name } from './leaves.ts'
import { SubmissionState } from './submission.ts'

const time = (description: string, options: StringOptions = {}) =>
  Type.String({
    ...formed('a time such as 2025-01-31T12:00:00Z', {
      pattern: '^\\d{4}-\\d\\d-\\d\\d(T\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,3})?)?(Z|[+-]\\d\\d:\\d\\d))?$'
    }),
    description,
    ...options
  })

export const ListQuery = Type.Object({
  status: Type.Optional(
    Type.Array(SubmissionState.properties.status, {
      minItems: 1,
      maxItems: 4,
      description: 'One or more statuses',
      examples: [['committed']]
    })
  ),
  feeId: Type.Optional(feeId({ description: 'Identifier of the quote' })),
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
  from: Type.Optional(time('Accepted at this time or later', { examples: ['2025-01-31T12:00:00Z'] })),
  to: Type.Optional(time('Accepted before this time', { examples: ['2025-02-01'] })),
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

export const SubmissionList = Type.Object(
  {
    submissions: Type.Array(
      Type.Object(
        {
          ...SubmissionState.properties,
          caller: Type.Optional(
            name({ description: 'The caller whose API key the submission was sent with, if any' })
          )
        },
        { title: 'ListedSubmission' }
      ),
      { description: 'At most `limit`, newest first, without corrupt submissions' }
    ),
    next: Type.Optional(Type.String({ description: 'The cursor of the next page' }))
  },
  { title: 'SubmissionPage', description: 'A page of submissions, newest first' }
)
