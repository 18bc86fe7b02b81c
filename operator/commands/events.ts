import type { StoredEvent } from '../../services/submission/store/operator-store.ts'
import { oneOf, readArguments, wholeNumber } from '../arguments.ts'
import type { Command } from '../command.ts'
import { table } from '../format/table.ts'

const STATES = ['pending', 'delivered', 'given-up'] as const
const DEFAULT_LIMIT = '100'

export const events: Command = {
  arguments: '[--state STATE]… [--submission ID] [--limit N] [--json]',
  summary: 'lists the events for the receiver of webhooks, oldest first',
  details: `  --state STATE    pending, delivered or given-up; may be repeated (default: all)
  --submission ID  only those of this submission
  --limit N        at most so many (default ${DEFAULT_LIMIT})
  --json           one JSON object per line
A row that is damaged is named, and the exit code is 1.`,
  async run(argv, context) {
    const { values } = readArguments(argv, {
      state: { type: 'string', multiple: true },
      submission: { type: 'string' },
      limit: { type: 'string' },
      json: { type: 'boolean' }
    })
    const { submission, limit = DEFAULT_LIMIT } = values
    const states = values.state?.map(state => oneOf('--state', state, STATES)) ?? STATES
    const selection = { states, ...(submission !== undefined && { submissionId: submission }) }
    const most = wholeNumber('--limit', limit, 1)
    const { readable, damaged } = await (await context.read()).events(selection, most)
    const rows = readable.map(rowOf)
    const problems = damaged.map(({ damage: { message } }) => message)
    if (values.json) {
      context.print(...[...rows, ...problems.map(problem => ({ problem }))].map(row => JSON.stringify(row)))
    } else {
      if (rows.length > 0) context.print(...table(rows))
      else if (problems.length === 0) context.print('No such events.')
      context.print(...problems)
    }
    return problems.length === 0 ? 0 : 1
  }
}

const timeOf = (milliseconds: number) => new Date(milliseconds).toISOString()

/** An event in one row; null stands for what it does not have. */
function rowOf(event: StoredEvent) {
  const { eventId, submissionId, type, state, attempts, isWatched, problem } = event
  return {
    eventId,
    submissionId,
    type,
    state,
    attempts,
    nextAttempt: state === 'pending' ? timeOf(event.dueAt) : null,
    transfer: isWatched ? 'watched' : null,
    createdAt: timeOf(event.createdAt),
    updatedAt: timeOf(event.updatedAt),
    lastProblem: problem ?? null
  }
}
