import {
  closeSync,
  existsSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync
} from 'node:fs'
import {
  type CallerEntry,
  createKey,
  formatKeyFile,
  hashOf,
  isName,
  parseKeyFile,
  scopes
} from '../../../services/callers/key-file.ts'
import { parseOriginPattern } from '../../../services/http/origins.ts'
import { FileError, LARGEST } from '../../../services/named-file.ts'
import { duration, matching, oneOf, readArguments, wholeNumber } from '../arguments.ts'
import type { Command } from '../command.ts'
import { OperatorError, UsageError } from '../errors.ts'
import { table } from './list.ts'

const keyActions = ['list', 'add', 'rotate', 'end'] as const

/** The actions. Each runs on the key file and returns the lines to print. */
const actions = { list, add, rotate, end }

export const keys: Command = {
  arguments: 'list | add NAME --scopes LIST [options] | rotate NAME [--keep TIME] | end NAME',
  summary: 'manages the API keys of callers, in SERVICE_API_KEYS_FILE',
  details: `  list             lists the callers and their permissions
  add NAME         adds a caller and prints its key once; NAME has lower-case letters, digits and hyphens
    --scopes LIST    comma-separated: ${scopes.join(', ')}
    --quota N        maximum number of requests per minute
    --origins LIST   origins of web pages that may use the key (default: none, which excludes browsers)
    --expires TIME   lifetime of the key, such as 90d (default: unlimited)
  rotate NAME      adds a new key to a caller and prints it once
    --keep TIME      how long the older keys stay valid, such as 1d (default: revoked now)
    --expires TIME   lifetime of the new key (default: expires when the previous key would have)
  end NAME         revokes all keys of a caller permanently; the name cannot be reused
Running servers reload the file within seconds.`,
  async run(argv, context) {
    const [action = '', ...rest] = argv
    const path = context.config.SERVICE_API_KEYS_FILE
    if (path === undefined) throw new OperatorError('SERVICE_API_KEYS_FILE is not set')
    context.print(...actions[oneOf('keys', action, keyActions)](path, rest))
    return 0
  }
}

const PUBLIC_WARNING =
  'Warning: a key in a web page is public, and --origins restricts only browsers. Anyone can list the submissions with this key.'

function list(path: string, argv: string[]): string[] {
  readArguments(argv, {})
  return table(
    read(path).map(({ name, scopes: may, quota = null, origins = [], keys: own, endedAt }) => ({
      name,
      scopes: may.join(','),
      quota,
      origins: origins.join(',') || null,
      keys: endedAt
        ? `ended ${endedAt}`
        : own.map(({ expiresAt }) => (expiresAt ? `until ${expiresAt}` : 'valid')).join(', ')
    }))
  )
}

function add(path: string, argv: string[]): string[] {
  const { argument: name, values } = readArguments(
    argv,
    {
      scopes: { type: 'string' },
      quota: { type: 'string' },
      origins: { type: 'string' },
      expires: { type: 'string' }
    },
    'NAME'
  )
  if (!isName(name))
    throw new UsageError(
      `NAME ${name}: expected a lower-case letter followed by up to 62 lower-case letters, digits or hyphens`
    )
  const { quota, expires } = values
  const own = entries(matching('--scopes', values.scopes, /./, `some of ${scopes.join(', ')}`)).map(scope =>
    oneOf('--scopes', scope, scopes)
  )
  const origins = values.origins === undefined ? [] : entries(values.origins)
  const wrong = origins.find(origin => parseOriginPattern(origin) === undefined)
  if (wrong !== undefined)
    throw new UsageError(`--origins ${wrong}: expected an origin such as https://shop.example`)
  const most = quota === undefined ? undefined : wholeNumber('--quota', quota, 1)
  const lifetime = expires === undefined ? undefined : duration('--expires', expires)
  return change(path, callers => {
    if (callers.some(caller => caller.name === name))
      throw new OperatorError(
        `the caller ${name} already exists; to create another key, run keys rotate ${name}`
      )
    const { key, entry } = newKey(lifetime === undefined ? undefined : after(lifetime))
    callers.push({
      name,
      scopes: [...new Set(own)],
      ...(most !== undefined && { quota: most }),
      ...(origins.length > 0 && { origins }),
      keys: [entry]
    })
    const isPublic = origins.length > 0 && own.some(scope => scope !== 'submit')
    return [...(isPublic ? [PUBLIC_WARNING] : []), ...announce(name, key)]
  })
}

