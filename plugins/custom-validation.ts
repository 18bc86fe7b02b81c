import type { FastifyInstance, FastifyPluginCallback, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { ConfigError, problem } from '../config/problems.ts'
import { CustomModuleError, firstLine, loadDefault } from '../services/custom-validation/module.ts'
import type { CheckedSubmission } from '../services/requests/checked-submission.ts'

/** A request with what it would put on the chain (interface 12.7). */
type ValidatedRequest = FastifyRequest & { submission: CheckedSubmission }

declare module 'fastify' {
  interface FastifyInstance {
    /** The integrator's check of a submission: '' for a valid one, otherwise the reason for the client. */
    customTransValidation: (request: ValidatedRequest) => string | Promise<string>
  }
}

/**
 * `app.customTransValidation`: that of SERVICE_CUSTOM_PLUGIN, or one that accepts everything (interface 12.3, 12.4).
 * A module that cannot be loaded, fails, or decorates no such function is a ConfigError (interface 12.6): the server
 * must not start without a safeguard that was configured.
 */
export default fp(
  async app => {
    const { SERVICE_CUSTOM_PLUGIN: path } = app.config
    if (path === undefined) app.decorate('customTransValidation', () => '')
    else await registerCustomPlugin(app, path)
  },
  { name: 'custom-validation', dependencies: ['config'] }
)

/** `fp` registers the plugin on the application itself, so that its decorator is the application's. */
async function registerCustomPlugin(app: FastifyInstance, path: string): Promise<void> {
  const plugin = await loadDefault(path).catch(err => {
    throw err instanceof CustomModuleError ? refusal(err.message) : err
  })
  if (!isPlugin(plugin)) throw refusal('names a module whose default export is not a function')
  try {
    await app.register(fp(plugin, { name: 'custom-plugin' }))
  } catch (err) {
    throw refusal(`names a plugin that fails at the start (${firstLine(err)})`)
  }
  if (typeof Reflect.get(app, 'customTransValidation') !== 'function') {
    throw refusal('names a plugin that does not decorate a function `customTransValidation`')
  }
}

function isPlugin(value: unknown): value is FastifyPluginCallback {
  return typeof value === 'function'
}

function refusal(wrong: string): ConfigError {
  const expected = 'a module whose default export is a Fastify plugin that decorates `customTransValidation`'
  return new ConfigError([problem('SERVICE_CUSTOM_PLUGIN', wrong, expected)])
}
