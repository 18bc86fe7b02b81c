import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readBlockTime, readGas, UsageError } from '../../packages/devnet/cli-options.ts'
import { DEVELOPMENT_WALLET, OTHER_WALLET } from '../../packages/devnet/wallets.ts'
import type { Sdk } from './binary.ts'
import { createRealChain, type RealChain, type RealChainOptions } from './harness/index.ts'
import type { GenesisAccount } from './harness/settings.ts'

const [RPC_PORT, REST_PORT] = [26_657, 1317]

const USAGE = `Usage: npm run real-chain -- [options]

  --sdk VERSION           0.47 (with CometBFT 0.37) or 0.53 (with CometBFT 0.38, the default)
  --data FOLDER           data directory; continues the chain that it contains (default: a new temporary directory)
  --rpc-port N            port of the RPC (default ${RPC_PORT})
  --rest-port N           port of the REST API (default ${REST_PORT})
  --block-time T          time between blocks: 1s, 500ms or milliseconds (default 1s)
  --max-block-gas N       limit on the total gas wanted by the transactions in a block
  --min-gas-prices P      minimum gas prices of the node (default 0.025uSERVICE)
  --account ADDRESS=COINS adds an account to the public wallets, such as service1…=1000000uSERVICE; repeatable
  --whitelist ADDRESS     allows another account to submit requests, in addition to the first wallet; repeatable
  --help                  print this help

The gas limit, the accounts and the whitelist apply only to a new chain.`

/** `npm run real-chain`: exits with code 2 for invalid options, 1 if the node fails to start or exits by itself. */
async function main(): Promise<void> {
  const { help, data, ...values } = parse(process.argv.slice(2))
  if (help) {
    process.stdout.write(`${USAGE}\n`)
    return
  }
  const options = chainOptions(values)
  const interrupted = new Promise<'interrupted'>(resolve => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve('interrupted'))
  })
  const directory = data ?? mkdtempSync(join(tmpdir(), 'real-chain-'))
  try {
    const chain = await createRealChain({ ...options, directory })
    process.stdout.write(`${describe(chain)}\n`)
    const cause = await Promise.race([interrupted, chain.ended()])
    await chain.stop()
    if (cause !== 'interrupted') throw new Error(`the node exited unexpectedly; see its log in ${chain.home}`)
  } finally {
    if (data === undefined) rmSync(directory, { recursive: true, force: true })
  }
}

function parse(args: string[]) {
  const text = { type: 'string' } as const
  const list = { ...text, multiple: true } as const
  const ports = { 'rpc-port': text, 'rest-port': text }
  const limits = { 'block-time': text, 'max-block-gas': text, 'min-gas-prices': text }
  const genesis = { account: list, whitelist: list }
  try {
    const options = {
      help: { type: 'boolean' },
      sdk: text,
      data: text,
      ...ports,
      ...limits,
      ...genesis
    } as const
    return parseArgs({ args, options }).values
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function chainOptions(
  values: Omit<ReturnType<typeof parse>, 'help' | 'data'>
): Omit<RealChainOptions, 'directory'> {
  const gas = readGas(values['max-block-gas'])
  const prices = values['min-gas-prices']
  const ports = {
    rpc: readPort('--rpc-port', values['rpc-port'], RPC_PORT),
    rest: readPort('--rest-port', values['rest-port'], REST_PORT)
  }
  if (ports.rpc === ports.rest)
    throw new UsageError(`--rest-port ${ports.rest}: already used as the RPC port`)
  return {
    sdk: readSdk(values.sdk),
    ports,
    blockTimeMs: readBlockTime(values['block-time']),
    accounts: (values.account ?? []).map(readAccount),
    whitelist: values.whitelist ?? [],
    ...(gas !== undefined && { maxBlockGas: Number(gas) }),
    ...(prices !== undefined && { minGasPrices: prices })
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

function describe({ sdk, chainId, urls, addresses, home }: RealChain): string {
  return [
    `Chain ${chainId} with Cosmos SDK ${sdk} is running.`,
    '',
    `  RPC   ${urls.rpc}`,
    `  REST  ${urls.rest}`,
    `  Data  ${home}`,
    '',
    'Wallets (their phrases are public: never use them on a real network):',
    `  may submit      ${addresses.development}`,
    `                  ${DEVELOPMENT_WALLET}`,
    `  may not submit  ${addresses.other}`,
    `  (authority)     ${OTHER_WALLET}`,
    '',
    'Press Ctrl-C to stop it.'
  ].join('\n')
}

main().catch((error: unknown) => {
  const usage = error instanceof UsageError
  const text = error instanceof Error ? error.message : String(error)
  process.stderr.write(`${text}${usage ? ' (--help lists the options)' : ''}\n`)
  process.exitCode = usage ? 2 : 1
})
