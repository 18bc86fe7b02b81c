import type { FastifyRequest } from 'fastify'
import pino from 'pino'
import { scrubbed, shown, terminalLines } from '../services/errors/shown.ts'
import { traceFields } from '../services/tracing/index.ts'
import type { Config } from './index.ts'

export interface LogStream {
  write(line: string): void
}

const SECRET_NAMES = ['mnemonic', 'secrets', 'privateKey', 'kycApiKey', 'authorization', 'cookie', 'password']

/** Redacts secrets logged by mistake. pino's `redact` throws on class instances such as URLs. */
function redacted(fields: object, levels = 2): Record<string, unknown> {
  const entries = Object.entries(fields).map(([name, value]) => [
    name,
    SECRET_NAMES.includes(name) ? '[secret]' : redactedValue(value, levels)
  ])
  return Object.fromEntries(entries)
}

function redactedValue(value: unknown, levels: number): unknown {
  if (levels === 0 || !isPlain(value)) return value
  if (Array.isArray(value)) return value.map(entry => redactedValue(entry, levels - 1))
  return redacted(value, levels - 1)
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null || prototype === Array.prototype
}

/** The maximum length of a logged value, which is longer than any valid path or address. */
const MAX_LENGTH = 200

/** Truncates a string, and replaces bytes that terminals might interpret. */
const ascii = (text: unknown) => shown(String(text), MAX_LENGTH).replace(/[^!-~…]/g, '?')

/** The maximum length of a logged error, which is longer than any message of the service's own errors. */
const MAX_ERROR = 8192
const MAX_CAUSES = 5

interface LoggedError {
  [field: string]: unknown
  type: string
  message: string
  stack: string
}

const bounded = (value: unknown) => scrubbed(String(value), MAX_ERROR, true)

/** Serializes an error without extra fields, except its codes: HTTP client errors can contain requests and bodies. */
function errorFields(error: unknown, causes = MAX_CAUSES): LoggedError {
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
}

const serializers = {
  req(request: Partial<FastifyRequest>) {
    const { method = '', originalUrl = '' } = request
    return { method, path: ascii(originalUrl.replace(/\?.*/s, '')), ip: ascii(request.address || request.ip) }
  },
  // pino would pass further arguments.
  err: (error: unknown) => errorFields(error)
}

const UNSAFE = /[^ -~]|\\[^nt"\\/]/

/** Viewers print the strings of a line, so what terminals interpret must be an escape in the string, not in the JSON. */
function forViewers(line: string): string {
  const json = line.trimEnd()
  if (!UNSAFE.test(json)) return line
  return terminalLines(json).replace(/\\(.)/g, (escaped, kind) =>
    /[nt"\\/]/.test(kind) ? escaped : `\\${escaped}`
  )
}

/** A bundled server has no pino-pretty. */
const isSource = import.meta.filename.endsWith('.ts')

/** The maximum number of bytes of lines that cannot be written yet. Later ones are dropped. */
const MAX_UNWRITTEN = 16 * 1024 * 1024

/**
 * Writes log lines in batches, at most 100 ms late: a write per line would take an eighth of a GET request's CPU time. The
 * last lines are flushed on exit, but lost if the process is killed.
 */
const stdout = pino.destination({
  sync: false,
  minLength: 4096,
  periodicFlush: 100,
  maxLength: MAX_UNWRITTEN
})
let isFailing = false
stdout.on('write', () => {
  isFailing = false
})
// Without a listener, an error such as a full disk would stop the server. The lines are written once that is possible.
stdout.on('error', () => {
  isFailing = true
})
const { flushSync } = stdout
// Called on exit. While writing fails, it would never return.
stdout.flushSync = () => {
  if (!isFailing) flushSync.call(stdout)
}

export function logStreamOf({ NODE_ENV }: Pick<Config, 'NODE_ENV'>): LogStream {
  const isPretty = isSource && NODE_ENV === 'development' && process.stdout.isTTY
  return isPretty ? pino.transport({ target: 'pino-pretty', options: { ignore: 'pid,hostname' } }) : stdout
}

/** Returns the logger's options. The serializers log only listed fields and no secrets. */
export function loggerOptions({ LOG_LEVEL }: Pick<Config, 'LOG_LEVEL'>, stream: LogStream) {
  return {
    level: LOG_LEVEL,
    mixin: () => ({ ...traceFields() }),
    formatters: { log: redacted },
    serializers,
    hooks: { streamWrite: forViewers },
    stream
  }
}
