import closeWithGrace from 'close-with-grace'
import Fastify from 'fastify'
import app from './app.ts'
import { fastifyOptions } from './config/fastify-options.ts'
import { ConfigError, loadConfig } from './config/index.ts'

/**
 * How long a stop may take, in milliseconds: below the 30 s that orchestrators wait before they kill.
 * Nothing is lost beyond it, submissions are durable.
 */
const graceMs = 25_000

function tell({ problems }: ConfigError): void {
  for (const line of problems) process.stderr.write(`${line}\n`)
}

function readConfig() {
  try {
    return loadConfig(process.env, { envFile: '.env' })
  } catch (err) {
    if (!(err instanceof ConfigError)) throw err
    tell(err)
    process.exit(1)
  }
}

const { config, secrets } = readConfig()
const server = Fastify(fastifyOptions(config))
server.register(app, { config, secrets })

closeWithGrace({ delay: graceMs, logger: server.log }, async ({ err, signal }) => {
  if (err) server.log.fatal({ err }, 'stopping after an error that nobody caught')
  else server.log.info({ signal }, 'stopping')
  await server.close()
})

try {
  await server.listen({ host: config.HOST, port: config.PORT })
} catch (err) {
  // Some settings are known to be wrong only once they are used, such as a module that does not load.
  if (err instanceof ConfigError) tell(err)
  else server.log.fatal({ err }, 'start failed')
  await server.close()
  process.exit(1)
}
