import type { FastifyInstance, FastifyPluginAsync, FastifyRequest, FastifyServerOptions } from 'fastify'
import service from './app.ts'
import { fastifyOptions as optionsOf } from './config/fastify-options.ts'
import { type Config, loadConfig } from './config/index.ts'
import type {
  CheckedSubmission,
  CustomTransValidation as Validation
} from './services/custom-validation/types.ts'

// What programs import that run the service in a Fastify of their own. Its types name those of Fastify, of files that
// tsconfig.types.json lists, and of scripts/settings-types.ts, because the package has no other declarations.

export type { CheckedSubmission }

/** `app.config` of the service's plugins: the settings under the names of their variables, with defaults and without secrets. */
export type Settings = Config

/** The check of a submission that may refuse it (interface 12.1). */
export type CustomTransValidation = Validation<FastifyRequest>

declare module 'fastify' {
  interface FastifyInstance {
    customTransValidation?: CustomTransValidation
  }
}

let loadedBy: (configuration: Configuration) => ReturnType<typeof loadConfig>

/** The checked settings and the secrets of a service. No property and no method gives them away. */
export class Configuration {
  readonly #loaded: ReturnType<typeof loadConfig>

  /**
   * Reads the variables that `.env.sample` describes, and removes the secrets from `env`.
   * @param env usually `process.env`; an object with the same names does as well
   * @param options.envFile path of a file with variables that `env` has not; it may be missing
   * @throws Error named `ConfigError`; its `problems` are texts, one for each problem, without values
   */
  constructor(env: Record<string, string | undefined>, options: { envFile?: string } = {}) {
    this.#loaded = loadConfig(env, options)
  }

  static {
    loadedBy = configuration => configuration.#loaded
  }
}

/**
 * The options that the Fastify of the service must be made with: limits of requests, time-outs, and
 * a logger without secrets.
 */
export function fastifyOptions(configuration: Configuration): FastifyServerOptions {
  return optionsOf(loadedBy(configuration).config)
}

export interface Options {
  configuration: Configuration
  /** In place of SERVICE_CUSTOM_PLUGIN, or of a decorator of this name on the instance. */
  customTransValidation?: CustomTransValidation
}

/**
 * The service as a Fastify plugin, in a context of its own: its hooks, its error handler and its decorators are not those
 * of other routes. It starts with the instance and ends with its `close()`.
 *
 * Registration fails when an option is missing or unknown, when the instance was made without `fastifyOptions`, when there is
 * more than one validation, and when the service cannot start.
 */
const app: FastifyPluginAsync<Options> = async (instance, options) => {
  requireOwnOptions(options)
  const { configuration, customTransValidation } = options
  requireOptions(instance, fastifyOptions(configuration))
  await instance.register(service({ ...loadedBy(configuration), customTransValidation, isEmbedded: true }))
}

export default app

/** The plugin's, and those that Fastify takes with every plugin. */
const OPTIONS = ['configuration', 'customTransValidation', 'prefix', 'logLevel', 'logSerializers']

/** Plain JavaScript may pass anything, and a validation under a misspelt name would let everything pass. */
function requireOwnOptions(options: Options): void {
  const unknown = Object.keys(options).filter(name => !OPTIONS.includes(name))
  if (unknown.length > 0) {
    throw new TypeError(`The service has no option ${unknown.join(', ')}, only ${OPTIONS.join(', ')}`)
  }
  if (!(options.configuration instanceof Configuration)) {
    throw new TypeError('The option configuration must be a Configuration of this package')
  }
}

/** Compares what an instance shows of its options. */
function requireOptions({ initialConfig }: FastifyInstance, required: FastifyServerOptions): void {
  const made = new Map<string, unknown>(Object.entries(initialConfig))
  const others = Object.entries(required)
    .filter(([name, value]) => made.has(name) && typeof value !== 'object' && made.get(name) !== value)
    .map(([name, value]) => `${name} must be ${value} and is ${made.get(name)}`)
  if (others.length === 0) return
  throw new Error(
    `The service needs an instance made with fastifyOptions(configuration): ${others.join(', ')}`
  )
}
