import type { Values } from './rules.ts'

/** Variables that this version knows and cannot honour yet (interface 1.15). */
const unsupported = ['DATABASE_URL'] as const

/** An operator who asks for a database must not get a server that silently runs without it. */
export function unsupportedSettings(values: Values): string[] {
  return unsupported
    .filter(name => values[name] !== undefined)
    .map(name => `${name} is not supported by this version; expected it to be unset`)
}
