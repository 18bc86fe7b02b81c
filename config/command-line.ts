import { parseArgs } from 'node:util'
import { version } from '../services/version.ts'

const USAGE = `Usage: transaction-back-end [--help | --version]

Starts the server. Its configuration is the environment and the file .env in the working directory; the package's
.env.sample describes every variable.
  --help      this text
  --version   the version`

/**
 * Handles the arguments of the server's command (interface 20.14). Without arguments it does nothing; with any, the process
 * ends here, before a configuration is read: with code 0 after --help and --version, 2 after anything else.
 * @param args without the program's name
 */
export function handleArguments(args: string[]): void {
  if (args.length === 0) return
  const text = requestedText(args)
  if (text === undefined) process.stderr.write('unknown arguments (--help lists the options)\n')
  else process.stdout.write(`${text}\n`)
  process.exit(text === undefined ? 2 : 0)
}

/** @returns undefined for unknown arguments, which are not quoted because one may be a secret */
function requestedText(args: string[]): string | undefined {
  try {
    const { values } = parseArgs({
      args,
      options: { help: { type: 'boolean' }, version: { type: 'boolean' } }
    })
    if (values.help) return USAGE
    return values.version ? version : undefined
  } catch {
    return undefined
  }
}
