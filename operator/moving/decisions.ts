import type { SignerState } from '../../services/submission/store/types.ts'
import { wholeNumber } from '../arguments.ts'
import { OperatorError, UsageError } from '../errors.ts'

/** What the operator says about slots whose blocks cannot be read. */
export type Decisions = ReadonlyMap<number, Decision>

export type Decision = { hash: string; height: number } | 'not-executed'

/** How blocks that the configured nodes do not have are replaced. */
export interface Unreadable {
  /** Another node that has them. */
  node: string | undefined
  decisions: Decisions
  /** Another program has used the wallet, so that sequences were consumed which the store has never signed. */
  foreignProgram: boolean
}

/**
 * The store must know of every consumed sequence, or it may be an older copy: then its queued submissions may have been
 * executed, and the blocks that would say so cannot be read.
 * @throws OperatorError
 */
export function assertComplete({ nextSequence }: SignerState, consumed: number): void {
  if (consumed <= nextSequence) return
  throw new OperatorError(
    [
      `the chain has consumed sequences up to ${consumed - 1}, and the store has signed none from ${nextSequence} on.`,
      'When the store is an older copy, its submissions may have been executed: name a node that has the blocks',
      'with --node. When another program has used the wallet since, say --foreign-program. Nothing was moved.'
    ].join('\n')
  )
}

/** Reads `--executed SLOT:HASH:HEIGHT` and `--not-executed SLOT`. @throws UsageError */
export function readDecisions(
  executed: readonly string[] = [],
  notExecuted: readonly string[] = []
): Decisions {
  const decisions = new Map<number, Decision>()
  for (const text of executed) {
    const [, slot = '', hash = '', height = ''] = /^(\d+):([0-9a-fA-F]{64}):(\d+)$/.exec(text) ?? []
    if (hash === '') throw new UsageError(`--executed ${text}: expected SLOT:HASH:HEIGHT`)
    decisions.set(wholeNumber('--executed', slot), {
      hash: hash.toUpperCase(),
      height: wholeNumber('--executed', height, 1)
    })
  }
  for (const text of notExecuted) {
    const slot = wholeNumber('--not-executed', text)
    if (decisions.has(slot)) throw new UsageError(`slot ${slot} is both executed and not executed`)
    decisions.set(slot, 'not-executed')
  }
  return decisions
}
