import type { FastifyContextConfig } from 'fastify'
import fp from 'fastify-plugin'
import { type Caller, createCallers } from '../../services/callers/index.ts'
import { type CallerEntry, KeyFileError, parseKeyFile, type Scope } from '../../services/callers/key-file.ts'
import { systemClock } from '../../services/clock.ts'
import { configError } from '../../services/config-error.ts'
import type { ServiceError } from '../../services/errors/index.ts'
import { readNamedFile } from '../../services/named-file.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A caller needs one of these scopes. Without a key, SERVICE_ACCESS decides. */
    scopes?: readonly Scope[]
    /** Requires a key regardless of SERVICE_ACCESS. */
    isForCallers?: true
  }
  interface FastifyRequest {
    /** The owner of the request's API key, if there is a key and keys are checked. */
    caller: Caller | undefined
    /** The reason for which the key was rejected. `admission` throws this error once the request has been counted. */
    keyRefusal: ServiceError | undefined
  }
}

/** Sets `request.caller` before the rate limit counts the request (interface 24.1). */
export default fp(
  async app => {
    const { SERVICE_ACCESS: access, SERVICE_API_KEYS_FILE: path } = app.config
    app.decorateRequest('caller', undefined)
    app.decorateRequest('keyRefusal', undefined)
    if (path === undefined) return
    const callers = createCallers(readKeyFile(path), systemClock)
    const isAsked = ({ isProbe, isForCallers }: FastifyContextConfig) =>
      isForCallers || (access !== 'public' && !isProbe)
    app.addHook('onRequest', (request, _reply, done) => {
      const { authorization, origin } = request.headers
      if (authorization !== undefined && isAsked(request.routeOptions.config)) {
        try {
          request.caller = callers.identify(authorization, origin)
        } catch (error) {
          request.keyRefusal = error as ServiceError
        }
      }
      done()
    })
  },
  { name: 'callers', dependencies: ['config'] }
)

/** @throws ConfigError */
function readKeyFile(path: string): CallerEntry[] {
  const variable = 'SERVICE_API_KEYS_FILE'
  try {
    return parseKeyFile(readNamedFile(variable, path, 'API keys'))
  } catch (error) {
    if (!(error instanceof KeyFileError)) throw error
    const expected = 'a file with entries of the operator tool (`keys create`)'
    throw configError(variable, `points to a file that ${error.message}`, expected)
  }
}
