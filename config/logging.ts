import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from './index.ts'

/** Fields whose values are replaced in the log, at most two levels deep in a logged object. */
const secretNames = ['mnemonic', 'secrets', 'privateKey', 'kycApiKey', 'authorization', 'cookie', 'password']

/** Without the query, which holds addresses and seeds. */
function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? ''
}

interface LoggedError {
  [field: string]: unknown
  type: string
  message: string
  stack: string
}

/** Logs an error's codes but no other field of its own: errors of HTTP clients carry whole requests and bodies. */
function serialiseError(error: unknown): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: 'not an error', stack: '' }
  const { name: type, message, stack = '', cause } = error
  const code = 'code' in error ? error.code : undefined
  const codespace = 'codespace' in error ? error.codespace : undefined
  return {
    type,
    message,
    code,
    codespace,
    stack,
    ...(cause === undefined ? {} : { cause: serialiseError(cause) })
  }
}

/** Options of the logger: listed fields only, redaction, readable lines at a terminal in development. */
export function loggerOptions({ LOG_LEVEL, NODE_ENV }: Pick<Config, 'LOG_LEVEL' | 'NODE_ENV'>) {
  const pretty = NODE_ENV === 'development' && process.stdout.isTTY
  return {
    level: LOG_LEVEL,
    redact: { paths: secretNames.flatMap(name => [name, `*.${name}`, `*.*.${name}`]), censor: '[secret]' },
    serializers: {
      req: ({ method, url, ip }: FastifyRequest) => ({ method, path: pathOf(url), ip }),
      res: ({ statusCode }: Pick<FastifyReply, 'statusCode'>) => ({ statusCode }),
      err: serialiseError
    },
    ...(pretty ? { transport: { target: 'pino-pretty', options: { ignore: 'pid,hostname' } } } : {})
  }
}
