import { verifyAudit } from '../../../services/audit/index.ts'
import { unreadable } from '../../../services/config-error.ts'
import { readArguments } from '../arguments.ts'
import type { Command } from '../command.ts'
import { OperatorError } from '../errors.ts'

/** Verifies the audit log. @throws OperatorError when the file cannot be read */
async function verify(path: string) {
  try {
    return await verifyAudit(path)
  } catch (error) {
    throw new OperatorError(`SERVICE_AUDIT_FILE points to a file that ${unreadable(error)}`)
  }
}

export const audit: Command = {
  arguments: '',
  summary: 'checks the hash chain of the audit log, SERVICE_AUDIT_FILE',
  details: `Prints the number of lines and the hash of the last line. This command cannot detect that someone with write access has
rewritten the file from some line on. Keep the hash in another place, and check next time that the file still contains it.`,
  async run(argv, context) {
    readArguments(argv, {})
    const path = context.config.SERVICE_AUDIT_FILE
    if (path === undefined) throw new OperatorError('SERVICE_AUDIT_FILE is not set')
    const found = await verify(path)
    if ('wrongLine' in found)
      throw new OperatorError(
        `audit log line ${found.wrongLine} does not match the hash of the previous line: the log was changed or is damaged`
      )
    context.print(`${found.lines} lines, the last one with hash ${found.hash}`)
    return 0
  }
}
