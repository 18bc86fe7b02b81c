import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import type { TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { ConfigError, problem, REPORTED } from './problems.ts'
import { ConfigSchema } from './schema.ts'
import { fileVariable, readSecretFiles, secretNames } from './secret-variables.ts'

/** Environment variables, such as `process.env`. */
export type Environment = Record<string, string | undefined>

/**
 * Reads a `.env` file. A file that does not exist has no variables.
 * @throws ConfigError when the file cannot be read
 */
export function readEnvFile(path: string): Environment {
  try {
    return { ...parseEnv(readFileSync(path, 'utf8')) }
  } catch (err) {
    const code = err instanceof Error && 'code' in err ? err.code : undefined
    if (code === 'ENOENT') return {}
    throw new ConfigError([problem(path, `cannot be read (${code})`, 'a readable file, or none')])
  }
}

/** Turns a text into the value that its schema asks for. A text that does not fit stays, and the check refuses it. */
function readText(schema: TSchema, text: string): unknown {
  if (schema['anyOf'] !== undefined) {
    const members: TSchema[] = schema['anyOf']
    const fitting = members.find(member => Value.Check(member, readText(member, text)))
    return fitting === undefined ? text : readText(fitting, text)
  }
  if (schema['type'] === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  if (schema['type'] === 'integer') return /^-?\d{1,15}$/.test(text) ? Number(text) : text
  if (schema['type'] === 'object') return readJson(text)
  if (schema['type'] === 'array') {
    const entries = text.split(',').map(entry => entry.trim())
    return entries.filter(entry => entry !== '').map(entry => readText(schema['items'], entry))
  }
  return String(schema['format']).endsWith('-url') && !text.includes('?')
    ? text.replace(/(?<!\/)\/+$/, '')
    : text
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Every variable that the service reads. */
export const variableNames = [...Object.keys(ConfigSchema.properties), ...secretNames.map(fileVariable)]

/** What is set. */
export interface Read {
  /** By name, as their schemas ask for them; a secret whose file cannot be used is `REPORTED`. */
  readonly values: Record<string, unknown>
  /** One line for each file of a secret that cannot be used. */
  readonly problems: readonly string[]
  /** The variable to which the operator gave that value: NAME, or NAME_FILE for a secret from a file. */
  nameOf(name: string): string
}

/** Reads the variables of the schema. An empty text counts as unset (interface 1.2), earlier sources win. */
export function readVariables(...sources: Environment[]): Read {
  const given: Environment = {}
  for (const name of variableNames) {
    const text = sources.map(source => source[name]?.trim()).find(Boolean)
    if (text !== undefined) given[name] = text
  }
  const { texts, problems } = readSecretFiles(given)
  const values: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(ConfigSchema.properties)) {
    const text = texts[name] ?? given[name]
    if (problems.has(name)) values[name] = REPORTED
    else if (text !== undefined) values[name] = readText(schema, text)
  }
  return {
    values,
    problems: [...problems.values()],
    nameOf: name => (texts[name] === undefined ? name : fileVariable(name))
  }
}
