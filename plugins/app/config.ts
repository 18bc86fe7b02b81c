import fp from 'fastify-plugin'
import { compileSerializer, compileValidator } from '../../config/fastify-options.ts'
import type { Config, Configuration } from '../../config/index.ts'

declare module 'fastify' {
  interface FastifyInstance {
    config: Config
  }
}

/** `app.config`: the settings, without secrets. Also sets which bodies are read, and how schemas are compiled. */
export default fp<Pick<Configuration, 'config' | 'warnings'>>(
  async (app, { config, warnings }) => {
    app.decorate('config', config)
    for (const [message, variables] of warnings) app.log.warn({ variables }, message)
    // Accept nothing but JSON (interface 3.8).
    app.removeAllContentTypeParsers()
    const parseJson = app.getDefaultJsonParser('error', 'error')
    app.addContentTypeParser('application/json', { parseAs: 'string' }, parseJson)
    app.setValidatorCompiler(compileValidator)
    app.setSerializerCompiler(compileSerializer)
  },
  { name: 'config' }
)
