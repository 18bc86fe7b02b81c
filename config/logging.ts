import pino from 'pino'
import { truncated } from '../services/errors/shown.ts'
import { traceFields } from '../services/tracing/index.ts'
import type { Config } from './index.ts'

export interface LogStream {
  write(line: string): void
}

/** Names of fields to redact, up to two levels deep. */
const secretNames = ['mnemonic', 'secrets', 'privateKey', 'kycApiKey', 'authorization', 'cookie', 'password']
const SECRET_LEVELS = 2

/**
 * Adds the trace (interface 14.16) and redacts secrets logged by mistake, except in fields that have a serializer.
 * Replaces pino's `redact`, whose wildcard paths throw on class instances such as URLs.
 */
function complete(fields: object): Record<string, unknown> {
  const censoredFields = Object.entries(fields).map(([name, value]) => [
    name,
    Object.hasOwn(serializers, name) ? value : censored(name, value)
  ])
  return { ...traceFields(), ...Object.fromEntries(censoredFields) }
}

function censored(name: string, value: unknown, levels: number = SECRET_LEVELS): unknown {
  if (secretNames.includes(name)) return '[secret]'
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

/** Longer than any valid path or address. */
const LONGEST = 200

/** Truncates a string, and replaces bytes that terminals might interpret. */
const cleaned = (text: string) => truncated(text, LONGEST).replace(/[^!-~…]/g, '?')

const pathOf = (url: string) => cleaned(url.replace(/\?.*/s, ''))

interface LoggedError {
  [field: string]: unknown
  type: string
  message: string
  stack: string
}

/** Longer than any message of the service's own errors. */
const LONGEST_ERROR = 8192
const MOST_CAUSES = 5

const bounded = (value: unknown) => truncated(String(value), LONGEST_ERROR)

/**
 * Serializes an error without extra fields, except its codes: HTTP client errors can contain requests and bodies. An
 * integrator's error can be of any length, be its own cause, or throw when accessed.
 */
function errorFields(error: unknown, causes = MOST_CAUSES): LoggedError {
  try {
    if (!(error instanceof Error)) return { type: typeof error, message: 'not an error', stack: '' }
    const { name, message, stack = '', cause } = error
    return {
      type: bounded(name),
      message: bounded(message),
      ...('code' in error && { code: bounded(error.code) }),
      ...('codespace' in error && { codespace: bounded(error.codespace) }),
      stack: bounded(stack),
      ...(cause !== undefined && causes > 0 && { cause: errorFields(cause, causes - 1) })
    }
  } catch {
    return { type: typeof error, message: 'an error whose properties throw when accessed', stack: '' }
  }
}

/** An integrator's code can log anything as a request or reply, and logging must not throw. */
function requestFields(value: unknown) {
  const { method, url, ip }: Record<string, unknown> = Object(value)
  return {
    ...(typeof method === 'string' && { method }),
    ...(typeof url === 'string' && { path: pathOf(url) }),
    ...(typeof ip === 'string' && { ip: cleaned(ip) })
  }
}

function replyFields(value: unknown) {
  const { statusCode }: Record<string, unknown> = Object(value)
  return typeof statusCode === 'number' ? { statusCode } : {}
}

const serializers = { req: requestFields, res: replyFields, err: (error: unknown) => errorFields(error) }

/** A bundled server has no pino-pretty. */
const isSource = import.meta.filename.endsWith('.ts')

/** Writes asynchronously. The last lines are flushed on exit, but lost if the process is killed. */
const stdout = pino.destination({ sync: false })

export function logStreamOf({ NODE_ENV }: Pick<Config, 'NODE_ENV'>): LogStream {
  const isPretty = isSource && NODE_ENV === 'development' && process.stdout.isTTY
  return isPretty ? pino.transport({ target: 'pino-pretty', options: { ignore: 'pid,hostname' } }) : stdout
}

/** Returns the logger's options. The serializers log only listed fields and no secrets. */
export function loggerOptions({ LOG_LEVEL }: Pick<Config, 'LOG_LEVEL'>, stream: LogStream) {
  return { level: LOG_LEVEL, formatters: { log: complete }, serializers, stream }
}
