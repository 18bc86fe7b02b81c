import { join } from 'node:path'
import autoload from '@fastify/autoload'
import fp from 'fastify-plugin'
import type { Config, Secrets } from './config/index.ts'
import configPlugin from './plugins/config.ts'
import errorHandlerPlugin from './plugins/error-handler.ts'

export interface AppOptions {
  config: Config
  secrets: Secrets
}

// Run as TypeScript, autoload must be told that it may load TypeScript: it knows only some ways of running it.
if (import.meta.filename.endsWith('.ts')) process.env.FASTIFY_AUTOLOAD_TYPESCRIPT = 'true'

const folder = (name: string) => join(import.meta.dirname, name)

/** The application: configuration, error handler, external plugins, own plugins, routes, in this order. */
export default fp<AppOptions>(
  async (app, { config, secrets }) => {
    // JSON alone: the framework would take plain text as well.
    app.removeContentTypeParser('text/plain')
    await app.register(configPlugin, { config })
    await app.register(errorHandlerPlugin)
    await app.register(autoload, { dir: folder('plugins/external') })
    await app.register(autoload, {
      dir: folder('plugins'),
      ignorePattern: /^(external$|(config|error-handler)\.[jt]s$)/,
      options: { secrets }
    })
    await app.register(autoload, { dir: folder('routes'), routeParams: true })
  },
  { name: 'app' }
)
