import { type Static, Type } from '@sinclair/typebox'
import { uuid } from './leaves.ts'

export const KycBody = Type.Object(
  { uuid: uuid({ description: 'Names the verification session: what `GET /uuid` answered' }) },
  { description: 'Properties that are not listed are ignored' }
)

const KycRecord = Type.Object(
  {
    status: Type.String({
      description: 'How far the verification is, in the provider’s words',
      examples: ['approved']
    })
  },
  { additionalProperties: true, description: 'The provider’s record, as it came' }
)

/** Providers answer one record, or a list that is empty for a session which they do not know. */
export const KycRecords = Type.Union([KycRecord, Type.Array(KycRecord)])
export type KycRecords = Static<typeof KycRecords>
