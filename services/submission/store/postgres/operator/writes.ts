import { identityKey } from '../../../identities.ts'
import { contentHash } from '../../content-hash.ts'
import { type OperatorWrites, type Place, type SlotEnd, settlement } from '../../operator-store.ts'
import type { Execution } from '../../types.ts'
import type { Database } from '../database.ts'
import { engineSql } from '../engine-statements.ts'
import type { EngineWrites, SettledWriter } from '../engine-writes.ts'
import { storedKey } from '../stored-key.ts'
import { createTermWrites } from '../term-writes.ts'
import { operatorSql as sql } from './statements.ts'

/** What an operator changes, in a term of the tool's own. */
export function createOperatorWrites(options: {
  database: Database
  wallet: number
  epoch: number
  now: () => number
  outbox?: SettledWriter | undefined
}): OperatorWrites {
  const { now } = options
  const write = createTermWrites(options)

  /** @param sequence the slot that executed it; null when the store does not have that slot */
  function settle(
    { expect, writeEvents }: EngineWrites,
    execution: Execution,
    place: Place,
    sequence: number | null
  ) {
    const parameters = { ...settlement(execution, place), sequence, now: now() }
    expect(1, sql.settle, parameters, `${execution.submissionId} is settled already`)
    writeEvents([execution.submissionId])
  }

  function end(writes: EngineWrites, { sequence, consumedBy, executions }: SlotEnd): void {
    for (const execution of executions) if (consumedBy) settle(writes, execution, consumedBy, sequence)
    writes.run(sql.requeueSlot, { sequence, now: now() })
    writes.run(engineSql.deleteVariants, { sequence })
    if (consumedBy === undefined) writes.run(sql.deleteSlot, { sequence })
    else writes.run(sql.closeSlot, { sequence, ...consumedBy })
  }

  return {
    settle: (execution, place) => write(writes => settle(writes, execution, place, null)),
    record: ({ identities, typeUrl, message, execution }, place) =>
      write(writes => {
        const { submissionId } = execution
        const content = { typeUrl, message: Buffer.from(message), contentHash: contentHash(typeUrl, message) }
        writes.run(sql.insertSubmission, { submissionId, ...content, now: now() })
        const keys = identities.map(identity => storedKey(identityKey(identity)))
        writes.run(sql.takeIdentities, { submissionId, keys: [...new Set(keys)] })
        settle(writes, execution, place, null)
      }),
    correct: (execution, place) =>
      write(({ run, expect, writeEvents }) => {
        const { submissionId, status } = execution
        const result = settlement(execution, place)
        if (options.outbox) run(sql.forgetWrongEvents, { submissionId, status, txId: result.txId })
        expect(1, sql.correct, { ...result, now: now() }, `${submissionId} has changed`)
        writeEvents([submissionId])
      }),
    move: (ends, { accountNumber, probePassed, ...rest }) =>
      write(writes => {
        for (const slotEnd of ends) end(writes, slotEnd)
        const account = { accountNumber: String(accountNumber), probePassed: Number(probePassed) }
        writes.run(sql.moveSigner, { ...rest, ...account })
      })
  }
}
