import { join } from 'node:path'
import autoload from '@fastify/autoload'
import fp from 'fastify-plugin'
import type { Config, Secrets } from './config/index.ts'

export interface AppOptions {
  config: Config
  secrets: Secrets
}

// autoload recognises only some of the ways to run TypeScript, and tsx's import hook is not one of them.
if (import.meta.filename.endsWith('.ts')) process.env['FASTIFY_AUTOLOAD_TYPESCRIPT'] = 'true'

const folder = (name: string) => join(import.meta.dirname, name)

/** The application: base plugins, external plugins, own plugins, routes, in this order. */
export default fp<AppOptions>(
  async (app, { config, secrets }) => {
    // Only JSON bodies are accepted: the framework would take plain text as well.
    app.removeContentTypeParser('text/plain')
    await app.register(autoload, { dir: folder('plugins/base'), options: { config } })
    await app.register(autoload, { dir: folder('plugins/external') })
    await app.register(autoload, { dir: folder('plugins/own'), options: { secrets } })
    await app.register(autoload, {
      dir: folder('routes'),
      routeParams: true,
      scriptPattern: /^index\.[jt]s$/
    })
  },
  { name: 'app' }
)
