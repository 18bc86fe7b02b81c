import type { FastifyInstance, FastifyPluginCallback, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { type ConfigError, configError } from '../../services/config-error.ts'
import { firstLine, loadDefault } from '../../services/custom-validation/module.ts'
import type { CustomTransValidation } from '../../services/custom-validation/types.ts'

const NAME = 'customTransValidation'

/** The validations of a host program, read on each use: it can decorate its instance after registering the service. */
export type HostValidations = () => readonly CustomTransValidation<FastifyRequest>[]

/**
 * `app.customTransValidation`: the validation from SERVICE_CUSTOM_PLUGIN, or of the host program. Without one, every
 * submission is valid (interface 12.3, 12.12). Startup fails if there is more than one, or if the module does not load
 * (interface 12.6).
 */
export default fp<{ hostValidations?: HostValidations | undefined }>(
  async (app, { hostValidations }) => {
    const { SERVICE_CUSTOM_PLUGIN: path } = app.config
    if (path !== undefined) await registerCustomPlugin(app, path)
    if (hostValidations === undefined) return
    if (path === undefined) app.decorate(NAME, { getter: () => hostValidations()[0] })
    app.addHook('onReady', async () => {
      const given = hostValidations()
      if (given.some(validation => typeof validation !== 'function'))
        throw new Error(`${NAME} is not a function`)
      if (given.length > (path === undefined ? 1 : 0)) {
        throw new Error(
          `There are two validations among a decorator ${NAME} on the instance, the option and SERVICE_CUSTOM_PLUGIN. Remove one`
        )
      }
    })
  },
  { name: 'custom-validation', dependencies: ['config'] }
)

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
