import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyPluginAsync,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
  type RouteShorthandOptions
} from 'fastify'
import service from './app.ts'
import { fastifyOptions as optionsOf, requestId, serverOptions } from './config/fastify-options.ts'
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

/** The options that depend on no type of logger. */
export type HostOptions = Pick<
  FastifyServerOptions,
  | 'genReqId'
  | 'keepAliveTimeout'
  | 'logger'
  | 'maxRequestsPerSocket'
  | 'pluginTimeout'
  | 'requestTimeout'
  | 'trustProxy'
>

/** Returns the options that the host program's Fastify instance needs: its timeouts, limits and a redacting logger. */
export function fastifyOptions({ config }: Configuration): HostOptions {
  return optionsOf(config)
}

export interface Options {
  /** The result of `loadConfig`. */
  configuration: Configuration
  /** A custom check, as an alternative to SERVICE_CUSTOM_PLUGIN or a decorator of this name on the instance. */
  customTransValidation?: CustomTransValidation
}

/**
 * The service as a Fastify plugin. It runs in a Fastify instance of its own, to which the host program's passes the
 * requests: nothing is decorated, and no option, hook, schema or parser of one affects a response of the other. Both
 * share the connections and the log. The service starts with the host's instance and stops with `close()`.
 *
 * Registration fails if an option is missing or unknown, if the instance was created without `fastifyOptions`, if a
 * route of the host has one of the service's paths, if there is more than one validation, or if the service cannot
 * start.
 */
const app: FastifyPluginAsync<Options> = async (host, options) => {
  requireOwnOptions(options)
  const { configuration, customTransValidation, ...common } = options
  requireOptions(host, fastifyOptions(configuration))
  const requests: Requests = new WeakMap()
  const { logger, ...own } = serverOptions(configuration.config)
  const { serializers, formatters } = logger
  const inner = Fastify({
    ...own,
    loggerInstance: host.log.child({}, { serializers, formatters }),
    logController: new LogController({ disableRequestLogging: true }), // The host logs all its requests.
    genReqId: raw => requestId(raw, requests.get(raw)?.id),
    serverFactory: () => host.server,
    clientErrorHandler() {} // The host handles errors of connections.
  })
  const names = new Set<string>()
  inner.addHook('onRoute', ({ url }) => void names.add(url.split('/', 2).join('/')))
  // The host's hooks might have replaced the body, for example by its decompressed content.
  inner.addHook('preParsing', async ({ raw }, _reply, payload) => {
    const body = requests.get(raw)?.body
    return body instanceof Readable ? body : payload
  })
  const hostValidations = () =>
    [customTransValidation, host.customTransValidation].filter(given => given !== undefined)
  const untilHostCloses = joinLifetimes(host, inner)
  await inner.register(
    async scope => {
      await scope.register(service, { ...configuration, hostValidations })
      scope.addHook('onClose', untilHostCloses) // The hook that is added last runs first.
    },
    { ...common, prefix: host.prefix }
  )
  // Without a prefix, all other paths remain the host's.
  const isAtRoot = host.prefix === '' || host.prefix === '/'
  const top = [...names].filter(name => /^\/./.test(name))
  const paths = isAtRoot ? top.flatMap(name => [name, `${name}/*`]) : ['/*']
  passRequests(host, inner, { paths, requests, logSerializers: serializers })
}

export default app

/** The host's requests that are passed to the service. */
type Requests = WeakMap<IncomingMessage, FastifyRequest>

/** Errors that Fastify raises before it runs a parser. The service responds in its own format. */
const UNREADABLE = ['FST_ERR_CTP_INVALID_MEDIA_TYPE', 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE']

interface Passed extends Pick<RouteShorthandOptions, 'logSerializers'> {
  paths: readonly string[]
  requests: Requests
}

/** Passes the requests for these paths to the service, after the host's hooks have run, and with the body unread. */
function passRequests(host: FastifyInstance, inner: FastifyInstance, { paths, requests, ...common }: Passed) {
  const pass = (request: FastifyRequest, reply: FastifyReply) => {
    requests.set(request.raw, request)
    reply.hijack()
    inner.routing(request.raw, reply.raw)
  }
  const errorHandler = (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
    if (!UNREADABLE.includes(error.code)) return host.errorHandler(error, request, reply)
    pass(request, reply)
  }
  host.removeAllContentTypeParsers()
  host.addContentTypeParser('*', (_request, payload, done) => done(null, payload.pause()))
  for (const path of paths) host.all(path, { ...common, schema: { hide: true }, errorHandler }, pass)
}

/**
 * Starts the service with the host, and stops it along with the host: its `preClose` hooks run before the host stops
 * accepting connections, and its `onClose` hooks after the last response.
 * @returns the service's first `onClose` hook
 */
function joinLifetimes(host: FastifyInstance, inner: FastifyInstance): () => Promise<void> {
  let isDrained = () => {}
  const drained = new Promise<void>(resolve => {
    isDrained = resolve
  })
  let isClosed = () => {}
  const closed = new Promise<void>(resolve => {
    isClosed = resolve
  })
  let closing: Promise<void> | undefined
  host.addHook('onReady', async () => {
    await inner.ready()
  })
  host.addHook('preClose', async () => {
    closing = inner.close()
    await Promise.race([drained, closing])
  })
  host.addHook('onClose', async () => {
    isClosed()
    await (closing ?? inner.close())
  })
  return () => {
    isDrained()
    return closed
  }
}

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
function requireOptions({ initialConfig }: FastifyInstance, required: HostOptions): void {
  const made = new Map<string, unknown>(Object.entries(initialConfig))
  const others = Object.entries(required)
    .filter(([name, value]) => made.has(name) && typeof value !== 'object' && made.get(name) !== value)
    .map(([name, value]) => `${name} must be ${value}, not ${made.get(name)}`)
  if (others.length === 0) return
  throw new Error(`The instance must be created with fastifyOptions(configuration): ${others.join(', ')}`)
}
