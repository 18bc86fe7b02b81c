import type { FastifyContextConfig } from 'fastify'
import fp from 'fastify-plugin'
import { type Caller, createCallers } from '../../services/callers/index.ts'
import { parseKeyFile, type Scope } from '../../services/callers/key-file.ts'
import { systemClock } from '../../services/clock.ts'
import type { ServiceError } from '../../services/errors/index.ts'
import { openNamedFile } from '../../services/named-file.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The scopes of which a caller needs one. Who needs a key at all, SERVICE_ACCESS says, or `isForCallers`. */
    scopes?: readonly Scope[]
    /** Nobody without a key may call it, whatever SERVICE_ACCESS is. */
    isForCallers?: true
  }
  interface FastifyRequest {
    /** Whose API key it has; undefined for a request without one, and where SERVICE_ACCESS asks for none. */
    caller: Caller | undefined
    /** Why its key is not accepted. `admission.ts` refuses it when it was counted. */
    keyRefusal: ServiceError | undefined
  }
}

/** `request.caller`, before anything counts the request (interface 24.1). */
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
        expected: 'a file that the operator’s tool has written (`keys add`)',
        parse: parseKeyFile
      }),
      clock: systemClock,
      log: app.log.child({ module: 'callers' }),
      changed: changes => void app.audit({ action: 'keys read', outcome: 'done', details: { ...changes } })
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
  { name: 'callers', dependencies: ['audit'] }
)
