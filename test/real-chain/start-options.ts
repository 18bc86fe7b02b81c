import { parseArgs } from 'node:util'
import { readBlockTime, readGas, UsageError } from '../../packages/devnet/cli-options.ts'
import type { Sdk } from './binary.ts'
import type { RealChainOptions } from './harness/index.ts'
import type { GenesisAccount } from './harness/settings.ts'

const [RPC_PORT, REST_PORT] = [26_657, 1317]

export const USAGE = `Usage: npm run real-chain -- [options]

  --sdk VERSION           0.47 (with CometBFT 0.37) or 0.53 (with CometBFT 0.38, the default)
  --data FOLDER           the chain's data; a chain that is there already is continued. Default: a new folder, which is
                          deleted at the end
  --rpc-port N            port of the RPC (default ${RPC_PORT})
  --rest-port N           port of the REST API (default ${REST_PORT})
  --block-time T          time between blocks: 1s, 500ms or milliseconds (default 1s)
  --max-block-gas N       limit of the gas wanted by the transactions of one block
  --min-gas-prices P      what the node requires of a transaction (default 0.025uSERVICE)
  --account ADDRESS=COINS an account besides the public wallets, such as service1…=1000000uSERVICE; may be repeated
  --whitelist ADDRESS     an account that may submit requests, besides the first public wallet; may be repeated
  --help                  this text

The gas limit, the accounts and the whitelist are part of a new chain; one that is continued keeps its own.`

export interface StartOptions {
  help: boolean
  /** Data directory; undefined for a temporary one. */
  data: string | undefined
  chain: Omit<RealChainOptions, 'directory'>
}

/** Reads the command line. @throws UsageError */
export function readStartOptions(argv: string[]): StartOptions {
  const values = parse(argv)
  const gas = readGas(values['max-block-gas'])
  const prices = values['min-gas-prices']
  const ports = {
    rpc: readPort('--rpc-port', values['rpc-port'], RPC_PORT),
    rest: readPort('--rest-port', values['rest-port'], REST_PORT)
  }
  if (ports.rpc === ports.rest)
    throw new UsageError(`--rest-port ${ports.rest}: already used as the RPC port`)
  return {
    help: values.help ?? false,
    data: values.data,
    chain: {
      sdk: readSdk(values.sdk),
      ports,
      blockTimeMs: readBlockTime(values['block-time']),
      accounts: (values.account ?? []).map(readAccount),
      whitelist: values.whitelist ?? [],
      ...(gas !== undefined && { maxBlockGas: Number(gas) }),
      ...(prices !== undefined && { minGasPrices: prices })
    }
  }
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        help: { type: 'boolean' },
        sdk: { type: 'string' },
        data: { type: 'string' },
        'rpc-port': { type: 'string' },
        'rest-port': { type: 'string' },
        'block-time': { type: 'string' },
        'max-block-gas': { type: 'string' },
        'min-gas-prices': { type: 'string' },
        account: { type: 'string', multiple: true },
        whitelist: { type: 'string', multiple: true }
      }
    }).values
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function readSdk(text = '0.53'): Sdk {
  if (text === '0.47' || text === '0.53') return text
  throw new UsageError(`--sdk ${text}: expected 0.47 or 0.53`)
}

function readPort(option: string, text: string | undefined, preset: number): number {
  if (text === undefined) return preset
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (port >= 1 && port <= 65_535) return port
  throw new UsageError(`${option} ${text}: expected 1 to 65535`)
}

function readAccount(text: string): GenesisAccount {
  const [, address = '', coins = ''] = /^(service1[a-z0-9]+)=(.+)$/.exec(text) ?? []
  if (address !== '') return { address, coins }
  throw new UsageError(`--account ${text}: expected ADDRESS=COINS`)
}
