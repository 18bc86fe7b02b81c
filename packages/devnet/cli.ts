import { existsSync, readFileSync } from 'node:fs'
import { chmod, writeFile } from 'node:fs/promises'
import { terminalLines } from '../../services/errors/shown.ts'
import { readCliOptions, USAGE, UsageError } from './cli-options.ts'
import { envFile, receivingInPlayground } from './env.ts'
import type { EvmChains } from './evm/index.ts'
import { addressesOf, type Devnet, startDevnet } from './index.ts'
import { DEVELOPMENT_WALLET, OTHER_WALLET } from './wallets.ts'

/** The time between Bitcoin blocks, so that three confirmations take half a minute instead of half an hour. */
const BITCOIN_BLOCK_MS = 10_000

/** The URL of `npm run dev` with the default port. */
const DEV_SERVER = 'http://127.0.0.1:3001'

/** `npm run devnet`: exits with code 2 for invalid options, 1 if the network cannot start. */
async function main(): Promise<void> {
  const { help, envOut, devnet: options } = readCliOptions(process.argv.slice(2))
  if (help) {
    process.stdout.write(`${USAGE}\n`)
    return
  }
  if (envOut !== undefined) refuseOthers(envOut)
  const stopped = new Promise(resolve => {
    process.once('SIGINT', resolve)
    process.once('SIGTERM', resolve)
  })
  const devnet = await startDevnet({ bitcoinBlockMs: BITCOIN_BLOCK_MS, ...options })
  try {
    if (envOut !== undefined) {
      const env = { ...devnet.env(), ...receivingInPlayground(DEV_SERVER) }
      await writeFile(envOut, envFile(env), { mode: 0o600 })
      // `mode` applies only to a new file.
      await chmod(envOut, 0o600)
    }
    process.stdout.write(`${describe(devnet, envOut)}\n`)
    await stopped
  } finally {
    await devnet.close()
  }
}

/** Refuses to overwrite a file from a different source: it might contain the only copy of a real phrase. */
function refuseOthers(path: string): void {
  if (existsSync(path) && !readFileSync(path, 'utf8').includes(DEVELOPMENT_WALLET))
    throw new UsageError(
      `--env-out: ${path} exists and does not belong to a development network; choose another file`
    )
}

function describe(devnet: Devnet, envOut: string | undefined): string {
  const { chain, addresses, evm } = devnet
  const written = envOut === undefined ? [] : ['', `Variables for a server: ${envOut}`]
  return [
    `Development network ${chain.chainId} is up.`,
    '',
    ...addressesOf(devnet).map(([name, url]) => `  ${name.padEnd(12)}${url}`),
    '',
    'Wallets. Their phrases are public: never use them on a real network.',
    `  may submit      ${addresses.development}`,
    `                  ${DEVELOPMENT_WALLET}`,
    `  may not submit  ${addresses.other}`,
    `                  ${OTHER_WALLET}`,
    ...(evm === undefined ? [] : describeEvm(evm)),
    ...written,
    '',
    'Press Ctrl-C to stop it.'
  ].join('\n')
}

function describeEvm({ chains, pool, user }: EvmChains): string[] {
  return [
    '',
    'Tokens of the EVM chains. The key is public: never use it on a real network.',
    ...chains.flatMap(({ shortName, tokens }) =>
      Object.entries(tokens).map(
        ([symbol, { address }]) => `  ${`${shortName} ${symbol}`.padEnd(12)}${address}`
      )
    ),
    `  pool        ${pool}`,
    `  user        ${user.address}, with funds`,
    `              ${user.privateKey}`
  ]
}

/** Describes an error in a single line if the user can fix it, otherwise with its stack. */
function explain(error: unknown): string {
  if (error instanceof UsageError) return `${error.message} (--help lists the options)`
  if (error instanceof Error && 'code' in error) {
    if (error.code === 'EADDRINUSE' && 'port' in error)
      return `port ${error.port} is in use (choose other ports with --port N)`
    return error.message
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

main().catch((error: unknown) => {
  process.stderr.write(terminalLines(...explain(error).split('\n')))
  process.exitCode = error instanceof UsageError ? 2 : 1
})
