import { join } from 'node:path'
import autoload from '@fastify/autoload'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { compileSerializer, compileValidator } from './config/fastify-options.ts'
import type { Config, Configuration } from './config/index.ts'
import customValidation from './plugins/custom-validation.ts'
import type { CustomTransValidation } from './services/custom-validation/types.ts'
import { openSigner } from './services/wallet/open.ts'

export interface AppOptions extends Configuration {
  customTransValidation?: CustomTransValidation<FastifyRequest> | undefined
  /** Whether another program embeds the application, which might have its own routes on the same server. */
  isEmbedded?: boolean
}

declare module 'fastify' {
  interface FastifyInstance {
    config: Config
  }
}

// autoload does not detect tsx's import hook, so enable TypeScript files explicitly.
if (import.meta.filename.endsWith('.ts')) process.env['FASTIFY_AUTOLOAD_TYPESCRIPT'] = 'true'

const folder = (name: string) => join(import.meta.dirname, name)

/**
 * The application. Loads npm plugins and its own plugins in dependency order, then the integrator's plugin, then routes.
 */
export default fp<AppOptions>(
  async (app, { config, secrets, warnings, customTransValidation, isEmbedded = false }) => {
    for (const [message, variables] of warnings) app.log.warn({ variables }, message)
    // Accept nothing but JSON, whatever an embedding program accepts (interface 3.8).
    app.removeAllContentTypeParsers()
    app.addContentTypeParser(
      'application/json',
      { parseAs: 'string' },
      app.getDefaultJsonParser('error', 'error')
    )
    app.setValidatorCompiler(compileValidator)
    app.setSerializerCompiler(compileSerializer)
    app.decorate('config', config)
    const wallet = await openSigner(config, secrets.mnemonic)
    await app.register(autoload, {
      dir: folder('plugins'),
      dirNameRoutePrefix: false,
      ignorePattern: /^(custom-validation|tracing)/,
      options: { secrets, wallet, isEmbedded }
    })
    await app.register(customValidation, { customTransValidation })
    await app.register(autoload, {
      dir: folder('routes'),
      routeParams: true,
      scriptPattern: /^index\.[jt]s$/,
      autoHooks: true,
      cascadeHooks: true
    })
  },
  { name: 'app' }
)
