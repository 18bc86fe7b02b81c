import { Type } from '@sinclair/typebox'
import type { SignedTx, Submission, WalletState } from '../../../services/submission/contract.ts'
import {
  Count,
  mapper,
  Text,
  toSignedTx,
  toSubmission,
  toWalletState
} from '../../../services/submission/store/rows.ts'
import type { StoreContext } from '../../../services/submission/store/sql.ts'
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

const optional = { sequence: Type.Optional(Count), height: Type.Optional(Count) }
const readBound = mapper('submission', 'submission_id', { ...optional, message: Type.Uint8Array() })
const slotColumns = { ...optional, sequence: Count, transactionHash: Type.Optional(Text) }
const readSlot = mapper('slot', 'sequence', slotColumns)

export function createDisk({ database }: Pick<StoreContext, 'database'>) {
  const disk = {
    /** By id, in the order of intake. */
    submissions: new Map<string, StoredSubmission>(),
    slots: new Map<number, StoredSlot>(),
    walletState: undefined as WalletState | undefined,
    look: () =>
      database.transaction(async ({ all, get }) => {
        const submissions = await all`SELECT * FROM submission ORDER BY position`
        const slots = await all`SELECT sequence, transaction_hash, height FROM slot`
        const signedTxs = await all`SELECT * FROM signed_tx ORDER BY position`
        const state = await get`SELECT * FROM wallet_state`
        disk.submissions = new Map(
          submissions.map(row => {
            const { message, sequence } = readBound(row)
            const submission = toSubmission(row)
            return [submission.submissionId, { request: readRequest(message), submission, sequence }]
          })
        )
        disk.slots = new Map(slots.map(readSlot).map(slot => [slot.sequence, { ...slot, signedTxs: [] }]))
        for (const signedTx of signedTxs.map(toSignedTx))
          disk.slots.get(signedTx.sequence)?.signedTxs.push(signedTx)
        disk.walletState = state && toWalletState(state)
      })
  }
  return disk
}
