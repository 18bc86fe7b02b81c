import { problem } from './problems.ts'
import type { Values } from './rules.ts'
import { readSecretFile } from './secret-file.ts'

/**
 * Reads a secret from at most one of its two variables (interface 1.18).
 * @param variable the one with the secret itself; the other, with the path of a file, ends in `_FILE`
 * @param what what the file holds, for the line about it
 */
export function readOptionalSecret(
  values: Values,
  variable: 'KYC_API_KEY' | 'DATABASE_URL',
  what: string
): { secret: string | undefined } | { problem: string } {
  const fileVariable = `${variable}_FILE` as const
  const { [variable]: direct, [fileVariable]: path } = values
  if (direct !== undefined && path !== undefined) {
    return { problem: problem(variable, `and ${fileVariable} are both set`, 'one of the two') }
  }
  if (typeof path !== 'string') return { secret: typeof direct === 'string' ? direct : undefined }
  const file = readSecretFile(fileVariable, path, what)
  if ('problem' in file) return file
  const secret = file.text.trim()
  if (secret === '') return { problem: problem(fileVariable, 'is empty', `a file with ${what}`) }
  return { secret }
}
