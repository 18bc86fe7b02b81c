import { hasLeft } from '../../../services/submission/lead/slots.ts'
import type { Ledger } from '../model-chain/ledger.ts'
import type { Disk } from '../store/disk.ts'

/** Conditions that must be true after every transaction of the store. */
export function createInvariants(disk: Disk, ledger: Ledger, fail: (reason: string) => void) {
  let cursor: number | undefined
  let checkedSequence: number | undefined

  /** The cursor moves forward along the chain. */
  function checkCursor({ cursorHeight, cursorHash }: NonNullable<Disk['walletState']>): void {
    if (cursor !== undefined && cursorHeight < cursor)
      fail(`the cursor went from ${cursor} to ${cursorHeight}`)
    cursor = cursorHeight
    const hash = ledger.block(cursorHeight)?.hash
    if (hash !== cursorHash) fail(`the cursor is at ${cursorHash}, block ${cursorHeight} is ${hash}`)
  }

  /** Every sequence below the next one has a slot. */
  function checkSequences({ nextSequence }: NonNullable<Disk['walletState']>): void {
    for (let sequence = checkedSequence ?? nextSequence; sequence < nextSequence; sequence++) {
      if (!disk.slots.has(sequence)) fail(`sequence ${sequence} was skipped`)
    }
    checkedSequence = nextSequence
  }

  /** Each submission signed for an open slot is bound to that slot; a resolved slot has no signedTxs. */
  function checkSlots(): void {
    for (const [sequence, { signedTxs, transactionHash }] of disk.slots) {
      if (transactionHash !== undefined && signedTxs.length > 0)
        fail(`slot ${sequence} is resolved and has signed transactions`)
      for (const submissionId of signedTxs.flatMap(({ submissionIds }) => submissionIds)) {
        if (hasLeft(submissionId)) continue
        const stored = disk.submissions.get(submissionId)
        if (stored?.submission.status !== 'broadcast' || stored.sequence !== sequence) {
          const state = `${stored?.submission.status} in slot ${stored?.sequence}`
          fail(`${submissionId} is signed for the open slot ${sequence}, but ${state}`)
        }
      }
    }
  }

  /** Each submission bound to a slot is signed for it. */
  function checkBound(): void {
    for (const [submissionId, { submission, sequence }] of disk.submissions) {
      if (submission.status !== 'broadcast') continue
      const signedTxs = disk.slots.get(sequence ?? -1)?.signedTxs ?? []
      if (!signedTxs.some(({ submissionIds }) => submissionIds.includes(submissionId))) {
        fail(`${submissionId} is in slot ${sequence}, but not signed for it`)
      }
    }
  }

  return {
    check(): void {
      if (!disk.walletState) return
      checkCursor(disk.walletState)
      checkSequences(disk.walletState)
      checkSlots()
      checkBound()
    },
    /** Forgets earlier positions, because the store was set back. */
    forget(): void {
      cursor = undefined
      checkedSequence = undefined
    }
  }
}
