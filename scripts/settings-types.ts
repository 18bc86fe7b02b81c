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

/** Creates the declaration of `Config` for the package. The schema's own types would require TypeBox. */
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
  return `export type Config = Readonly<${typeOf({ ...SettingsSchema, required })}>\n`
}
