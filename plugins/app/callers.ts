import type { FastifyContextConfig } from 'fastify'
import fp from 'fastify-plugin'
import { type Caller, createCallers } from '../../services/callers/index.ts'
import { parseKeyFile, type Scope } from '../../services/callers/key-file.ts'
import { systemClock } from '../../services/clock.ts'
import type { ServiceError } from '../../services/errors/index.ts'
import { openNamedFile } from '../../services/named-file.ts'

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
    /** Why the key was rejected. `admission` throws this error once the request has been counted. */
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
    const callers = createCallers({
      file: openNamedFile({
        variable: 'SERVICE_API_KEYS_FILE',
        path,
        content: 'API keys',
        expected: 'a file written by the operator tool (`keys add`)',
        parse: parseKeyFile
      }),
      clock: systemClock,
      log: app.log.child({ module: 'callers' }),
      changed: () => {}
    })
    app.addHook('onClose', callers.close)
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
