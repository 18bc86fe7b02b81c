import { type TSchema, TypeGuard } from '@sinclair/typebox'
import { ConfigSchema, fileVariable, secretNames } from '../config/schema.ts'

const MAX_LINE = 120

/** Splits a text into comment lines. */
function comment(text: string): string[] {
  const lines = ['#']
  for (const word of text.split(' ')) {
    const line = `${lines.at(-1)} ${word}`
    if (line.length > MAX_LINE) lines.push(`# ${word}`)
    else lines[lines.length - 1] = line
  }
  return lines
}

const settings = Object.entries<TSchema>(ConfigSchema.properties)
const titles = [...new Set(settings.map(([, schema]) => String(schema['section'])))]

/** Writes the parts of each section, in the order of the schema. */
const bySection = (part: (name: string, schema: TSchema) => string[]) =>
  titles.map(title => ({
    title,
    parts: settings.filter(([, { section }]) => section === title).flatMap(setting => part(...setting))
  }))

function sampleOf(name: string, schema: TSchema): string[] {
  const { default: preset, derived, example, description } = schema
  const isRequired = !TypeGuard.IsOptional(schema) && preset === undefined
  // A choice has a harmless example. Without the other values nothing works, so they are for the operator to fill in.
  const isBlank = isRequired && schema['anyOf'] === undefined
  const more = [
    ...(derived === undefined ? [] : [`Default: ${derived}.`]),
    ...(isBlank && example ? [`Example: ${example}`] : [])
  ]
  const file = `# ${fileVariable(name)}=/run/secrets/${name.toLowerCase().replaceAll('_', '-')}`
  return [
    '',
    ...comment([description, ...more].join(' ')),
    `${isRequired ? '' : '# '}${name}=${isBlank ? '' : (preset ?? example)}`,
    ...(secretNames.includes(name) ? [file] : [])
  ]
}

const envSample = () =>
  [
    ...comment('Written by `npm run settings` from config/schema.ts; docs/settings.md has the formats.'),
    '#',
    ...comment(
      'Copy this file to .env and fill in the required values. Each line is empty, a comment that begins with #, or `NAME=value`; ' +
        'a value with # or quotes needs quotes around it. The environment takes precedence over the file, and an empty value ' +
        'counts as unset. The values of the chain come from its operator (docs/chain-operator.md). ' +
        'A secret comes from its variable or from the file in the variable that ends in _FILE: set one of the two, better the ' +
        'file, and never commit either. If a value is missing, malformed or contradicts another, the server prints one line ' +
        'per problem and exits with code 1. Traces have variables of their own (docs/configuration.md#traces).'
    ),
    ...bySection(sampleOf).flatMap(({ title, parts }) => ['', `# --- ${title} ---`, ...parts])
  ].join('\n')

const linked = (text: string) => text.replace(/docs\/([\w/-]+\.md)(#[\w-]+)?/g, '[$1]($1$2)')

function rowOf(name: string, schema: TSchema): string[] {
  const { default: preset, description = '', expected } = schema
  const isOptional = TypeGuard.IsOptional(schema)
  const standard =
    preset !== undefined ? `\`${preset}\`` : (schema['derived'] ?? (isOptional ? 'none' : '**required**'))
  const secret = secretNames.includes(name) ? ' *Secret.*' : ''
  return [`| \`${name}\` | ${linked(description)}${secret} | ${standard} | ${expected} |`]
}

const page = () => `# Settings

For operators: every setting of the service, with its default and format. Settings are environment variables, or lines of a file \`.env\` in
the working directory; the environment takes precedence. In the file, each line is empty, a comment that begins with \`#\`, or \`NAME=value\`,
each name once; a value with \`#\` or quotes needs quotes around it. Any other line prevents startup. They are read once, at startup. A value that is missing, malformed or contradicts
another prevents startup, with one line per problem. A warning in the log lists unknown variables that begin with \`SERVICE_\`.

A *secret* must stay [secret](configuration.md#secrets), because the value, or a key in its URL, gives access to something. It comes from its
variable or from a file whose path is in the variable of the same name with \`_FILE\` appended, such as \`KYC_API_KEY_FILE\`.

This page and \`.env.sample\` are written by \`npm run settings\` from \`config/schema.ts\`.
${bySection(rowOf)
  .map(
    ({ title, parts }) =>
      `\n## ${title}\n\n| Setting | Meaning | Default | Format |\n|---|---|---|---|\n${parts.join('\n')}\n`
  )
  .join('')}`

/** Returns the files that describe the settings, by path. */
export const settingsFiles = (): Record<string, string> => ({
  '.env.sample': `${envSample()}\n`,
  'docs/settings.md': page()
})
