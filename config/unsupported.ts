import type { Values } from './rules.ts'

/** Variables of the contract that this version cannot honour yet. */
const unsupported = ['DATABASE_URL'] as const

/** An operator who asks for a safeguard or a database must not get a server that silently runs without it. */
export function unsupportedSettings(values: Values): string[] {
  return unsupported
    .filter(name => values[name] !== undefined)
    .map(name => `${name} is not supported by this version; expected it to be unset`)
}
