import { parseArgs } from 'node:util'
import closeWithGrace from 'close-with-grace'
import Fastify from 'fastify'
import app from './app.ts'
import { serverOptions } from './config/fastify-options.ts'
import { loadConfig } from './config/index.ts'
import { exportsSpans } from './config/tracing.ts'
import { ConfigError } from './services/config-error.ts'
import { version } from './services/version.ts'

const USAGE = `Usage: transaction-back-end [--help | --version]

Starts the server. Its configuration is the environment and the file .env in the working directory; the package's
.env.sample describes every variable.
  --help      this text
  --version   the version`

/**
 * Maximum duration of a shutdown, in milliseconds: orchestrators kill a process after 30 s. A shutdown that is cut
 * short loses nothing, because submissions are durable (interface 7.1).
 */
const graceMs = 25_000

/**
 * Maximum connections waiting to be accepted. With Node's default of 511, clients that connect during a burst retry for
 * seconds.
 */
const backlog = 4096

/**
 * Exits before reading the configuration if the command has arguments (interface 20.14): with code 0 after --help and
 * --version, with 2 after any other argument. That one is not quoted, because it may be a secret.
 */
function handleArguments(): void {
  try {
    const { values } = parseArgs({ options: { help: { type: 'boolean' }, version: { type: 'boolean' } } })
    if (!values.help && !values.version) return
    process.stdout.write(`${values.help ? USAGE : version}\n`)
    process.exit(0)
  } catch {
    process.stderr.write('unknown arguments (--help lists the options)\n')
    process.exit(2)
  }
}

function print({ problems }: ConfigError): void {
  for (const line of problems) process.stderr.write(`${line}\n`)
}

function readConfig() {
  try {
    return { ...loadConfig(process.env, { envFile: '.env' }), hasExport: exportsSpans(process.env) }
  } catch (err) {
    if (!(err instanceof ConfigError)) throw err
    print(err)
    process.exit(1)
  }
}

/** Loads the SDK only if it is used. */
async function startExport() {
  const tracing = await import('./services/tracing/export.ts')
  return tracing.startExport(server.log.child({ module: 'tracing' }))
}

handleArguments()
const { config, hasExport, ...loaded } = readConfig()
const server = Fastify(serverOptions(config))
const stopExport = hasExport ? await startExport() : undefined
server.register(app({ config, ...loaded }))

closeWithGrace({ delay: graceMs, logger: server.log }, async ({ err, signal }) => {
  if (err) server.log.fatal({ err }, 'stopping after an uncaught error')
  else server.log.info({ signal }, 'stopping')
  await server.close()
  await stopExport?.()
})

try {
  await server.listen({ host: config.HOST, port: config.PORT, backlog })
} catch (err) {
  // Some settings, such as a module that does not load, only fail when they are used.
  if (err instanceof ConfigError) print(err)
  else server.log.fatal({ err }, 'start failed')
  await server.close()
  process.exit(1)
}
