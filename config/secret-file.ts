import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { problem } from './problems.ts'

/** Permission of everybody to write. Groups are the operator's: orchestrators mount files for them. */
const OTHERS_WRITE = 0o002

/** In bytes. A larger file is something else: a disk image or a log. */
const LARGEST = 64 * 1024

/**
 * Reads a mounted secret, which is a regular file or a link to one (interface 1.18). Blanks around its text, such as a
 * line feed at the end, are dropped.
 * @param variable the one that names the file
 * @param what what the file holds, for the line about a file that cannot be used
 */
export function readSecretFile(
  variable: string,
  path: string,
  what: string
): { text: string } | { problem: string } {
  try {
    const bytes = readUpTo(path, LARGEST + 1)
    if (bytes === 'not a file')
      return { problem: problem(variable, 'names no regular file', `a readable file with ${what}`) }
    if (bytes === 'writable')
      return {
        problem: problem(variable, 'names a file that everybody can write', 'a file that only its owner can')
      }
    const text = bytes.toString('utf8').trim()
    // Freed memory becomes that of other buffers.
    bytes.fill(0)
    if (bytes.length > LARGEST) {
      const expected = `a file with ${what} and nothing else`
      return { problem: problem(variable, `names a file of more than ${LARGEST} bytes`, expected) }
    }
    if (text === '') return { problem: problem(variable, 'is empty', `a file with ${what}`) }
    return { text }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${error.code})` : ''
    const wrong = `names a file that cannot be read${code}`
    return { problem: problem(variable, wrong, `a readable file with ${what}`) }
  }
}

/** A pipe, which is not a regular file, could make the start hang. */
function readUpTo(path: string, length: number): Buffer | 'not a file' | 'writable' {
  // Without O_NONBLOCK, opening a named pipe waits for somebody who writes to it.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const stats = fstatSync(file)
    if (!stats.isFile()) return 'not a file'
    if ((stats.mode & OTHERS_WRITE) !== 0) return 'writable'
    const bytes = Buffer.alloc(length)
    let end = 0
    let read = -1
    while (read !== 0 && end < length) {
      read = readSync(file, bytes, end, length - end, null)
      end += read
    }
    return bytes.subarray(0, end)
  } finally {
    closeSync(file)
  }
}
