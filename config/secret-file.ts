import { readFileSync } from 'node:fs'
import { problem } from './problems.ts'

/**
 * Reads a mounted secret.
 * @param variable the one that names the file
 * @param expected what the file holds, for the line about a file that cannot be read
 */
export function readSecretFile(
  variable: string,
  path: string,
  expected: string
): { text: string } | { problem: string } {
  try {
    return { text: readFileSync(path, 'utf8') }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${error.code})` : ''
    return {
      problem: problem(
        variable,
        `names a file that cannot be read${code}`,
        `a readable file with ${expected}`
      )
    }
  }
}
