import pino from 'pino'
import { truncated } from '../services/errors/shown.ts'
import { currentContext, traceFields } from '../services/tracing/index.ts'
import type { Config } from './index.ts'

/** Receives complete lines. */
export interface LogStream {
  write(line: string): void
}

/** Fields whose values are redacted, at most two levels deep in a logged object. */
const secretNames = new Set([
  'mnemonic',
  'secrets',
  'privateKey',
  'kycApiKey',
  'authorization',
  'cookie',
  'password'
])
const SECRET_LEVELS = 2

/**
 * Adds the request's trace (interface 14.16), and redacts secrets that are logged by mistake. Fields with a serializer
 * are left to it. Replaces the logger's own `redact`, which throws if a path with `*` meets a URL or another class
 * instance.
 */
function complete(fields: object): Record<string, unknown> {
  const censoredFields = Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      Object.hasOwn(serializers, name) ? value : censored(name, value)
    ])
  )
  const trace = traceFields(currentContext())
  return trace === undefined ? censoredFields : { ...trace, ...censoredFields }
}

function censored(name: string, value: unknown, levels: number = SECRET_LEVELS): unknown {
  if (secretNames.has(name)) return '[secret]'
  if (levels === 0 || !isPlain(value)) return value
  if (Array.isArray(value)) return value.map(entry => censored('', entry, levels - 1))
  return Object.fromEntries(
    Object.entries(value).map(([inner, entry]) => [inner, censored(inner, entry, levels - 1)])
  )
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null || prototype === Array.prototype
}

/** Longer than any path of a route with its parameters, and than any address. */
const LONGEST = 200

/** Shortens a client's string and replaces bytes that terminals act on (interface 14.12). */
const cleaned = (text: string) => truncated(text, LONGEST).replace(/[^!-~…]/g, '?')

/** Drops the query, which contains addresses and seeds. */
const pathOf = (url: string) => cleaned(url.replace(/\?.*/s, ''))

interface LoggedError {
  [field: string]: unknown
  type: string
  message: string
  stack: string
}

/** In characters. Longer than any message of the service's own errors. */
const LONGEST_ERROR = 8192
const MOST_CAUSES = 5

const bounded = (value: unknown) => truncated(String(value), LONGEST_ERROR)

/**
 * Logs an error's codes but none of its other extra fields: errors of HTTP clients carry whole requests and bodies. An
 * integrator's error may be of any length, be its own cause, or throw when it is read.
 */
function serialiseError(error: unknown): LoggedError {
  return readError(error, MOST_CAUSES)
}

function readError(error: unknown, causes: number): LoggedError {
  try {
    if (!(error instanceof Error)) return { type: typeof error, message: 'not an error', stack: '' }
    const { name, message, stack = '', cause } = error
    return {
      type: bounded(name),
      message: bounded(message),
      ...('code' in error && { code: bounded(error.code) }),
      ...('codespace' in error && { codespace: bounded(error.codespace) }),
      stack: bounded(stack),
      ...(cause !== undefined && causes > 0 && { cause: readError(cause, causes - 1) })
    }
  } catch {
    return { type: typeof error, message: 'an error that throws when it is read', stack: '' }
  }
}

/** An integrator's code may log anything as a request or reply, and logging must not throw. */
function fieldsOf(value: unknown): { method?: unknown; url?: unknown; ip?: unknown; statusCode?: unknown } {
  return typeof value === 'object' && value !== null ? value : {}
}

function requestFields(value: unknown) {
  const { method, url, ip } = fieldsOf(value)
  return {
    ...(typeof method === 'string' && { method }),
    ...(typeof url === 'string' && { path: pathOf(url) }),
    ...(typeof ip === 'string' && { ip: cleaned(ip) })
  }
}

function replyFields(value: unknown) {
  const { statusCode } = fieldsOf(value)
  return typeof statusCode === 'number' ? { statusCode } : {}
}

const serializers = {
  req: requestFields,
  res: replyFields,
  err: serialiseError
}

/** Pretty-printing works only when running from source: a built server has no pino-pretty. */
const isSource = import.meta.filename.endsWith('.ts')

/** Asynchronous: the last lines are flushed on exit, but lost if the process is killed. */
const stdout = pino.destination({ sync: false })

/** Destination of the log: stdout, pretty-printed at a terminal in development. */
export function logStreamOf({ NODE_ENV }: Pick<Config, 'NODE_ENV'>): LogStream {
  const isPretty = isSource && NODE_ENV === 'development' && process.stdout.isTTY
  return isPretty ? pino.transport({ target: 'pino-pretty', options: { ignore: 'pid,hostname' } }) : stdout
}

/** The logger's options: only listed fields, no secrets. */
export function loggerOptions({ LOG_LEVEL }: Pick<Config, 'LOG_LEVEL'>, stream: LogStream) {
  return { level: LOG_LEVEL, formatters: { log: complete }, serializers, stream }
}
