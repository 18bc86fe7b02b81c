import { Type } from '@sinclair/typebox'
import { integer, submissionId, titled } from './leaves.ts'

export const RedeliverRequest = Type.Object(
  {
    submissionId: Type.Optional({
      ...submissionId(),
      description: 'Redelivers all events of this submission; without it, all failed events'
    })
  },
  {
    title: 'RedeliverRequest',
    additionalProperties: false,
    examples: [{ submissionId: '01JD3Q7Z4M8N5T2V6W9X0Y1Z2A' }]
  }
)

export const Redelivered = titled('Redelivered', {
  events: integer(1, 'Number of events that are due now', 2)
})
