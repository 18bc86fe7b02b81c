import { Type } from '@sinclair/typebox'
import { createLimiter } from '../../../services/async/limiter.ts'
import type { SignedTx, Submission, WalletState } from '../../../services/submission/contract.ts'
import {
  Count,
  mapper,
  Text,
  toSignedTx,
  toSubmission,
  toWalletState
} from '../../../services/submission/store/rows.ts'
import { forUpdate, type Row, type StoreContext, sql } from '../../../services/submission/store/sql.ts'
import { readRequest } from '../chain/messages.ts'

export interface StoredSubmission {
  request: ReturnType<typeof readRequest>
  submission: Submission
  /** The slot that the submission is bound to, or was bound to when it was settled. */
  sequence: number | undefined
}

/** A slot as it is stored; open until a transaction has consumed its sequence in a block of that height. */
interface StoredSlot {
  signedTxs: SignedTx[]
  transactionHash?: string | undefined
  height?: number | undefined
}

export type Disk = ReturnType<typeof createDisk>

const readBound = mapper('submission', 'submission_id', {
  message: Type.Uint8Array(),
  sequence: Type.Optional(Count)
})
const readSlot = mapper('slot', 'sequence', {
  sequence: Count,
  transactionHash: Type.Optional(Text),
  height: Type.Optional(Count)
})

function toSubmissionOnDisk(row: Row): [string, StoredSubmission] {
  const { message, sequence } = readBound(row)
  const submission = toSubmission(row)
  return [submission.submissionId, { request: readRequest(message), submission, sequence }]
}

export function createDisk({ database }: Pick<StoreContext, 'database'>) {
  const inTurn = createLimiter(1)

  /** Reads all rows. Locks the wallet row, as the leader's writes do, so that all queries read the same state. */
  const read = () =>
    database.transaction(({ all, get }) =>
      Promise.all([
        all(sql`SELECT epoch FROM wallet ${forUpdate}`),
        all(sql`SELECT * FROM submission ORDER BY position`),
        all(sql`SELECT sequence, transaction_hash, height FROM slot`),
        all(sql`SELECT * FROM signed_tx ORDER BY position`),
        get(sql`SELECT * FROM wallet_state`)
      ])
    )

  const disk = {
    /** By id, in the order of intake. */
    submissions: new Map<string, StoredSubmission>(),
    slots: new Map<number, StoredSlot>(),
    walletState: undefined as WalletState | undefined,
    look: () =>
      inTurn(async () => {
        const [, submissions, slots, signedTxs, state] = await read()
        disk.submissions = new Map(submissions.map(toSubmissionOnDisk))
        disk.slots = new Map(slots.map(readSlot).map(slot => [slot.sequence, { ...slot, signedTxs: [] }]))
        for (const signedTx of signedTxs.map(toSignedTx))
          disk.slots.get(signedTx.sequence)?.signedTxs.push(signedTx)
        disk.walletState = state === undefined ? undefined : toWalletState(state)
      })
  }
  return disk
}
