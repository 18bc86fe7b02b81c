import { join } from 'node:path'
import autoload from '@fastify/autoload'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { compileSerializer, compileValidator } from './config/fastify-options.ts'
import type { Config, Secrets } from './config/index.ts'
import { weakenedChecks } from './config/rules.ts'
import customValidation from './plugins/custom-validation.ts'
import type { CustomTransValidation } from './services/custom-validation/types.ts'
import { openSigner } from './services/wallet/open.ts'

export interface AppOptions {
  config: Config
  secrets: Secrets
  /** Variables that are set and ignored. */
  unknown?: readonly string[]
  customTransValidation?: CustomTransValidation<FastifyRequest> | undefined
  /** Variables that make the service send plain text to a public address. */
  unencrypted?: readonly string[]
  /** Variables whose files with secrets everybody can read. */
  readable?: readonly string[]
  /** Whether it is a part of another program, which has other routes on the same server. */
  isEmbedded?: boolean
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Without secrets. */
    config: Config
  }
}

// autoload does not recognise tsx's import hook, so it is told that TypeScript files can be loaded.
if (import.meta.filename.endsWith('.ts')) process.env['FASTIFY_AUTOLOAD_TYPESCRIPT'] = 'true'

const folder = (name: string) => join(import.meta.dirname, name)

/**
 * The application as a plugin: the plugins of npm and the service's own, each after those that it names as its dependencies, the
 * integrator's, routes. The secrets are no options of the plugin, because Fastify keeps options where other plugins can find them.
 */
const application = ({
  config,
  secrets,
  unknown = [],
  unencrypted = [],
  readable = [],
  customTransValidation,
  isEmbedded = false
}: AppOptions) =>
  fp(
    async app => {
      if (unknown.length > 0) app.log.warn({ variables: unknown }, 'unknown variables are ignored')
      if (unencrypted.length > 0) app.log.warn({ variables: unencrypted }, 'plain text to a public address')
      if (readable.length > 0)
        app.log.warn({ variables: readable }, 'files with secrets that everybody can read')
      const weakened = weakenedChecks(config)
      if (weakened.length > 0)
        app.log.warn({ variables: weakened }, 'mainnet with weaker checks than its defaults')
      // Only JSON bodies are accepted (interface 3.8), whatever the instance accepts. `plugins/app/well-formed.ts` reads them.
      app.removeAllContentTypeParsers()
      app.setValidatorCompiler(compileValidator)
      app.setSerializerCompiler(compileSerializer)
      app.decorate('config', config)
      // Never onto the application: an integrator's plugin sees all of that.
      const wallet = await openSigner(config, secrets.mnemonic)
      await app.register(autoload, {
        dir: folder('plugins'),
        dirNameRoutePrefix: false,
        ignorePattern: /^custom-validation/,
        options: { secrets, wallet, isEmbedded }
      })
      // Only now, when no plugin that still loads has a secret among its options.
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

export default application
