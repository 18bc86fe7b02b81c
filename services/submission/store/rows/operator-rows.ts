import { Type } from '@sinclair/typebox'
import { checkFor } from '../../../schema-check.ts'
import type { StoredSlot, StoredSubmission } from '../operator-store.ts'
import { originalText } from '../stored-key.ts'
import { toSubmission } from './index.ts'
import { createTableReader } from './table-reader.ts'

const submissions = createTableReader('submission', 'submission_id')
const slots = createTableReader('slot', 'sequence')

const integer = () => Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()])

const StoredRow = checkFor(
  Type.Object({
    identities: Type.String(),
    type_url: Type.String({ minLength: 1 }),
    message: Type.Unknown(),
    sequence: orNull(integer())
  })
)

const KeysJson = checkFor(Type.Array(Type.String()))

const SlotRow = checkFor(
  Type.Union([
    Type.Object({ sequence: integer(), origin: Type.Null() }),
    Type.Object({
      sequence: integer(),
      transaction_hash: Type.String({ minLength: 1 }),
      origin: Type.Union([Type.Literal('own'), Type.Literal('foreign')]),
      height: integer()
    })
  ])
)

/** @throws StoreCorruptError */
export function toStoredSubmission(row: unknown): StoredSubmission {
  const { identities, type_url, message, sequence } = submissions.row(StoredRow, row)
  return {
    submission: toSubmission(row),
    identities: submissions.json(KeysJson, identities, row, 'identities').map(originalText),
    typeUrl: type_url,
    message: submissions.bytes(message, row, 'message'),
    sequence: sequence ?? undefined
  }
}

/** @throws StoreCorruptError */
export function toStoredSlot(row: unknown): StoredSlot {
  const slot = slots.row(SlotRow, row)
  if (slot.origin === null) return { sequence: slot.sequence, resolution: undefined }
  const { sequence, transaction_hash: transactionHash, origin, height } = slot
  return { sequence, resolution: { transactionHash, origin, height } }
}
