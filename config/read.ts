import { type TSchema, TypeGuard } from '@sinclair/typebox'
import { Value, type ValueError, ValueErrorType } from '@sinclair/typebox/value'
import { ConfigError, configError, problem } from '../services/config-error.ts'
import { parseJson, repeatsName } from '../services/json.ts'
import { readNamedFile } from '../services/named-file.ts'
import { ConfigSchema, fileVariable, secretNames } from './schema.ts'

export type Environment = Record<string, string | undefined>

/** The variables that are set, with trimmed values. */
export type Given = Readonly<Record<string, string>>

/** Merges environments. A blank value counts as unset (interface 1.1). Later sources take precedence. */
export function merge(...sources: Environment[]): Given {
  const all = sources.flatMap(Object.entries<string | undefined>)
  return Object.fromEntries(
    all.map(([name, value = '']) => [name, value.trim()] as const).filter(([, value]) => value !== '')
  )
}

/** Converts a string to the type in its schema, if possible; validation rejects other strings. */
function readText(schema: TSchema, text: string): unknown {
  for (const member of schema['anyOf'] ?? []) {
    const value = readText(member, text)
    if (Value.Check(member, value)) return value
  }
  switch (schema['type']) {
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text
    case 'integer':
      return /^-?\d{1,15}$/.test(text) ? Number(text) : text
    case 'object':
      return parseJson(text) ?? text
    case 'array': {
      const entries = text.split(',').map(entry => entry.trim())
      return entries.filter(entry => entry !== '').map(entry => readText(schema['items'], entry))
    }
  }
  if (!String(schema['format']).endsWith('-url') || !URL.canParse(text)) return text
  // Normalize the URL, so that no node is listed twice in different spellings.
  const { href, search } = new URL(text)
  return search === '' ? href.replace(/(?<!\/)\/+$/, '') : href
}

export const variableNames = [...Object.keys(ConfigSchema.properties), ...secretNames.map(fileVariable)]

export interface Read {
  /** Null for a secret whose file is unusable, which `problems` reports. */
  readonly values: Record<string, unknown>
  readonly problems: readonly string[]
  /** Returns the variable that the operator set: NAME, or NAME_FILE for a secret in a file. */
  nameOf(name: string): string
}

export function readVariables(given: Given): Read {
  const values: Record<string, unknown> = {}
  const problems: string[] = []
  const inFiles = new Set<string>()
  const nameOf = (name: string) => (inFiles.has(name) ? fileVariable(name) : name)

  /** Returns a variable's value, read from a file for NAME_FILE. @throws ConfigError */
  function textOf(name: string, { expected }: TSchema): string | undefined {
    const path = secretNames.includes(name) ? given[fileVariable(name)] : undefined
    if (path === undefined) return given[name]
    inFiles.add(name)
    if (given[name] !== undefined)
      throw configError(name, `and ${fileVariable(name)} are both set`, 'only one of them')
    return readNamedFile(fileVariable(name), path, expected)
  }

  for (const [name, schema] of Object.entries(ConfigSchema.properties)) {
    const text = attempt(problems, () => {
      const given = textOf(name, schema) ?? ''
      if (schema['type'] !== 'object' || !repeatsName(given)) return given
      throw configError(nameOf(name), 'has a property name twice', schema['expected'])
    })
    if (text === undefined) {
      values[name] = null
      continue
    }
    const value = Value.Default(schema, text === '' ? undefined : readText(schema, text))
    if (value !== undefined) values[name] = value
    problems.push(...schemaProblems(name, schema, value, nameOf(name)))
  }
  return { values, nameOf, problems }
}

/** Runs `read`. Returns undefined if it throws a ConfigError, and adds the error's problems to `problems`. */
export function attempt<T>(problems: string[], read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    problems.push(...error.problems)
    return undefined
  }
}

const wrongs: Partial<Record<ValueErrorType, string>> = {
  [ValueErrorType.ObjectRequiredProperty]: 'is missing',
  [ValueErrorType.ObjectAdditionalProperties]: 'has an unknown property',
  [ValueErrorType.ObjectMinProperties]: 'is empty',
  [ValueErrorType.ArrayMinItems]: 'is empty',
  [ValueErrorType.ArrayUniqueItems]: 'contains a duplicate entry',
  [ValueErrorType.IntegerMinimum]: 'is too small',
  [ValueErrorType.IntegerMaximum]: 'is too large',
  [ValueErrorType.Integer]: 'is not a whole number',
  [ValueErrorType.Object]: 'is not a JSON object',
  [ValueErrorType.Union]: 'has an unknown value'
}

function schemaProblems(name: string, schema: TSchema, value: unknown, variable: string): string[] {
  if (value === undefined) {
    if (TypeGuard.IsOptional(schema)) return []
    const file = secretNames.includes(name) ? `, or ${fileVariable(name)}` : ''
    return [problem(name, 'is missing', `${schema['expected']}${file}`)]
  }
  const error = Value.Errors(schema, value).First()
  if (error === undefined) return []
  const wrong = wrongs[error.type] ?? 'is malformed'
  return [problem(variable, `${wrong}${place(error)}`, schema['expected'])]
}

/** Describes where a value is wrong: the number of the list entry, or the JSON path. */
function place({ path }: ValueError): string {
  const [, first, ...rest] = path.split('/')
  if (first === undefined) return ''
  return /^\d+$/.test(first) ? ` in entry ${Number(first) + 1}` : ` at \`${[first, ...rest].join('.')}\``
}
