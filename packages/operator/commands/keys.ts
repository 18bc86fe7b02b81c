import { createKey, hashOf, KeyFileError, parseKeyFile, scopes } from '../../../services/callers/key-file.ts'
import { duration, oneOf, readArguments, wholeNumber } from '../arguments.ts'
import type { Command } from '../command.ts'
import { UsageError } from '../errors.ts'

const PUBLIC_WARNING =
  'Warning: a key in a web page is public, and --origins restricts only browsers. Anyone can list the submissions with this key.'

export const keys: Command = {
  arguments: 'create NAME --scopes LIST [--quota N] [--origins LIST] [--expires TIME]',
  summary: 'creates an API key and its entry for the key file',
  details: `  NAME             has lower-case letters, digits and hyphens
  --scopes LIST    comma-separated: ${scopes.join(', ')}
  --quota N        maximum number of requests per minute
  --origins LIST   origins of web pages that may use the key (default: none, which excludes browsers)
  --expires TIME   lifetime of the key, such as 90d (default: unlimited)
Prints the key once, and the entry for \`callers\` in SERVICE_API_KEYS_FILE, which has only its hash. Writes no file: add the
entry, or only its key to \`keys\` of an existing caller, and restart the servers.`,
  async run(argv, context) {
    const [action = '', ...rest] = argv
    oneOf('keys', action, ['create'])
    const { argument: name, values } = readArguments(
      rest,
      {
        scopes: { type: 'string' },
        quota: { type: 'string' },
        origins: { type: 'string' },
        expires: { type: 'string' }
      },
      'NAME'
    )
    const { quota, origins, expires } = values
    const key = createKey()
    const may = entries(values.scopes ?? '')
    const entry = {
      name,
      scopes: [...new Set(may)],
      ...(quota !== undefined && { quota: wholeNumber('--quota', quota, 1) }),
      ...(origins !== undefined && { origins: entries(origins) }),
      keys: [{ hash: hashOf(key), ...(expires !== undefined && { expiresAt: after('--expires', expires) }) }]
    }
    assertUsable(entry)
    const isPublic = origins !== undefined && may.some(scope => scope !== 'submit')
    const warnings = isPublic ? [PUBLIC_WARNING] : []
    context.report(
      { key, entry, warnings },
      ...warnings,
      `The key of ${name}, shown only once:`,
      key,
      'Its entry:',
      JSON.stringify(entry)
    )
    return 0
  }
}

/** The last time of a Date, in milliseconds, which the key file rejects. */
const END_OF_TIME = 8.64e15

const after = (option: string, text: string) =>
  new Date(Math.min(END_OF_TIME, Date.now() + duration(option, text))).toISOString()

const entries = (text: string) =>
  text
    .split(',')
    .map(entry => entry.trim())
    .filter(entry => entry !== '')

/** @throws UsageError if servers would reject the entry */
function assertUsable(entry: object): void {
  try {
    parseKeyFile(JSON.stringify({ callers: [entry] }))
  } catch (error) {
    if (!(error instanceof KeyFileError)) throw error
    throw new UsageError(`the entry ${error.message.replace('callers.0.', '')}`)
  }
}
