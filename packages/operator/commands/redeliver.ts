import type { EventSelection } from '../../../services/submission/store/outbox.ts'
import { readArguments } from '../arguments.ts'
import type { Command } from '../command.ts'
import { OperatorError, UsageError } from '../errors.ts'

export const redeliver: Command = {
  arguments: '--submission ID | --abandoned',
  summary: 'redelivers webhooks',
  details: `  --submission ID  all events of this submission, in order
  --abandoned      all events that were abandoned after their last attempt
Resends delivered events too, each with its original webhook-id. Servers may keep running.`,
  changes: () => true,
  async run(argv, context) {
    const selection = read(argv)
    const count = await context.redeliver(selection)
    if (count === 0) throw new OperatorError('no event matches')
    context.report({ events: count }, `${count} ${count === 1 ? 'event is' : 'events are'} due now.`)
    return 0
  }
}

/** Parses the command line. @throws UsageError */
function read(argv: string[]): EventSelection {
  const { submission, abandoned } = readArguments(argv, {
    submission: { type: 'string' },
    abandoned: { type: 'boolean' }
  }).values
  if (submission !== undefined && !abandoned) return { submissionId: submission }
  if (submission === undefined && abandoned) return { state: 'abandoned' }
  throw new UsageError('expected either --submission or --abandoned')
}
