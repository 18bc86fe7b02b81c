import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { terminalLines } from '../../../services/errors/shown.ts'
import { ClientError, createClient } from '../../client/index.ts'
import { isNumber } from '../cli-options.ts'
import { anvilPath } from '../evm/anvil.ts'
import { addressesOf, type Devnet, startDevnet } from '../index.ts'
import { type ServerProcess, startServer } from './server-process.ts'
import { DemoError, print, walk } from './walk.ts'

/** Timeout for the transfer, which usually takes ten seconds, and much longer on a busy machine. */
const WALK_TIMEOUT_MS = 240_000

const INTERRUPTED = 130

const USAGE = `Usage: npm run demo [-- --once] [--widget] [--port N]

Starts a development network and the server, runs one transfer from quote to Completed, and stays up.
  --once     stop after the transfer
  --widget   use the response format of newer widgets and the newer fee service
  --port N   port of the server (default: a free port)
  --help     print this help`

/** The strictest submission checks (interface 5.25, 6.35). */
const STRICT_SETTINGS = { SERVICE_QUOTE_CHECK: 'required', SERVICE_APPROVAL_CHECK: 'enforce' }

/** The settings for newer widgets (interface 5.18). */
const widgetSettings = ({ urls }: Devnet) => ({
  SERVICE_RESPONSE_FORMAT: 'widget',
  SERVICE_BACKEND_FEE_URL: `${urls.fees}/v3`
})

/** `npm run demo`: exits with code 0 on success, 1 if a step fails, 2 for invalid options. */
async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2))
  if (options === undefined || options.help) {
    print(USAGE)
    process.exitCode = options === undefined ? 2 : 0
    return
  }
  const interrupted = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort())
  const directory = await mkdtemp(join(tmpdir(), 'demo-'))
  let server: ServerProcess | undefined
  let devnet: Devnet | undefined
  try {
    devnet = await startDevnet({
      evm: anvilPath() === undefined ? [] : ['ETH', 'POL'],
      bitcoinBlockMs: 10_000,
      killServer: () => server?.replace()
    })
    const signal = AbortSignal.any([interrupted.signal, AbortSignal.timeout(WALK_TIMEOUT_MS)])
    print(`1. Development network  ${devnet.chain.chainId}, in memory`)
    for (const [name, url] of addressesOf(devnet)) print(`   ${name.padEnd(10)} ${url}`)
    const env = { ...devnet.env(), ...STRICT_SETTINGS, ...(options.widget && widgetSettings(devnet)) }
    server = await startServer(env, directory, signal, options.port)
    print('2. Server               GET /health → ok')
    print(`   ${server.url}, signing as ${devnet.addresses.development}`)
    await walk(createClient({ baseUrl: server.url }), devnet.evm, signal)
    if (options.once) return
    print('')
    print(`Try it in a browser: ${server.url}/playground`)
    print(`The server stays up: ${server.url}, documentation at ${server.url}/docs`)
    print(`Its log: ${join(directory, 'server.log')}`)
    print('Press Ctrl-C to stop everything and remove its data.')
    if (!interrupted.signal.aborted) await once(interrupted.signal, 'abort')
  } catch (error) {
    if (!interrupted.signal.aborted) throw error
    if (options.once) process.exitCode = INTERRUPTED
  } finally {
    await server?.stop()
    await devnet?.close()
    await rm(directory, { recursive: true, force: true })
  }
}

function readOptions(args: string[]) {
  try {
    const flag = { type: 'boolean', default: false } as const
    const options = { once: flag, widget: flag, help: flag, port: { type: 'string' } } as const
    const { port, ...values } = parseArgs({ args, options }).values
    if (port !== undefined && !isNumber(port, 1, 65_535))
      throw new Error('--port must be a number from 1 to 65535')
    return { ...values, port: port === undefined ? undefined : Number(port) }
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    process.stderr.write(terminalLines(text))
    return undefined
  }
}

/** Returns whether a timeout is the error or one of its causes, as when it aborts a call. */
const isTimeout = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'TimeoutError' || isTimeout(error.cause))

function explain(error: unknown): string {
  if (error instanceof DemoError) return error.message
  if (error instanceof ClientError && error.code !== 'ABORTED') return `${error.code}: ${error.message}`
  if (isTimeout(error)) return `the transfer did not finish within ${WALK_TIMEOUT_MS / 1000} s`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

main().catch((error: unknown) => {
  process.stderr.write(terminalLines(...`The demo failed: ${explain(error)}`.split('\n')))
  process.exitCode = 1
})
