import { parseArgs } from 'node:util'
import { UsageError } from '../../../../packages/devnet/cli-options.ts'

export const USAGE = `Usage: npm run replicas -- [--servers N] [NAME=VALUE ...]

Starts what compose.yaml describes as processes of this machine: a database, a development network, the servers and nginx
as the load balancer.

  --servers N   how many servers, 1 to 9 (default 2)
  NAME=VALUE    a variable for the servers, such as LOG_LEVEL=debug
  --help        this text`

export type Options = ReturnType<typeof readOptions>

/** Reads the command line. @throws UsageError */
export function readOptions(argv: string[]) {
  const { values, positionals } = parse(argv)
  if (!/^[1-9]$/.test(values.servers)) throw new UsageError(`--servers ${values.servers}: expected 1 to 9`)
  return {
    help: values.help,
    servers: Number(values.servers),
    variables: Object.fromEntries(positionals.map(readVariable))
  }
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: { servers: { type: 'string', default: '2' }, help: { type: 'boolean', default: false } }
    })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function readVariable(text: string): [name: string, value: string] {
  const [, name, value] = /^([A-Z_]+)=(.*)$/.exec(text) ?? []
  if (name === undefined || value === undefined) throw new UsageError(`${text}: expected NAME=VALUE`)
  return [name, value]
}
