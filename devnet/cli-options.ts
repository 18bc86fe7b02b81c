import { isIP } from 'node:net'
import { parseArgs } from 'node:util'
import { readGenesisFile } from './chain/genesis.ts'
import { type DevnetOptions, defaultOptions } from './options.ts'

const DEFAULT_PORT = 26657
const LAST_FIRST_PORT = 65_528

export const USAGE = `Usage: npm run devnet -- [options]

  --env-out FILE      write the variables that point a server at this network to FILE (mode 0600)
  --port N            first of six ports: RPC N, REST N+1, GraphQL N+2, fees N+3, compliance N+4, KYC N+5
                      (default ${DEFAULT_PORT}; 0 picks free ports)
  --host ADDRESS      where they listen (default ${defaultOptions.host}; 0.0.0.0 in a container)
  --genesis FILE      start from a Cosmos SDK genesis instead of the built-in one
  --block-time T      time between blocks: 1s, 500ms or milliseconds (default 1s)
  --min-gas-price P   minimum gas price: a decimal, optionally with its denomination (0.025uSERVICE)
  --max-block-gas N   limit of the gas wanted by the transactions of one block
  --max-block-bytes N size limit of a block, header and commit included
  --sdk VERSION       Cosmos SDK release that the chain behaves like: 0.47 (default), 0.50 or 0.53
  --brand NAME        the maker's brand in prefixes, paths and packages (default ${defaultOptions.brand})
  --control           serve the control API on N+6 and a lagging RPC node on N+7, for tests of clients
  --help              this text`

/** A wrong command line; the message is one line for the user. */
export class UsageError extends Error {
  override name = 'UsageError'
}

export interface CliOptions {
  help: boolean
  envOut: string | undefined
  devnet: Partial<DevnetOptions>
}

/** Reads the command line. @throws UsageError */
export async function readCliOptions(argv: string[]): Promise<CliOptions> {
  const values = parse(argv)
  const genesis = values.genesis === undefined ? undefined : await readGenesis(values.genesis)
  return {
    help: values.help ?? false,
    envOut: values['env-out'],
    devnet: {
      host: readHost(values.host),
      port: readPort(values.port),
      genesis,
      blockTimeMs: readBlockTime(values['block-time']),
      ...readGasPrice(values['min-gas-price']),
      maxBlockGas: readGas(values['max-block-gas']),
      maxBlockBytes: readLimit('--max-block-bytes', values['max-block-bytes']),
      sdk: readSdk(values.sdk),
      brand: readBrand(values.brand),
      control: values.control ?? false
    }
  }
}

function parse(argv: string[]) {
  try {
    return parseArgs({
      args: argv,
      options: {
        help: { type: 'boolean' },
        'env-out': { type: 'string' },
        host: { type: 'string' },
        port: { type: 'string' },
        genesis: { type: 'string' },
        'block-time': { type: 'string' },
        'min-gas-price': { type: 'string' },
        'max-block-gas': { type: 'string' },
        'max-block-bytes': { type: 'string' },
        sdk: { type: 'string' },
        brand: { type: 'string' },
        control: { type: 'boolean' }
      }
    }).values
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    throw new UsageError(text.split('\n', 1).join())
  }
}

async function readGenesis(path: string) {
  return readGenesisFile(path).catch(error => {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  })
}

function readPort(text = String(DEFAULT_PORT)): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (port <= LAST_FIRST_PORT) return port
  throw new UsageError(`--port ${text}: expected 0 to ${LAST_FIRST_PORT}`)
}

function readHost(text = defaultOptions.host): string {
  if (isIP(text) !== 0) return text
  throw new UsageError(`--host ${text}: expected an address such as 0.0.0.0`)
}

/** @returns milliseconds. @throws UsageError */
export function readBlockTime(text = `${defaultOptions.blockTimeMs}ms`): number {
  const [, digits, unit] = /^(\d+(?:\.\d+)?)(ms|s)?$/.exec(text) ?? []
  const milliseconds = Number(digits) * (unit === 's' ? 1000 : 1)
  if (milliseconds >= 1 && milliseconds <= 3_600_000) return milliseconds
  throw new UsageError(`--block-time ${text}: expected a time from 1ms to 3600s, such as 1s, 500ms or 500`)
}

function readGasPrice(text: string | undefined): Pick<DevnetOptions, 'minGasPrice' | 'feeDenom'> {
  if (text === undefined) return { minGasPrice: undefined, feeDenom: undefined }
  const [, price, denom] = /^(\d{1,18}(?:\.\d{1,18})?)([a-zA-Z][a-zA-Z0-9/:._-]{2,127})?$/.exec(text) ?? []
  if (price !== undefined) return { minGasPrice: price, feeDenom: denom }
  throw new UsageError(`--min-gas-price ${text}: expected a decimal such as 0.025 or 0.025uSERVICE`)
}

/** A gas limit of blocks. @throws UsageError */
export function readGas(text: string | undefined): bigint | undefined {
  return readLimit('--max-block-gas', text)
}

function readLimit(option: string, text: string | undefined): bigint | undefined {
  if (text === undefined) return undefined
  if (/^[1-9]\d{0,17}$/.test(text)) return BigInt(text)
  throw new UsageError(`${option} ${text}: expected a whole number above zero`)
}

function readSdk(text: string = defaultOptions.sdk): DevnetOptions['sdk'] {
  if (text === '0.47' || text === '0.50' || text === '0.53') return text
  throw new UsageError(`--sdk ${text}: expected 0.47, 0.50 or 0.53`)
}

function readBrand(text = defaultOptions.brand): string {
  if (/^[a-z][a-z0-9]{1,15}$/.test(text)) return text
  throw new UsageError(`--brand ${text}: expected 2 to 16 lower-case letters and digits, a letter first`)
}
