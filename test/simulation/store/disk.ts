import { Type } from '@sinclair/typebox'
import { createTurns } from '../../../services/async/turns.ts'
import { checkFor } from '../../../services/schema-check.ts'
import {
  SUBMISSION_COLUMNS,
  toSignerState,
  toSubmission,
  toVariant
} from '../../../services/submission/store/rows/index.ts'
import { createTableReader } from '../../../services/submission/store/rows/table-reader.ts'
import { forUpdate, raw, sql } from '../../../services/submission/store/sql.ts'
import type { Home } from '../../../services/submission/store/term-writes.ts'
import type { SignerState, Variant } from '../../../services/submission/store/types.ts'
import type { Submission } from '../../../services/submission/types.ts'
import { readRequest } from '../model-chain/transaction.ts'

/** A submission as it is stored. */
export interface StoredSubmission {
  request: ReturnType<typeof readRequest>
  submission: Submission
  /** The slot that it is bound to, or was bound to when it was settled. */
  sequence: number | undefined
}

/** A slot as it is stored: open until a transaction has consumed it. */
export interface StoredSlot {
  variants: Variant[]
  transactionHash: string | undefined
}

/** What is stored, as of the last look. */
export interface Disk {
  /** By id, in the order of intake. */
  readonly submissions: ReadonlyMap<string, StoredSubmission>
  readonly slots: ReadonlyMap<number, StoredSlot>
  readonly signer: SignerState | undefined
  look(): Promise<void>
}

const submissions = createTableReader('submission', 'submission_id')
const slots = createTableReader('slot', 'sequence')
const SubmissionRow = checkFor(
  Type.Object({ sequence: Type.Union([Type.Integer(), Type.Null()]), message: Type.Unknown() })
)
const SlotRow = checkFor(
  Type.Object({ sequence: Type.Integer(), transaction_hash: Type.Union([Type.String(), Type.Null()]) })
)

function toStored(row: unknown): StoredSubmission {
  const { sequence, message } = submissions.row(SubmissionRow, row)
  return {
    request: readRequest(submissions.bytes(message, row, 'message')),
    submission: toSubmission(row),
    sequence: sequence ?? undefined
  }
}

function toSlot(row: unknown): [number, StoredSlot] {
  const { sequence, transaction_hash } = slots.row(SlotRow, row)
  return [sequence, { variants: [], transactionHash: transaction_hash ?? undefined }]
}

/** Reads what the oracle compares with the chain. */
export function createDisk({ database }: Pick<Home, 'database'>): Disk {
  const inTurn = createTurns(1)

  /** Locks the wallet as the leader's writes do, so that all is of the same moment. */
  const read = () =>
    database.transaction(({ all, get }) =>
      Promise.all([
        all(sql`SELECT epoch FROM wallet ${forUpdate}`),
        all(sql`SELECT ${raw(SUBMISSION_COLUMNS)}, sequence, message FROM submission ORDER BY position`),
        all(sql`SELECT sequence, transaction_hash FROM slot`),
        all(sql`SELECT * FROM variant ORDER BY position`),
        get(sql`SELECT * FROM signer`)
      ])
    )

  const disk = {
    submissions: new Map<string, StoredSubmission>(),
    slots: new Map<number, StoredSlot>(),
    signer: undefined as SignerState | undefined,
    look: () =>
      inTurn(async () => {
        const [, submissions, slots, variants, signer] = await read()
        disk.submissions = new Map(submissions.map(toStored).map(one => [one.submission.submissionId, one]))
        disk.slots = new Map(slots.map(toSlot))
        for (const variant of variants.map(toVariant))
          disk.slots.get(variant.sequence)?.variants.push(variant)
        disk.signer = signer === undefined ? undefined : toSignerState(signer)
      })
  }
  return disk
}
