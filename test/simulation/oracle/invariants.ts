import type { WalletState } from '../../../services/submission/contract.ts'
import { hasLeft } from '../../../services/submission/slots.ts'
import type { Network } from '../chain/network.ts'
import type { Disk } from '../store/disk.ts'

export function createInvariants(disk: Disk, { chain }: Network, fail: (reason: string) => void) {
  let cursor: number | undefined
  let checkedSequence: number | undefined
  /** The number of signed transactions of each resolved slot. */
  const resolved = new Map<number, number>()

  function checkCursor({ cursorHeight, cursorHash }: WalletState): void {
    if (cursor !== undefined && cursorHeight < cursor)
      fail(`the cursor moved back from ${cursor} to ${cursorHeight}`)
    cursor = cursorHeight
    const hash = chain.block(cursorHeight)?.read.hash
    if (hash !== cursorHash)
      fail(`the cursor hash is ${cursorHash}, but block ${cursorHeight} has hash ${hash}`)
  }

  function checkSequences({ nextSequence }: WalletState): void {
    for (let sequence = checkedSequence ?? nextSequence; sequence < nextSequence; sequence++) {
      if (!disk.slots.has(sequence)) fail(`sequence ${sequence} was skipped`)
    }
    checkedSequence = nextSequence
  }

  function checkSlots({ cursorHeight }: WalletState): void {
    for (const [sequence, { signedTxs, transactionHash, height }] of disk.slots) {
      if (transactionHash !== undefined) {
        // A resolved slot keeps its transactions until the next block, and gets no others.
        const count = resolved.get(sequence) ?? signedTxs.length
        resolved.set(sequence, signedTxs.length)
        if (signedTxs.length > (height === cursorHeight ? count : 0))
          fail(`slot ${sequence} is resolved but has signed transactions`)
        continue
      }
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

  function checkBound(): void {
    for (const [submissionId, { submission, sequence }] of disk.submissions) {
      const signedTxs = disk.slots.get(sequence ?? -1)?.signedTxs ?? []
      const isSigned = signedTxs.some(({ submissionIds }) => submissionIds.includes(submissionId))
      if (submission.status === 'broadcast' && !isSigned)
        fail(`${submissionId} is in slot ${sequence}, but not signed for it`)
    }
  }

  return {
    check(): void {
      if (!disk.walletState) return
      checkCursor(disk.walletState)
      checkSequences(disk.walletState)
      checkSlots(disk.walletState)
      checkBound()
    },
    forget(): void {
      cursor = undefined
      checkedSequence = undefined
      resolved.clear()
    }
  }
}
