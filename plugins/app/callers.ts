import type { FastifyContextConfig } from 'fastify'
import fp from 'fastify-plugin'
import { ConfigError, problem } from '../../config/problems.ts'
import { readSecretFile } from '../../config/secrets.ts'
import { type Caller, createCallers } from '../../services/callers/index.ts'
import { KeyFileError, parseKeyFile, type Scope } from '../../services/callers/key-file.ts'
import { systemClock } from '../../services/clock.ts'
import type { ServiceError } from '../../services/errors/index.ts'

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

const VARIABLE = 'SERVICE_API_KEYS_FILE'
const EXPECTED = 'a file that the operator’s tool has written (`keys add`)'

/** @throws ConfigError */
function readKeys(path: string) {
  const read = readSecretFile(VARIABLE, path, 'API keys')
  if ('problem' in read) throw new ConfigError([read.problem])
  try {
    return parseKeyFile(read.text)
  } catch (error) {
    if (!(error instanceof KeyFileError)) throw error
    throw new ConfigError([problem(VARIABLE, `names a file that ${error.message}`, EXPECTED)])
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
      path,
      read: () => readKeys(path),
      clock: systemClock,
      log: app.log.child({ module: 'callers' })
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
  { name: 'callers' }
)
