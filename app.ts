import { join } from 'node:path'
import autoload from '@fastify/autoload'
import fp from 'fastify-plugin'
import type { Config, Secrets } from './config/index.ts'
import { compileSerializer } from './config/serialization.ts'
import { compileValidator } from './config/validation.ts'
import { createSigner } from './services/wallet/signer.ts'

export interface AppOptions {
  config: Config
  secrets: Secrets
}

// autoload does not recognise tsx's import hook, so it is told that TypeScript files can be loaded.
if (import.meta.filename.endsWith('.ts')) process.env['FASTIFY_AUTOLOAD_TYPESCRIPT'] = 'true'

const folder = (name: string) => join(import.meta.dirname, name)

/** The application: base plugins, external plugins, own plugins, routes, in this order. */
export default fp<AppOptions>(
  async (app, { config, secrets }) => {
    // Only JSON bodies are accepted (interface 3.8); Fastify would accept plain text as well.
    app.removeContentTypeParser('text/plain')
    app.setValidatorCompiler(compileValidator)
    app.setSerializerCompiler(compileSerializer)
    await app.register(autoload, { dir: folder('plugins/base'), options: { config } })
    await app.register(autoload, { dir: folder('plugins/external') })
    // Never onto the application: an integrator's plugin sees all of that.
    const wallet = await createSigner({ mnemonic: secrets.mnemonic, prefix: config.SERVICE_CHAIN_PREFIX })
    await app.register(autoload, { dir: folder('plugins/own'), options: { secrets, wallet } })
    await app.register(autoload, {
      dir: folder('routes'),
      routeParams: true,
      scriptPattern: /^index\.[jt]s$/
    })
  },
  { name: 'app' }
)
