import { type Static, Type } from '@sinclair/typebox'
import { uuid } from './leaves.ts'

export const KycBody = Type.Object(
  { uuid: uuid({ description: 'Verification session: the answer of `GET /uuid`' }) },
  { description: 'Properties that are not listed are ignored' }
)

const KycRecord = Type.Object(
  {
    status: Type.String({
      description: 'State of the verification, in the provider’s words',
      examples: ['approved']
    })
  },
  { additionalProperties: true, description: 'The provider’s record, unchanged' }
)

/** Providers answer one record, or a list, which is empty for a session that they do not know. */
export const KycRecords = Type.Union([KycRecord, Type.Array(KycRecord)])
export type KycRecords = Static<typeof KycRecords>
