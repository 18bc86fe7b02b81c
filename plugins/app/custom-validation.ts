import type { FastifyInstance, FastifyPluginCallback, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { type ConfigError, configError } from '../../services/config-error.ts'
import { firstLine, loadDefault } from '../../services/custom-validation/module.ts'
import type { CustomTransValidation } from '../../services/custom-validation/types.ts'

const NAME = 'customTransValidation'

/**
 * `app.customTransValidation`: the validation from the option, from SERVICE_CUSTOM_PLUGIN, or inherited from the host
 * program's instance. Without one, every submission is valid (interface 12.3, 12.12). Startup fails if there is
 * more than one, or if the module does not load (interface 12.6).
 */
export default fp<{ customTransValidation: CustomTransValidation<FastifyRequest> | undefined }>(
  async (app, { customTransValidation }) => {
    const { SERVICE_CUSTOM_PLUGIN: path } = app.config
    if (path !== undefined) await registerCustomPlugin(app, path)
    if (customTransValidation !== undefined) app.decorate(NAME, customTransValidation)
    requireAtMostOne(app)
    // The host program can also decorate its instance after registering the service.
    app.addHook('onReady', async () => requireAtMostOne(app))
  },
  { name: 'custom-validation', dependencies: ['config'] }
)

function requireAtMostOne(app: FastifyInstance): void {
  if (!(NAME in app)) return
  if (typeof app[NAME] !== 'function') throw new Error(`${NAME} is not a function`)
  // If there were two, the service's validation would hide the host program's.
  const around = Reflect.getPrototypeOf(app)
  if (Object.hasOwn(app, NAME) && around !== null && NAME in around) {
    throw new Error(
      `There are two validations: a decorator ${NAME} on the instance, and the option or SERVICE_CUSTOM_PLUGIN. Remove one`
    )
  }
}

/** Registers the integrator's plugin with `fp`, so that it decorates the application. */
async function registerCustomPlugin(app: FastifyInstance, path: string): Promise<void> {
  const plugin = await loadDefault(path, refusal)
  if (!isPlugin(plugin)) throw refusal('points to a module whose default export is not a function')
  try {
    await app.register(fp(plugin, { name: 'custom-plugin' }))
  } catch (err) {
    throw refusal(`points to a plugin that fails at startup (${firstLine(err)})`)
  }
  if (!Object.hasOwn(app, NAME) || typeof app[NAME] !== 'function') {
    throw refusal('points to a plugin that does not decorate a function `customTransValidation`')
  }
}

function isPlugin(value: unknown): value is FastifyPluginCallback {
  return typeof value === 'function'
}

function refusal(wrong: string): ConfigError {
  const expected = 'a module whose default export is a Fastify plugin that decorates `customTransValidation`'
  return configError('SERVICE_CUSTOM_PLUGIN', wrong, expected)
}
