import { verifyAudit } from '../../../services/audit/index.ts'
import { readArguments } from '../arguments.ts'
import type { Command } from '../command.ts'
import { OperatorError } from '../errors.ts'

export const audit: Command = {
  arguments: '',
  summary: 'checks that nobody has changed the audit log, SERVICE_AUDIT_FILE',
  details: `Prints the number of its lines and the hash of the last one. Lines that were taken away at the end are not noticed: keep that hash
elsewhere, and look for it in the file the next time.`,
  async run(argv, context) {
    readArguments(argv, {})
    const path = context.config.SERVICE_AUDIT_FILE
    if (path === undefined) throw new OperatorError('SERVICE_AUDIT_FILE is not set')
    const found = verifyAudit(path)
    if ('wrongLine' in found)
      throw new OperatorError(
        `line ${found.wrongLine} of the audit log does not follow from the line before it`
      )
    context.print(`${found.lines} lines, the last with the hash ${found.hash}`)
    return 0
  }
}
