import { userInfo } from 'node:os'
import { type AuditEntry, createAuditLog } from '../../services/audit/index.ts'
import { isName, scopes } from '../../services/callers/key-file.ts'
import { keyActions } from './commands/keys.ts'
import { STATES } from './commands/list.ts'
import { OperatorError } from './errors.ts'

/** Words that precede the name of a caller. */
const BEFORE_NAME = ['add', 'rotate', 'end']
const WORDS: readonly string[] = [...keyActions, ...scopes, ...STATES]

/** Matches option names, numbers, durations and submission ids. */
const HARMLESS = /^(--[a-z-]{1,20}|\d{1,30}(\.\d{1,18})?[smhd]?|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

/** Returns the command line with unknown words masked: the operator might have pasted a secret by mistake. */
function actionOf([command = '', ...argv]: readonly string[]): string {
  const words = argv.flatMap(word => (word.startsWith('--') ? word.split(/=(.*)/s, 2) : [word]))
  const shown = words.map((word, index) => {
    const isKnown = HARMLESS.test(word) || word.split(',').every(part => WORDS.includes(part))
    return isKnown || (BEFORE_NAME.includes(words[index - 1] ?? '') && isName(word)) ? word : '…'
  })
  return [command, ...shown].join(' ')
}

/** Returns the name of the operating system user, or the user id if it has no name, as in some containers. */
function account(): string {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.())
  }
}

/**
 * Runs a command and logs its start and end in the audit log (interface 25.4).
 * @param path path of the audit log, if configured
 * @throws OperatorError when the audit log is not writable. The command does not run if its start cannot be logged.
 *   Rethrows the command's errors
 */
export async function audited(
  path: string | undefined,
  argv: readonly string[],
  work: () => Promise<number>
): Promise<number> {
  if (path === undefined) return work()
  const log = createAuditLog(path)
  const line = { actor: `operator ${account()}`, action: actionOf(argv) }
  const record = (outcome: AuditEntry['outcome'], consequence: string) =>
    log.append({ ...line, outcome }).catch(error => {
      throw new OperatorError(
        `SERVICE_AUDIT_FILE is not writable (${error.code || error.message}): ${consequence}`
      )
    })
  const recordEnd = (outcome: string) => record(outcome, 'the command ran, but its outcome was not logged')

  await record('begun', 'nothing was done')
  const code = await work().catch(async error => {
    // Log only the name: the message might contain a pasted secret.
    await recordEnd(error.name)
    throw error
  })
  await recordEnd(code === 0 ? 'done' : `exit code ${code}`)
  return code
}
