import { userInfo } from 'node:os'
import { loadConfig } from '../../config/index.ts'
import type { Environment } from '../../config/read.ts'
import { ConfigError } from '../../services/config-error.ts'
import { terminalLines } from '../../services/errors/shown.ts'
import {
  StoreUnavailableError,
  StoreUncertainError,
  TermEndedError
} from '../../services/submission/errors.ts'
import { DataDirectoryError } from '../../services/submission/store/sqlite/database.ts'
import { version } from '../../services/version.ts'
import type { Command } from './command.ts'
import { backup } from './commands/backup.ts'
import { bumpFee } from './commands/bump-fee.ts'
import { cancel } from './commands/cancel.ts'
import { doctor } from './commands/doctor.ts'
import { exportUnsettled } from './commands/export.ts'
import { find } from './commands/find.ts'
import { keys } from './commands/keys.ts'
import { list } from './commands/list.ts'
import { listen } from './commands/listen.ts'
import { redeliver } from './commands/redeliver.ts'
import { sendTestEvent } from './commands/send-test-event.ts'
import { setAside } from './commands/set-aside.ts'
import { show } from './commands/show.ts'
import { trigger } from './commands/trigger.ts'
import { verify } from './commands/verify.ts'
import { createContext } from './context.ts'
import { OperatorError, UsageError } from './errors.ts'

const commands = new Map<string, Command>([
  ['doctor', doctor],
  ['find', find],
  ['list', list],
  ['show', show],
  ['export', exportUnsettled],
  ['verify', verify],
  ['cancel', cancel],
  ['backup', backup],
  ['redeliver', redeliver],
  ['send-test-event', sendTestEvent],
  ['trigger', trigger],
  ['listen', listen],
  ['bump-fee', bumpFee],
  ['set-aside', setAside],
  ['keys', keys]
])

const NAME = 'transaction-back-end-submissions'

function usage(): string {
  const lines = [...commands].map(([name, { summary }]) => `  ${name.padEnd(15)} ${summary}`)
  return [
    `Usage: ${NAME} COMMAND [options]`,
    `       ${NAME} --help | --version`,
    '',
    ...lines,
    '',
    `${NAME} COMMAND --help describes a command; with --json, each prints JSON. The tool reads the server's configuration:`,
    'environment and .env.'
  ].join('\n')
}

const usageOf = (name: string, command: Command) =>
  `Usage: ${`${NAME} ${name} ${command.arguments}`.trim()}\n\n${command.summary}\n${command.details}`

export interface Output {
  out(text: string): void
  err(text: string): void
  /** Columns of the terminal; undefined without one. */
  width?: number | undefined
  log(fields: Record<string, string | boolean>): void
}

/**
 * Runs the operator tool.
 * @param argv the arguments, without the program name
 * @param options.env usually `process.env`; the tool removes the secrets from it
 * @returns the exit code: 0 for success, 1 for a failure, 2 for an invalid command line
 */
export async function run(
  argv: readonly string[],
  output: Output,
  options: { env: Environment; envFile?: string }
): Promise<number> {
  const { env, ...file } = options
  const [name, ...rest] = argv
  const command = commands.get(name ?? '')
  if (name === '--version') {
    output.out(`${version}\n`)
    return 0
  }
  if (command === undefined) {
    const asked = name === undefined || name === '--help'
    if (asked) output.out(`${usage()}\n`)
    else output.err(terminalLines(`unknown command ${name} (--help lists the commands)`))
    return name === '--help' ? 0 : 2
  }
  if (rest.includes('--help')) {
    output.out(`${usageOf(name ?? '', command)}\n`)
    return 0
  }
  const code = await runCommand(name ?? '', command, rest)
  if (command.changes?.(rest)) {
    // Log the command without its arguments, which might be secrets (interface 25.4).
    const outcome = code === 0 ? 'done' : 'failed'
    output.log({ audit: true, actor: `operator ${account()}`, action: name ?? '', outcome })
  }
  return code

  async function runCommand(name: string, command: Command, argv: string[]): Promise<number> {
    try {
      const others = argv.filter(argument => argument !== '--json')
      const context = createContext(loadConfig(env, file), output, others.length < argv.length)
      try {
        const code = await command.run(others, context)
        return context.problems.size > 0 ? 1 : code
      } finally {
        await context.close()
      }
    } catch (error) {
      output.err(terminalLines(...explain(error, name)))
      return error instanceof UsageError ? 2 : 1
    }
  }
}

/** Returns the name of the operating system user, or the user id if it has no name, as in some containers. */
function account(): string {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.())
  }
}

/** Formats an error for the operator, in lines. Includes the stack of unexpected errors. */
function explain(error: unknown, name: string): readonly string[] {
  if (error instanceof UsageError) return [`${error.message} (${NAME} ${name} --help describes the command)`]
  if (error instanceof ConfigError) return error.problems
  if (error instanceof OperatorError || error instanceof DataDirectoryError) return [error.message]
  if (error instanceof StoreUnavailableError) return [error.message]
  // Every command can safely be rerun, even after partial changes.
  if (error instanceof StoreUncertainError || error instanceof TermEndedError) {
    return [`${error.message}: run the command again`]
  }
  if (!(error instanceof Error)) return [String(error)]
  const expected = [
    'NodeUnavailableError',
    'HistoryPrunedError',
    'StoreCorruptError',
    'StoreConflictError',
    'SqliteError'
  ]
  return expected.includes(error.name) ? [error.message] : (error.stack ?? error.message).split('\n')
}
