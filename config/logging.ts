import pino from 'pino'
import { currentContext, traceFields } from '../services/tracing/index.ts'
import type { Config } from './index.ts'

/** Gets whole lines. */
export interface LogStream {
  write(line: string): void
}

/** Fields whose values are replaced in the log, at most two levels deep in a logged object. */
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
 * Adds the trace of the request (interface 14.16), and replaces what code logs by mistake. What has a serializer is left to
 * that. The logger's own `redact` throws where a path with `*` meets a URL, and other objects of classes.
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

/** What a client wrote, cut, and without bytes that terminals act on (interface 14.12). */
function cleaned(text: string): string {
  const cut = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
  return cut.replace(/[^!-~…]/g, '?')
}

/** Without the query, which holds addresses and seeds. */
function pathOf(url: string): string {
  const end = url.indexOf('?')
  return cleaned(end === -1 ? url : url.slice(0, end))
}

interface LoggedError {
  [field: string]: unknown
  type: string
  message: string
  stack: string
}

/** Longer than any text of the service's own errors, in characters. */
const LONGEST_ERROR = 8192
const MOST_CAUSES = 5

function bounded(value: unknown): string {
  const text = String(value)
  return text.length > LONGEST_ERROR ? `${text.slice(0, LONGEST_ERROR)}…` : text
}

/**
 * Logs an error's codes but no other field of its own: errors of HTTP clients carry whole requests and bodies. One of an
 * integrator's may be of any length, its own cause, or throw when it is read.
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

/** An integrator's code may log anything under the names of requests and replies, and a line must not throw. */
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

/** Readable lines are for development from the sources: a built server has no pino-pretty. */
const isSource = import.meta.filename.endsWith('.ts')

/** A process that ends writes its last lines; one that is killed cannot. */
const stdout = pino.destination({ sync: false })

/** Where the log goes: to stdout, as readable lines at a terminal in development. */
export function logStreamOf({ NODE_ENV }: Pick<Config, 'NODE_ENV'>): LogStream {
  const isPretty = isSource && NODE_ENV === 'development' && process.stdout.isTTY
  return isPretty ? pino.transport({ target: 'pino-pretty', options: { ignore: 'pid,hostname' } }) : stdout
}

/** Options of the logger: listed fields only, no secrets. */
export function loggerOptions({ LOG_LEVEL }: Pick<Config, 'LOG_LEVEL'>, stream: LogStream) {
  return { level: LOG_LEVEL, formatters: { log: complete }, serializers, stream }
}