function rotate(path: string, argv: string[]): string[] {
  const { argument: name, values } = readArguments(
    argv,
    { keep: { type: 'string' }, expires: { type: 'string' } },
    'NAME'
  )
  const keptMs = values.keep === undefined ? 0 : duration('--keep', values.keep)
  const lifetime = values.expires === undefined ? undefined : duration('--expires', values.expires)
  return change(path, callers => {
    const caller = find(callers, name)
    const expiresAt = lifetime === undefined ? caller.keys.at(-1)?.expiresAt : after(lifetime)
    if (expiresAt !== undefined && Date.parse(expiresAt) <= Date.now())
      throw new OperatorError(
        `the key of ${name} expired on ${expiresAt}; set the lifetime of the new key with --expires`
      )
    const { key, entry } = newKey(expiresAt)
    const end = after(keptMs)
    const kept = caller.keys.map(({ expiresAt, ...older }) => ({
      ...older,
      expiresAt: expiresAt !== undefined && expiresAt < end ? expiresAt : end
    }))
    caller.keys = [...kept.filter(({ expiresAt }) => Date.parse(expiresAt) > Date.now()), entry]
    return announce(caller.name, key)
  })
}

function end(path: string, argv: string[]): string[] {
  const { argument: name } = readArguments(argv, {}, 'NAME')
  return change(path, callers => {
    const caller = find(callers, name)
    caller.endedAt = new Date().toISOString()
    return [`The keys of ${caller.name} are revoked.`]
  })
}

/** Finds an active caller by name. @throws OperatorError when there is no such caller, or its keys were revoked */
function find(callers: CallerEntry[], name: string): CallerEntry {
  const caller = callers.find(entry => entry.name === name)
  if (caller === undefined) throw new OperatorError(`there is no caller ${name}`)
  if (caller.endedAt !== undefined)
    throw new OperatorError(`the keys of ${name} were revoked on ${caller.endedAt}`)
  return caller
}

const after = (ms: number) => new Date(Date.now() + ms).toISOString()

function newKey(expiresAt: string | undefined) {
  const key = createKey()
  return { key, entry: { hash: hashOf(key), createdAt: after(0), ...(expiresAt && { expiresAt }) } }
}

const announce = (name: string, key: string) => [`The key of ${name}, shown only once:`, key]

const entries = (text: string) =>
  text
    .split(',')
    .map(entry => entry.trim())
    .filter(entry => entry !== '')

/** Reads the callers. Returns an empty list if the file does not exist. @throws OperatorError */
function read(path: string): CallerEntry[] {
  return existsSync(path) ? parse(readFileSync(path, 'utf8')) : []
}

/** Parses the key file. @throws OperatorError */
function parse(text: string): CallerEntry[] {
  try {
    return parseKeyFile(text)
  } catch (error) {
    if (error instanceof FileError) throw new OperatorError(`SERVICE_API_KEYS_FILE ${error.message}`)
    throw error
  }
}

/** Rejects content that servers would reject. @throws OperatorError */
function assertUsable(text: string): void {
  parse(text)
  if (text.length > LARGEST) throw new OperatorError(`SERVICE_API_KEYS_FILE would exceed ${LARGEST} bytes`)
}

/**
 * Replaces the file atomically, so servers read either the old or the new version. The temporary file also serves as a
 * lock against concurrent commands.
 * @throws OperatorError
 */
function change(named: string, apply: (callers: CallerEntry[]) => string[]): string[] {
  const path = targetOf(named)
  const next = `${path}.new`
  const file = open(next)
  try {
    const callers = read(path)
    const lines = apply(callers)
    const text = formatKeyFile(callers)
    assertUsable(text)
    keepAccess(file, path)
    writeFileSync(file, text)
    fsyncSync(file)
    renameSync(next, path)
    return lines
  } catch (error) {
    rmSync(next, { force: true })
    throw error
  } finally {
    closeSync(file)
  }
}

/** Resolves symbolic links, so that the file is replaced, not the link. @throws OperatorError */
function targetOf(path: string): string {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return path
  try {
    return realpathSync(path)
  } catch {
    throw new OperatorError('SERVICE_API_KEYS_FILE is a symbolic link to a file that does not exist')
  }
}

/**
 * Copies owner and mode to the new file. A server that could not read the new file would keep accepting revoked keys.
 */
function keepAccess(file: number, path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return
  fchownSync(file, stats.uid, stats.gid)
  fchmodSync(file, stats.mode & 0o775)
}

function open(path: string): number {
  try {
    return openSync(path, 'wx', 0o600)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    throw new OperatorError(
      `${path} exists: another command is changing the keys, or was interrupted. If no other command is running, delete the file`
    )
  }
}
