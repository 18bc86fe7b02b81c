import { readArguments } from '../arguments.ts'
import type { Command } from '../command.ts'
import { OperatorError } from '../errors.ts'

/** The refusal of a cancelled submission. No chain has this codespace. */
const CANCELLED = {
  code: 1,
  codespace: 'operator',
  message: 'cancelled by the operator before it was executed'
}

export const cancel: Command = {
  arguments: 'ID',
  summary: 'rejects a queued submission, which frees its identities',
  details: `Only a submission that is queued can be cancelled: no signed transaction that contains it can still be executed.
All servers must be stopped. In a store that was restored from a backup, move-to-chain comes first.`,
  async run(argv, context) {
    const [id = ''] = readArguments(argv, {}, ['ID']).positionals
    const { store, queries } = await context.own()
    const found = (await queries.find(id))?.submission
    if (found === undefined) throw new OperatorError(`there is no submission ${id}`)
    if (found.status === 'broadcast') {
      throw new OperatorError(
        `${id} is in a signed transaction that the chain may execute, so it cannot be cancelled`
      )
    }
    if (found.status !== 'queued') throw new OperatorError(`${id} is ${found.status} already`)
    await store.reject(id, CANCELLED)
    context.print(`${id} is cancelled. It is rejected with code 1 of codespace operator.`)
    return 0
  }
}
