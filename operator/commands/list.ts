import { everyOne } from '../../services/submission/store/operator-store.ts'
import { duration, oneOf, readArguments, wholeNumber } from '../arguments.ts'
import type { Command } from '../command.ts'
import { summaryOf } from '../format/submission.ts'
import { table } from '../format/table.ts'
import { readableOnes } from '../readable.ts'

const STATES = ['queued', 'broadcast', 'committed', 'rejected'] as const
const DEFAULT_LIMIT = '100'

export const list: Command = {
  arguments: '[--state STATE]… [--older-than DURATION] [--limit N] [--json]',
  summary: 'lists submissions, oldest first',
  details: `  --state STATE          queued, broadcast, committed or rejected; may be repeated (default: all)
  --older-than DURATION  only those that have not changed for so long: 30s, 10m, 2h, 7d
  --limit N              at most so many (default ${DEFAULT_LIMIT})
  --json                 one JSON object per line`,
  async run(argv, context) {
    const { values } = readArguments(argv, {
      state: { type: 'string', multiple: true },
      'older-than': { type: 'string' },
      limit: { type: 'string' },
      json: { type: 'boolean' }
    })
    const { 'older-than': age, limit = DEFAULT_LIMIT } = values
    const states = values.state?.map(state => oneOf('--state', state, STATES)) ?? STATES
    const selection = {
      ...everyOne(...states),
      limit: wholeNumber('--limit', limit, 1),
      ...(age !== undefined && { changedBefore: Date.now() - duration('--older-than', age) })
    }
    const { submissions, problems } = await readableOnes(await context.read(), selection)
    const summaries = submissions.map(summaryOf)
    if (values.json) {
      context.print(
        ...[...summaries, ...problems.map(problem => ({ problem }))].map(row => JSON.stringify(row))
      )
    } else {
      if (summaries.length > 0) context.print(...table(summaries))
      else if (problems.length === 0) context.print('No such submissions.')
      context.print(...problems)
    }
    return problems.length === 0 ? 0 : 1
  }
}
