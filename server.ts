import { parseArgs } from 'node:util'
import closeWithGrace from 'close-with-grace'
import { ConfigError } from './services/config-error.ts'
import { terminalLines } from './services/errors/shown.ts'
import { version } from './services/version.ts'

/** Exits during startup, when nothing can be lost. Process 1 ignores signals that have no listener. */
const exit = () => process.exit(0)
const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const
for (const signal of STOP_SIGNALS) process.on(signal, exit)

// Loading these modules takes most of the startup time. They load one after another, because Node 20 fails if a
// CommonJS package requires an ES module that another import is still loading.
const { default: app } = await import('./app.ts')
const { default: Fastify } = await import('fastify')
const { default: doctor } = await import('./plugins/doctor.ts')
const { serverOptions } = await import('./config/fastify-options.ts')
const { exportsSpans, loadConfig } = await import('./config/index.ts')

const USAGE = `Usage: transaction-back-end [--help | --version]

Starts the server. Its configuration is the environment and the file .env in the working directory; the package's
.env.sample describes every variable.
  --help      this text
  --version   the version`

/** Maximum duration of a shutdown, in milliseconds. Orchestrators kill a process after 30 s. */
const graceMs = 25_000

/** Connections that may wait to be accepted. With Node's default, 511, clients in a burst would retry for seconds. */
const backlog = 4096

/** Handles command-line arguments. Never prints an unknown argument, which might be a secret. */
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
  process.stderr.write(terminalLines(...problems))
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

/** Loads OpenTelemetry only if it is used. */
async function startTracing() {
  const tracing = await import('./plugins/tracing.ts')
  const { plugin, stop } = tracing.startTracing(server.log.child({ module: 'tracing' }))
  server.register(plugin)
  return stop
}

handleArguments()
const { hasExport, ...configuration } = readConfig()
const { config } = configuration
const server = Fastify(serverOptions(config))
const stopTracing = hasExport ? await startTracing() : undefined
server.register(app, configuration)
server.register(doctor, configuration)

closeWithGrace({ delay: graceMs, logger: server.log }, async ({ err, signal }) => {
  if (err) server.log.fatal({ err }, 'stopping after an uncaught error')
  else server.log.info({ signal }, 'stopping')
  await server.close()
  await stopTracing?.()
})

try {
  await server.listen({ host: config.HOST, port: config.PORT, backlog })
  for (const signal of STOP_SIGNALS) process.off(signal, exit)
} catch (err) {
  // Some settings, such as the path of a module, are checked only on use.
  if (err instanceof ConfigError) print(err)
  else server.log.fatal({ err }, 'startup failed')
  await server.close()
  process.exit(1)
}
