import { problem } from './problems.ts'
import type { Environment } from './read.ts'
import type { Values } from './rules.ts'

/** Variables that this version knows and cannot honour yet (interface 1.15). */
const unsupported = ['DATABASE_URL'] as const

/** An operator who asks for a database must not get a server that silently runs without it. */
export function unsupportedSettings(values: Values): string[] {
  return unsupported
    .filter(name => values[name] !== undefined)
    .map(name => `${name} is not supported by this version; expected it to be unset`)
}

/** Former names, each with what replaces it. A server must not start and quietly ignore a setting of its operator. */
const replaced = {
  SERVICE_STATUS_FORMAT:
    'SERVICE_ANSWER_FORMAT (`documented` in place of `list`, `widget` in place of `object`)'
} as const

export function replacedSettings(sources: readonly Environment[]): string[] {
  return Object.entries(replaced)
    .filter(([name]) => sources.some(source => source[name]?.trim()))
    .map(([name, successor]) => problem(name, 'has another name now', successor))
}
