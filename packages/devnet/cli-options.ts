import { isIP } from 'node:net'
import { parseArgs } from 'node:util'
import { anvilPath, NO_ANVIL } from './evm/anvil.ts'
import { EVM_CHAINS } from './evm/names.ts'
import { defaultOptions } from './options.ts'

const DEFAULT_PORT = 26657
const LAST_FIRST_PORT = 65_528

export const USAGE = `Usage: npm run devnet -- [options]

  --env-out FILE      write the environment variables for a server on this network to FILE (mode 0600)
  --port N            first of seven ports: RPC N, REST N+1, GraphQL N+2, fees N+3, compliance N+4, KYC N+5, Bitcoin N+6
                      (default ${DEFAULT_PORT}; 0 picks free ports)
  --host ADDRESS      address to listen on (default ${defaultOptions.host}; 0.0.0.0 in a container)
  --evm               make the outside chains ETH, OPT and POL real EVM nodes, on free ports
  --block-time MS     milliseconds between blocks (default 1000)
  --help              print this help`

/** An invalid command line, described in a single line. */
export class UsageError extends Error {
  override name = 'UsageError'
}

export function readCliOptions(argv: string[]) {
  const { host = defaultOptions.host, evm = false, help = false, ...texts } = parse(argv)
  const { port = String(DEFAULT_PORT), 'block-time': blockTime = '1000', 'env-out': envOut } = texts
  check('port', port, isNumber(port, 0, LAST_FIRST_PORT), `0 to ${LAST_FIRST_PORT}`)
  check('host', host, isIP(host) !== 0, 'an address such as 0.0.0.0')
  check('block-time', blockTime, isNumber(blockTime, 1, 3_600_000), '1 to 3600000 milliseconds')
  if (evm && anvilPath() === undefined) throw new UsageError(`--evm: ${NO_ANVIL}`)
  const devnet = { host, port: Number(port), blockTimeMs: Number(blockTime), evm: evm ? EVM_CHAINS : [] }
  return { help, envOut, devnet }
}

function parse(args: string[]) {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean' } as const
  const options = { help: flag, evm: flag, 'env-out': text, host: text, port: text, 'block-time': text }
  try {
    return parseArgs({ args, options }).values
  } catch (error) {
    throw new UsageError(error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error))
  }
}

export const isNumber = (text: string, least: number, most: number) =>
  /^\d{1,7}$/.test(text) && Number(text) >= least && Number(text) <= most

function check(option: string, text: string, isValid: boolean, expected: string): void {
  if (!isValid) throw new UsageError(`--${option} ${text}: expected ${expected}`)
}
