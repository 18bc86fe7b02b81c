import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { ConfigError, configError, unreadable } from './config-error.ts'

/** Permission bits of other users. Group permissions are allowed, because orchestrators mount files for groups. */
const OTHERS_WRITE = 0o002

/** Maximum file size in bytes. A larger file is a mistake, such as a log. */
const LARGEST = 64 * 1024

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
    throw error instanceof ConfigError ? error : refuse(`points to a file that ${unreadable(error, path)}`)
  } finally {
    if (file !== undefined) closeSync(file)
  }
}
