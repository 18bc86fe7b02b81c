import type { EventSelection } from '../../../services/submission/store/outbox.ts'
import { readArguments } from '../arguments.ts'
import type { Command } from '../command.ts'
import { OperatorError, UsageError } from '../errors.ts'

export const redeliver: Command = {
  arguments: '--submission ID | --given-up',
  summary: 'has events delivered to the receiver of webhooks again',
  details: `  --submission ID  all events of this submission, in their order
  --given-up       all events that were given up
Delivered events are sent again too, each with the webhook-id that it had. Servers that share a database may run; with the
embedded store the server must be stopped, and sends the events when it runs again.`,
  async run(argv, context) {
    const selection = read(argv)
    const count = await (await context.events()).redeliver(selection)
    if (count === 0) throw new OperatorError('there is no such event')
    context.print(`${count} ${count === 1 ? 'event is' : 'events are'} due now.`)
    return 0
  }
}

/** @throws UsageError */
function read(argv: string[]): EventSelection {
  const { submission, 'given-up': isGivenUp } = readArguments(argv, {
    submission: { type: 'string' },
    'given-up': { type: 'boolean' }
  }).values
  if (submission !== undefined && !isGivenUp) return { submissionId: submission }
  if (submission === undefined && isGivenUp) return { state: 'given-up' }
  throw new UsageError('expected one of --submission and --given-up')
}
