import { readArguments } from '../arguments.ts'
import type { Command } from '../command.ts'

export const cancel: Command = {
  arguments: 'ID',
  summary: 'rejects a queued submission, so that it is never executed',
  details: `  ID  its submissionId
Only a submission that is in no transaction can be cancelled. Servers may run: if one signs the submission first, the
command fails. The submission releases its feeId or payment, and its webhook is sent.`,
  changes: () => true,
  async run(argv, context) {
    const { argument: submissionId } = readArguments(argv, {}, 'ID')
    await context.cancel(submissionId)
    context.report({ submissionId, status: 'rejected' }, `Cancelled ${submissionId}.`)
    return 0
  }
}
