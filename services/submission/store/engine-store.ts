import type { Refusal, Submission } from '../types.ts'
import type { DamageObserver } from './rows/read-each.ts'
import type {
  BlockOutcome,
  LeaderReport,
  QueuedMessage,
  SignerState,
  Variant,
  WalletRequest
} from './types.ts'

/** The right to drive the wallet, until another replica has it. */
export interface Term {
  /** Grows with each term of the wallet. Every write carries it. */
  epoch: number
  store: EngineStore
  /** Set where no other process can lead. */
  isAlone?: true
  /**
   * Aborted when the term is known to be over: resigned, or lost with the lock. That may be known late or never, so only a
   * write shows whether the term still is.
   */
  ended: AbortSignal
  /** Ends the term, so that another one can begin at once. */
  resign(): Promise<void>
}

/**
 * The part of the store that only the leader changes. Every method is one database transaction, with the rules of
 * `SubmissionStore`. The keys guarantee one slot per sequence and one slot per submission. A write throws TermEndedError
 * once a newer term has begun or this one was resigned, and may throw StoreUncertainError. A read may then be stale.
 */
export interface EngineStore {
  putSigner(state: SignerState): Promise<void>
  /**
   * Replaces the next sequence, which was wrong.
   * @throws StoreConflictError when `from` is not the next sequence, or a slot is open
   */
  correctSequence(from: number, to: number): Promise<void>
  /** Records that the chain passes the wallet's probe. */
  setProbePassed(): Promise<void>
  /** The oldest queued submissions, oldest first, without damaged ones. */
  queued(limit: number, onDamage?: DamageObserver): Promise<QueuedMessage[]>
  /** The variants of all open slots in sequence order, within a slot oldest first. */
  openVariants(): Promise<Variant[]>
  /**
   * Opens a slot for the variant's sequence and binds its submissions to it.
   * @throws StoreConflictError when the sequence is not the next one or a submission is not queued
   */
  openSlot(variant: Variant): Promise<void>
  /** Adds a variant to an open slot. */
  addVariant(variant: Variant): Promise<void>
  /** Rejects a queued submission, which is in no open slot. @throws StoreConflictError when it is not queued */
  reject(submissionId: string, error: Refusal): Promise<Submission>
  /**
   * Applies consecutive blocks: outcomes, resolved slots, next sequence, adoptions and cursor together.
   * @returns the submissions that they settled; not those that an adoption created
   * @throws StoreConflictError when a block is not the one after the cursor, or when a submission of a resolved slot
   *   has no outcome
   */
  applyBlocks(blocks: readonly BlockOutcome[]): Promise<Submission[]>
  /**
   * Adopts what transactions have executed that the store does not know, by the rules of `planAdoption`. The variants of a
   * submission that is settled while it is in a slot have an empty id in its place from then on.
   * @returns the submissions that were settled
   */
  adopt(requests: readonly WalletRequest[]): Promise<Submission[]>
  /** Replaces the leader's report. */
  putReport(report: LeaderReport): Promise<void>
}

/** The store with something done around each of its writes. */
export function aroundWrites(
  store: EngineStore,
  around: <T>(write: () => Promise<T>) => Promise<T>
): EngineStore {
  return {
    putSigner: state => around(() => store.putSigner(state)),
    correctSequence: (from, to) => around(() => store.correctSequence(from, to)),
    setProbePassed: () => around(store.setProbePassed),
    queued: store.queued,
    openVariants: store.openVariants,
    openSlot: variant => around(() => store.openSlot(variant)),
    addVariant: variant => around(() => store.addVariant(variant)),
    reject: (submissionId, error) => around(() => store.reject(submissionId, error)),
    applyBlocks: blocks => around(() => store.applyBlocks(blocks)),
    adopt: requests => around(() => store.adopt(requests)),
    putReport: report => around(() => store.putReport(report))
  }
}
