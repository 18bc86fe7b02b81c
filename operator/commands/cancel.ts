import { StoreCorruptError } from '../../services/submission/store/errors.ts'
import type { OperatorQueries } from '../../services/submission/store/operator-store.ts'
import { readArguments } from '../arguments.ts'
import type { Command } from '../command.ts'
import { OperatorError } from '../errors.ts'

/** The refusal of a cancelled submission. No chain has this codespace. */
const CANCELLED = {
  code: 1,
  codespace: 'operator',
  message: 'cancelled by the operator before it was executed'
}

/** The store rejects no other either; this says why. A damaged one is left to it. */
async function assertQueued(queries: OperatorQueries, id: string): Promise<void> {
  const found = await queries.find(id).catch(error => {
    if (!(error instanceof StoreCorruptError)) throw error
    return error
  })
  if (found instanceof StoreCorruptError) return
  if (found === undefined) throw new OperatorError(`there is no submission ${id}`)
  const { status } = found.submission
  if (status === 'broadcast') {
    throw new OperatorError(
      `${id} is in a signed transaction that the chain may execute, so it cannot be cancelled`
    )
  }
  if (status !== 'queued') throw new OperatorError(`${id} is ${status} already`)
}

export const cancel: Command = {
  arguments: 'ID',
  summary: 'rejects a queued submission, which frees its identities',
  details: `Only a submission that is queued can be cancelled: no signed transaction that contains it can still be executed.
All servers must be stopped. In a store that was restored from a backup, move-to-chain comes first.`,
  async run(argv, context) {
    const [id = ''] = readArguments(argv, {}, ['ID']).positionals
    const { store, queries } = await context.own()
    await assertQueued(queries, id)
    await store.reject(id, CANCELLED)
    context.print(`${id} is cancelled. It is rejected with code 1 of codespace operator.`)
    return 0
  }
}
