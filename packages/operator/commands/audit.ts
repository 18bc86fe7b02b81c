import { verifyAudit } from '../../../services/audit/index.ts'
import { unreadable } from '../../../services/config-error.ts'
import { readArguments } from '../arguments.ts'
import type { Command } from '../command.ts'
import { OperatorError } from '../errors.ts'

/** @throws OperatorError */
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
  details: `Prints the number of lines and the hash of the last one. Someone with write access can rewrite the file from any line on,
which this command cannot detect: keep the hash elsewhere, and look for it in the file next time.`,
  async run(argv, context) {
    readArguments(argv, {})
    const path = context.config.SERVICE_AUDIT_FILE
    if (path === undefined) throw new OperatorError('SERVICE_AUDIT_FILE is not set')
    const found = await verify(path)
    if ('wrongLine' in found)
      throw new OperatorError(
        `line ${found.wrongLine} of the audit log does not follow from the line before it`
      )
    context.print(`${found.lines} lines, the last with the hash ${found.hash}`)
    return 0
  }
}
