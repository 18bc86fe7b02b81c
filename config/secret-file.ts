import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { problem } from './problems.ts'

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
    if (bytes === undefined)
      return { problem: problem(variable, 'names no regular file', `a readable file with ${what}`) }
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

/** @returns undefined for what is not a regular file. A pipe could keep the start waiting for ever. */
function readUpTo(path: string, length: number): Buffer | undefined {
  // Without O_NONBLOCK, opening a named pipe waits for somebody who writes to it.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    if (!fstatSync(file).isFile()) return undefined
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
