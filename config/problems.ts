import type { TSchema } from '@sinclair/typebox'
import { Value, type ValueError, ValueErrorType } from '@sinclair/typebox/value'
import { ConfigSchema } from './schema.ts'

/** The service cannot start with this configuration. No problem contains a value (interface 1.5). */
export class ConfigError extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`The configuration has ${problems.length} problem${problems.length === 1 ? '' : 's'}`)
    this.name = 'ConfigError'
    this.problems = problems
  }
}

/** One line about one variable. It never contains a value, because a secret may be in the wrong variable. */
export function problem(variable: string, wrong: string, expected: string): string {
  return `${variable} ${wrong}; expected ${expected}`
}

/** The value of a variable that is set and cannot be read. There is a line about it already. */
export const REPORTED = Symbol('reported')

const wrongs: Partial<Record<ValueErrorType, string>> = {
  [ValueErrorType.ObjectRequiredProperty]: 'is missing',
  [ValueErrorType.ObjectAdditionalProperties]: 'has an unknown property',
  [ValueErrorType.ObjectMinProperties]: 'is empty',
  [ValueErrorType.ArrayMinItems]: 'is empty',
  [ValueErrorType.ArrayUniqueItems]: 'lists an entry twice',
  [ValueErrorType.StringMinLength]: 'is empty',
  [ValueErrorType.StringFormat]: 'is malformed',
  [ValueErrorType.StringPattern]: 'is malformed',
  [ValueErrorType.IntegerMinimum]: 'is too small',
  [ValueErrorType.IntegerMaximum]: 'is too large',
  [ValueErrorType.Integer]: 'is not a whole number',
  [ValueErrorType.Object]: 'is not a JSON object',
  [ValueErrorType.Union]: 'has an unknown value'
}

/** The place inside a variable: the number of a list entry, or the path into JSON. */
function place(inside: string[]): string {
  if (inside.length === 0) return ''
  const [first = ''] = inside
  return /^\d+$/.test(first) ? ` in entry ${Number(first) + 1}` : ` at \`${inside.join('.')}\``
}

function describe(variable: string, schema: TSchema, error: ValueError): string {
  const [, , ...inside] = error.path.split('/')
  const wrong = wrongs[error.type] ?? 'is malformed'
  return problem(variable, `${wrong}${place(inside)}`, schema['expected'])
}

/**
 * Checks the values against the schema: at most one line per variable.
 * @param nameOf the name of the variable that the operator has set, for a line about it
 */
export function schemaProblems(values: Record<string, unknown>, nameOf: (name: string) => string): string[] {
  const lines = new Map<string, string>()
  for (const error of Value.Errors(ConfigSchema, values)) {
    const name = error.path.split('/')[1] ?? ''
    const schema = Object.entries(ConfigSchema.properties).find(([property]) => property === name)?.[1]
    if (schema === undefined || lines.has(name) || values[name] === REPORTED) continue
    lines.set(name, describe(nameOf(name), schema, error))
  }
  return [...lines.values()]
}
