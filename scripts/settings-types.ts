import type { TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { withDerivedDefaults } from '../config/index.ts'
import { SettingsSchema } from '../config/schema.ts'

/** The TypeScript type of a schema's values. */
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

/** The declarations of config/index.ts for users of the package, which does not include TypeBox for the schema's types. */
export function settingsTypes(): string {
  // A start with little else than the required variables. Without a price of gas there is no daily limit.
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
