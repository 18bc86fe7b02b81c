import { closeSync, constants, fstatSync, openSync, readFileSync, statSync } from 'node:fs'
import { type TSchema, Type } from '@sinclair/typebox'
import { ConfigError, configError, unreadable } from './config-error.ts'
import { parseJson, repeatsName } from './json.ts'
import type { Logger } from './logger.ts'
import { checkFor } from './schema-check.ts'

/** Permission bits of other users. Group permissions are allowed, because orchestrators mount files for groups. */
const OTHERS_WRITE = 0o002

/** Maximum file size in bytes. A larger file is a mistake, such as a log. */
export const LARGEST = 64 * 1024

const WATCH_MS = 1000

/**
 * Reads the file that a variable points to, without surrounding whitespace (interface 1.18).
 * @param content description of the content, for the error
 * @throws ConfigError if the file is unusable
 */
export function readNamedFile(variable: string, path: string, content: string): string {
  const refuse = (wrong: string, expected = `a readable file with ${content}`) =>
    configError(variable, wrong, expected)
  let file: number | undefined
  try {
    // Without O_NONBLOCK, opening a named pipe waits for a writer.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const stats = fstatSync(file)
    if (!stats.isFile()) throw refuse('does not point to a regular file')
    if ((stats.mode & OTHERS_WRITE) !== 0)
      throw refuse('points to a world-writable file', 'a file that only its owner can write')
    if (stats.size > LARGEST) throw refuse(`points to a file larger than ${LARGEST} bytes`)
    const bytes = readFileSync(file)
    const text = bytes.toString('utf8').trim()
    // Clear the bytes, because other buffers reuse freed memory.
    bytes.fill(0)
    if (text === '') throw refuse('is empty')
    return text
  } catch (error) {
    throw error instanceof ConfigError ? error : refuse(`points to a file that ${unreadable(error)}`)
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

/** The file is invalid. The message contains the location of the problem, but no value. */
export class FileError extends Error {
  override name = 'FileError'
}

/** Creates a parser for JSON files with one list of named entries. The parser throws FileError. */
export function entriesReader<Entry extends { name: string }>(
  list: string,
  entries: TSchema & { static: Entry[] }
) {
  const valid = checkFor(Type.Object({ [list]: entries }, { additionalProperties: false }))
  return (text: string): Entry[] => {
    const file = parseJson(text)
    if (!valid.Check(file)) {
      const place = valid.Errors(file).First()?.path.slice(1).replaceAll('/', '.')
      throw new FileError(`is malformed at \`${place || list}\``)
    }
    if (repeatsName(text)) throw new FileError('has a property name twice in one object')
    const found = file[list] ?? []
    const names = found.map(({ name }) => name)
    const twice = names.find((name, index) => names.indexOf(name) !== index)
    if (twice !== undefined) throw new FileError(`has more than one entry named ${twice}`)
    return found
  }
}

export interface NamedFile<Entry> {
  current(): readonly Entry[]
  /**
   * Reloads the file whenever it changes. Keeps the previous list if the new content is invalid.
   * @returns a function that stops watching
   */
  follow(log: Logger, changed: () => void): () => void
}

/**
 * Reads a list from a file.
 * @param options.content description of the content, for errors and the log
 * @param options.expected description of a valid file
 * @param options.parse throws FileError
 * @throws ConfigError
 */
export function openNamedFile<Entry>(options: {
  variable: string
  path: string
  content: string
  expected: string
  parse: (text: string) => Entry[]
}): NamedFile<Entry> {
  const { variable, path, content, expected, parse } = options
  let readVersion: string | undefined
  let current = read()

  function read(): Entry[] {
    // Read the version before the content, so that a change in between is detected.
    readVersion = versionOf(path)
    const text = readNamedFile(variable, path, content)
    try {
      return parse(text)
    } catch (error) {
      if (!(error instanceof FileError)) throw error
      throw configError(variable, `points to a file that ${error.message}`, expected)
    }
  }

  return {
    current: () => current,
    follow(log, changed) {
      const timer = setInterval(() => {
        if (versionOf(path) === readVersion) return
        try {
          current = read()
          changed()
          log.info({ variable, entries: current.length }, `${content} reloaded`)
        } catch (err) {
          log.error(
            err instanceof ConfigError ? { problems: err.problems } : { err },
            `the ${content} file is invalid; keeping the previous ${content}`
          )
        }
      }, WATCH_MS)
      timer.unref()
      return () => clearInterval(timer)
    }
  }
}

/** Returns a string that changes with the file; undefined if the file cannot be found. */
function versionOf(path: string): string | undefined {
  try {
    const { ino, ctimeMs, size } = statSync(path)
    return `${ino} ${ctimeMs} ${size}`
  } catch {
    return undefined
  }
}
