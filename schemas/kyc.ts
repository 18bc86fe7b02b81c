import { type Static, Type } from '@sinclair/typebox'
import { list, text, titled, uuid } from './leaves.ts'

const session = { uuid: uuid({ description: 'Identifier of the verification session, from `GET /uuid`' }) }
export const KycQuery = Type.Object(session)
export const KycBody = Type.Object(session, {
  title: 'KycRequest',
  description: 'Other properties are ignored',
  examples: [{ uuid: '2f1c6d1e-6a0f-4b5e-9a54-0a4f2f0f6c11' }]
})

/** The part of a provider's record that clients receive. The rest is personal data (interface 11.10). */
export const KycRecord = titled('KycRecord', {
  id: Type.Union([Type.String(), Type.Integer()], {
    title: 'KycRecordId',
    description: 'The provider’s id of the record'
  }),
  status: text('Status of the verification, as the provider reports it', 'approved'),
  external_uuid: text('Identifier of the session', '2f1c6d1e-6a0f-4b5e-9a54-0a4f2f0f6c11'),
  created_at: Type.Union([Type.String(), Type.Number()], {
    title: 'KycTime',
    description: 'When the session began, in the provider’s format',
    examples: [1_738_324_800_000]
  })
})
export type KycRecord = Static<typeof KycRecord>

export const KycRecords = list('Empty for an unknown session', KycRecord)
