import { createNewsDesk, type NewsDesk } from '../../../services/submission/store/news.ts'
import type {
  LeaderReport,
  SignerState,
  SlotResolution,
  Variant
} from '../../../services/submission/store/types.ts'
import type { Refusal, Submission, SubmissionRequest } from '../../../services/submission/types.ts'

/** A submission as it is stored. */
export interface StoredSubmission {
  request: SubmissionRequest
  submission: Submission
  attempts: number
  loneFailures: number
  batchLimit: number | undefined
  suspicion: Refusal | undefined
  /** The slot that it is bound to, or was bound to when it was settled. */
  sequence: number | undefined
  /** By the first block that was applied since; undefined before. */
  settledAt?: number
}

/** A slot as it is stored: open until it has a resolution. */
export interface StoredSlot {
  variants: Variant[]
  resolution: (Pick<SlotResolution, 'transactionHash' | 'origin'> & { height: number }) | undefined
}

/** The tables of a store, in memory; they outlive the simulated process. */
export interface Disk {
  /** By id, in the order of intake. */
  submissions: Map<string, StoredSubmission>
  /** The submission id of each identity, by `identityKey`. */
  identities: Map<string, string>
  slots: Map<number, StoredSlot>
  /** The fees paid on each UTC day. */
  fees: Map<string, bigint>
  signer: SignerState | undefined
  /** The time of the newest block that was applied. */
  cursorTime?: number
  /** The leader's newest report, and when it was written. */
  report: { newest: LeaderReport; at: number } | undefined
  /** The epoch of the newest term. */
  epoch: number
  /** The lock of the leader, while one has it. */
  lock: symbol | undefined
  /** Every store on this disk announces its changes here. */
  news: NewsDesk
}

/** What a backup of a store has. */
export type Tables = Pick<Disk, 'submissions' | 'identities' | 'slots' | 'fees' | 'signer' | 'report'>

export function copyTables({ submissions, identities, slots, fees, signer, report }: Disk): Tables {
  return structuredClone({ submissions, identities, slots, fees, signer, report })
}

/** The feeId of a stored request, by which the simulator knows a submission. */
export function feeIdOf({ identities }: SubmissionRequest): string {
  return identities.find(({ kind }) => kind === 'fee')?.value ?? ''
}

export function createDisk(): Disk {
  return {
    submissions: new Map(),
    identities: new Map(),
    slots: new Map(),
    fees: new Map(),
    signer: undefined,
    report: undefined,
    epoch: 0,
    lock: undefined,
    news: createNewsDesk()
  }
}
