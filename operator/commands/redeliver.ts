import type { EventSelection } from '../../services/submission/store/operator-store.ts'
import { keyOf } from '../../services/submission/store/payload.ts'
import { readArguments } from '../arguments.ts'
import type { Command } from '../command.ts'
import { OperatorError, UsageError } from '../errors.ts'

const EVERY_STATE = ['pending', 'delivered', 'given-up'] as const

export const redeliver: Command = {
  arguments: '--event ID | --submission ID | --given-up',
  summary: 'has events delivered to the receiver of webhooks again',
  details: `  --event ID       this event, as the command events lists it
  --submission ID  all events of this submission, in their order
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
  const { values } = readArguments(argv, {
    event: { type: 'string' },
    submission: { type: 'string' },
    'given-up': { type: 'boolean' }
  })
  const { event, submission, 'given-up': isGivenUp } = values
  const selections: EventSelection[] = []
  if (event !== undefined) selections.push({ states: EVERY_STATE, ...eventKey(event) })
  if (submission !== undefined) selections.push({ states: EVERY_STATE, submissionId: submission })
  if (isGivenUp) selections.push({ states: ['given-up'] })
  const [selection, other] = selections
  if (selection !== undefined && other === undefined) return selection
  throw new UsageError('expected one of --event, --submission and --given-up')
}

function eventKey(eventId: string) {
  const key = keyOf(eventId)
  if (key !== undefined) return key
  throw new UsageError(`--event ${eventId}: expected the id of an event, such as msg_…_committed`)
}
