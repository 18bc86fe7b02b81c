import type { FastifyInstance, FastifyPluginAsync, FastifyRequest, FastifyServerOptions } from 'fastify'
import service from './app.ts'
import { fastifyOptions as optionsOf } from './config/fastify-options.ts'
import { type Config, type Configuration, loadConfig } from './config/index.ts'
import type {
  CheckedSubmission,
  CustomTransValidation as Validation
} from './services/custom-validation/types.ts'

// The API for programs that run the service in their own Fastify instance. The package publishes only a few
// declarations, so these types may refer only to Fastify, the files in tsconfig.types.json and
// scripts/settings-types.ts.

export type { CheckedSubmission, Configuration }
export { loadConfig }

/** The type of `app.config`: the settings, keyed by variable name, with defaults and without secrets. */
export type Settings = Config

/** A custom check that may reject a submission (interface 12.1). */
export type CustomTransValidation = Validation<FastifyRequest>

declare module 'fastify' {
  interface FastifyInstance {
    customTransValidation?: CustomTransValidation
  }
}

/** Returns the options that the service's Fastify instance needs: request limits, timeouts and a redacting logger. */
export function fastifyOptions({ config }: Configuration): FastifyServerOptions {
  return optionsOf(config)
}

export interface Options {
  /** From `loadConfig`. */
  configuration: Configuration
  /** A custom check, as an alternative to SERVICE_CUSTOM_PLUGIN or a decorator of this name on the instance. */
  customTransValidation?: CustomTransValidation
}

/**
 * The service as an encapsulated Fastify plugin: its hooks, error handler and decorators do not affect other routes. It
 * starts with the instance and stops with `close()`.
 *
 * Registration fails if an option is missing or unknown, if the instance was created without `fastifyOptions`, if there
 * is more than one validation, or if the service cannot start.
 */
const app: FastifyPluginAsync<Options> = async (instance, options) => {
  requireOwnOptions(options)
  const { configuration, customTransValidation } = options
  requireOptions(instance, fastifyOptions(configuration))
  await instance.register(service, { ...configuration, customTransValidation, isEmbedded: true })
}

export default app

/** The options of this plugin, and those that Fastify accepts for every plugin. */
const OPTIONS = ['configuration', 'customTransValidation', 'prefix', 'logLevel', 'logSerializers']

/** Rejects unknown options: a name misspelt in JavaScript would silently disable the validation. */
function requireOwnOptions(options: Options): void {
  const unknown = Object.keys(options).filter(name => !OPTIONS.includes(name))
  if (unknown.length > 0) {
    throw new TypeError(`Unknown option ${unknown.join(', ')}; the options are ${OPTIONS.join(', ')}`)
  }
  if (!Object.hasOwn(Object(options.configuration), 'config'))
    throw new TypeError('The option configuration must be the result of loadConfig(env)')
}

/** Checks the instance's options, as far as Fastify exposes them. */
function requireOptions({ initialConfig }: FastifyInstance, required: FastifyServerOptions): void {
  const made = new Map<string, unknown>(Object.entries(initialConfig))
  const others = Object.entries(required)
    .filter(([name, value]) => made.has(name) && typeof value !== 'object' && made.get(name) !== value)
    .map(([name, value]) => `${name} must be ${value}, not ${made.get(name)}`)
  if (others.length === 0) return
  throw new Error(`The instance must be created with fastifyOptions(configuration): ${others.join(', ')}`)
}
