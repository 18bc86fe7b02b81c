import { isIP } from 'node:net'
import { parseArgs } from 'node:util'
import { anvilPath, NO_ANVIL } from './evm/anvil.ts'
import { EVM_CHAINS } from './evm/names.ts'
import { type DevnetOptions, defaultOptions } from './options.ts'

const DEFAULT_PORT = 26657
const LAST_FIRST_PORT = 65_528

export const USAGE = `Usage: npm run devnet -- [options]

  --env-out FILE      write the environment variables for a server on this network to FILE (mode 0600)
  --port N            first of seven ports: RPC N, REST N+1, GraphQL N+2, fees N+3, compliance N+4, KYC N+5, Bitcoin N+6
                      (default ${DEFAULT_PORT}; 0 picks free ports)
  --host ADDRESS      address to listen on (default ${defaultOptions.host}; 0.0.0.0 in a container)
  --evm               make the outside chains ETH, OPT and POL real EVM nodes, on free ports
  --block-time T      time between blocks: 1s, 500ms or milliseconds (default 1s)
  --sdk VERSION       Cosmos SDK release to emulate: 0.47 (default) or 0.50
  --brand NAME        the maker's brand in prefixes, paths and packages (default ${defaultOptions.brand})
  --help              print this help`

/** An invalid command line, described in a single line. */
export class UsageError extends Error {
  override name = 'UsageError'
}

export function readCliOptions(argv: string[]): {
  help: boolean
  envOut: string | undefined
  devnet: Partial<DevnetOptions>
} {
  const values = parse(argv)
  const { host = defaultOptions.host, port = String(DEFAULT_PORT), brand = defaultOptions.brand } = values
  const { sdk = '0.47' } = values
  check('port', port, /^\d{1,5}$/.test(port) && Number(port) <= LAST_FIRST_PORT, `0 to ${LAST_FIRST_PORT}`)
  check('host', host, isIP(host) !== 0, 'an address such as 0.0.0.0')
  const isBrand = /^[a-z][a-z0-9]{1,15}$/.test(brand)
  check('brand', brand, isBrand, '2 to 16 lower-case letters and digits, starting with a letter')
  if (values.evm && anvilPath() === undefined) throw new UsageError(`--evm: ${NO_ANVIL}`)
  if (sdk !== '0.47' && sdk !== '0.50') return fail('sdk', sdk, '0.47 or 0.50')
  return {
    help: values.help ?? false,
    envOut: values['env-out'],
    devnet: {
      host,
      port: Number(port),
      blockTimeMs: readBlockTime(values['block-time']),
      sdk,
      brand,
      ...(values.evm && { evm: EVM_CHAINS })
    }
  }
}

function parse(args: string[]) {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean' } as const
  const network = { host: text, port: text, sdk: text, brand: text, 'block-time': text }
  try {
    return parseArgs({ args, options: { help: flag, evm: flag, 'env-out': text, ...network } }).values
  } catch (error) {
    throw new UsageError(error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error))
  }
}

function fail(option: string, text: string, expected: string): never {
  throw new UsageError(`--${option} ${text}: expected ${expected}`)
}

function check(option: string, text: string, isValid: boolean, expected: string): void {
  if (!isValid) fail(option, text, expected)
}

/** @returns milliseconds @throws UsageError */
function readBlockTime(text = '1s'): number {
  const [, digits, unit] = /^(\d+(?:\.\d+)?)(ms|s)?$/.exec(text) ?? []
  const milliseconds = Number(digits) * (unit === 's' ? 1000 : 1)
  if (milliseconds >= 1 && milliseconds <= 3_600_000) return milliseconds
  return fail('block-time', text, 'a time from 1ms to 3600s, such as 1s, 500ms or 500')
}
