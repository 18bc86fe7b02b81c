import type { OperatorQueries } from '../../services/submission/store/sqlite/operator-queries.ts'
import type { SlotEnd } from '../../services/submission/store/sqlite/operator-writes.ts'
import type { SignerState, Variant } from '../../services/submission/store/types.ts'
import { wholeNumber } from '../arguments.ts'
import { OperatorError, UsageError } from '../errors.ts'

/** What the operator says about slots whose blocks cannot be read. */
export type Decisions = ReadonlyMap<number, { hash: string; height: number } | 'not-executed'>

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
      'When the data directory is an older copy, its submissions may have been executed: name a node that has the blocks',
      'with --node. When another program has used the wallet since, say --foreign-program. Nothing was moved.'
    ].join('\n')
  )
}

/** Reads `--executed SLOT:HASH:HEIGHT` and `--not-executed SLOT`. @throws UsageError */
export function readDecisions(
  executed: readonly string[] = [],
  notExecuted: readonly string[] = []
): Decisions {
  const decisions = new Map<number, { hash: string; height: number } | 'not-executed'>()
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

/** A slot whose submissions are queued again. */
export const released = (sequence: number): SlotEnd => ({ sequence, consumedBy: undefined, executions: [] })

/** The block cannot be read, so neither ids nor events nor the gas used are known. */
function executedBy({ sequence, hash, gasLimit, submissionIds }: Variant, height: number): SlotEnd {
  const gas = { gasUsed: gasLimit, gasWanted: gasLimit }
  return {
    sequence,
    consumedBy: { transactionHash: hash, height, origin: 'own' },
    executions: submissionIds.map(submissionId => ({
      submissionId,
      status: 'committed',
      txId: undefined,
      ...gas,
      events: []
    }))
  }
}

/**
 * The ends of slots whose sequences were consumed in blocks that cannot be read.
 * @throws OperatorError that lists the slots without a decision
 */
export function decide(
  queries: OperatorQueries,
  sequences: readonly number[],
  decisions: Decisions
): SlotEnd[] {
  for (const sequence of decisions.keys()) {
    if (!sequences.includes(sequence)) throw new OperatorError(`slot ${sequence} needs no decision`)
  }
  const undecided = sequences.filter(sequence => !decisions.has(sequence))
  if (undecided.length > 0) throw new OperatorError(explain(queries, undecided))
  return sequences.map(sequence => {
    const decision = decisions.get(sequence)
    if (decision === undefined || decision === 'not-executed') return released(sequence)
    const variant = queries.variants(sequence).find(({ hash }) => hash === decision.hash)
    if (variant === undefined) {
      throw new OperatorError(`slot ${sequence} has no transaction ${decision.hash}`)
    }
    return executedBy(variant, decision.height)
  })
}

function explain(queries: OperatorQueries, undecided: readonly number[]): string {
  const slots = undecided.flatMap(sequence => [
    `slot ${sequence}:`,
    ...queries
      .variants(sequence)
      .map(
        ({ hash, submissionIds }) => `  transaction ${hash}: ${submissionIds.join(' ') || 'no submission'}`
      )
  ])
  return [
    'the chain has consumed these slots in blocks that cannot be read, so it is not known what it executed:',
    ...slots,
    'Name a node that has the blocks with --node. Otherwise look each transaction up, and say for each slot',
    '--executed SLOT:HASH:HEIGHT when one of its transactions succeeded, or --not-executed SLOT when none did.',
    'A wrong --not-executed executes submissions twice. Nothing was moved.'
  ].join('\n')
}
