import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UsageError } from '../../packages/devnet/cli-options.ts'
import { DEVELOPMENT_WALLET, OTHER_WALLET } from '../../packages/devnet/wallets.ts'
import { createRealChain, type RealChain } from './harness/index.ts'
import { readStartOptions, type StartOptions, USAGE } from './start-options.ts'

/** `npm run real-chain`: exits with code 2 on invalid options, 1 if the node fails to start or exits by itself. */
async function main(): Promise<void> {
  const options = readStartOptions(process.argv.slice(2))
  if (options.help) {
    process.stdout.write(`${USAGE}\n`)
    return
  }
  const interrupted = new Promise<'interrupted'>(resolve => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve('interrupted'))
  })
  if (options.data !== undefined) return run(options, options.data, interrupted)
  const temporary = mkdtempSync(join(tmpdir(), 'real-chain-'))
  try {
    await run(options, temporary, interrupted)
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

async function run(
  { chain: options }: StartOptions,
  directory: string,
  interrupted: Promise<'interrupted'>
): Promise<void> {
  const chain = await createRealChain({ ...options, directory })
  process.stdout.write(`${describe(chain)}\n`)
  const cause = await Promise.race([interrupted, chain.ended()])
  await chain.stop()
  if (cause !== 'interrupted') throw new Error(`the node exited unexpectedly; see its log in ${chain.home}`)
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
