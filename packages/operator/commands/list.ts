import type { StoredSubmission } from '../../../services/submission/store/operator.ts'
import { duration, oneOf, readArguments, wholeNumber } from '../arguments.ts'
import type { Command } from '../command.ts'
import { table } from '../table.ts'

/** The states that can be listed. `damaged` stands for the submissions that `set-aside` has set aside. */
const STATES = ['queued', 'broadcast', 'committed', 'rejected', 'damaged'] as const

export const list: Command = {
  arguments: '[--state STATE]… [--older-than DURATION] [--newest] [--limit N] [--json]',
  summary: 'lists submissions, oldest first',
  details: `  --state STATE          queued, broadcast, committed, rejected or damaged; may be repeated (default: all)
  --older-than DURATION  only submissions unchanged for this long, such as 30s, 10m, 2h or 7d
  --newest               the newest first
  --limit N              the maximum number of submissions (default: 100)
  --json                 prints one JSON object per line
Reports damaged rows and then exits with code 1.`,
  async run(argv, context) {
    const { values } = readArguments(argv, {
      state: { type: 'string', multiple: true },
      'older-than': { type: 'string' },
      newest: { type: 'boolean' },
      limit: { type: 'string' }
    })
    const { 'older-than': age, newest: newestFirst = false } = values
    const limit = wholeNumber('--limit', values.limit ?? '100', 1)
    const states = values.state?.map(state => oneOf('--state', state, STATES)) ?? STATES
    const selection = {
      states,
      limit: limit + 1,
      newestFirst,
      ...(age !== undefined && { changedBefore: Date.now() - duration('--older-than', age) })
    }
    const found = await (await context.read()).list(selection, context.onDamage)
    const problems = [...context.problems]
    const rows = found.slice(0, limit).map(summaryOf)
    if (context.json) {
      context.print(...[...rows, ...problems.map(problem => ({ problem }))].map(row => JSON.stringify(row)))
    } else {
      if (rows.length > 0) context.print(...table(rows, context.width))
      else if (problems.length === 0) context.print('No submissions match.')
      if (found.length > limit)
        context.print(`Only the ${newestFirst ? 'newest' : 'oldest'} ${limit}: see --limit and --newest.`)
      context.print(...problems)
    }
    return 0
  }
}

/** Converts a submission to a table row. Missing values are null. */
function summaryOf({ submission, sequence }: StoredSubmission) {
  const { submissionId, status, createdAt, updatedAt } = submission
  return {
    submissionId,
    status,
    slot: sequence ?? null,
    txId: submission.status === 'committed' ? (submission.txId ?? null) : null,
    height: 'height' in submission ? (submission.height ?? null) : null,
    createdAt,
    updatedAt
  }
}
