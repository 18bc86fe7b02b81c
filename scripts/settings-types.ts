import type { TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { withDerivedDefaults } from '../config/index.ts'
import { SettingsSchema } from '../config/schema.ts'

/** Converts a schema to a TypeScript type. */
function typeOf({ anyOf, const: literal, type, items, properties, required = [] }: TSchema): string {
  if (anyOf !== undefined) return anyOf.map(typeOf).join(' | ')
  if (literal !== undefined) return JSON.stringify(literal)
  if (type === 'array') return `(${typeOf(items)})[]`
  if (type === 'integer') return 'number'
  if (type !== 'object') return type
  const members = Object.entries<TSchema>(properties).map(
    ([name, member]) => `${name}${required.includes(name) ? '' : '?'}: ${typeOf(member)}`
  )
  return `{\n${members.join('\n')}\n}`
}

/** Creates the declarations of `config/index.ts` for the package. The schema's own types would require TypeBox. */
export function settingsTypes(): string {
  // The required variables and a few others. With a gas price of 0, the daily fee limit is undefined, so its type
  // becomes optional.
  const given = {
    SERVICE_ENVIRONMENT: 'testnet',
    NODE_ENV: 'production',
    DOMAIN: ['*'],
    SERVICE_GAS_PRICE: '0'
  }
  const settings = Object.entries(withDerivedDefaults(Value.Cast(SettingsSchema, given)))
  const required = settings.flatMap(([name, value]) => (value === undefined ? [] : [name]))
  return `export type Config = Readonly<${typeOf({ ...SettingsSchema, required })}>
export interface Configuration {
  /** The settings, keyed by variable name, with defaults and without secrets. */
  readonly config: Config
  /** Pass them on unread: they are not part of the API, and must never be logged. */
  readonly secrets: object
  /** Messages with the variables that they concern, which the service logs when it starts. */
  readonly warnings: readonly (readonly [message: string, variables: string[]])[]
}
/**
 * Reads the variables described in \`.env.sample\`, and removes the secrets from \`env\`.
 * @param env usually \`process.env\`, or another object with the same variables
 * @param options.envFile path of an optional file with variables; those in \`env\` take precedence
 * @throws Error named \`ConfigError\`; its \`problems\` has one string per problem, without values
 */
export declare function loadConfig(
  env: Record<string, string | undefined>,
  options?: { envFile?: string }
): Configuration
`
}
