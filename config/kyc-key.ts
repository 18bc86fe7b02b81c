import { problem } from './problems.ts'
import type { Values } from './rules.ts'
import { readSecretFile } from './secret-file.ts'

/** Reads the key of the KYC provider from at most one of its two variables (interface 1.18). */
export function readKycKey(values: Values): { key: string | undefined } | { problem: string } {
  const { KYC_API_KEY: direct, KYC_API_KEY_FILE: path } = values
  if (direct !== undefined && path !== undefined) {
    return { problem: problem('KYC_API_KEY', 'and KYC_API_KEY_FILE are both set', 'one of the two') }
  }
  if (typeof path !== 'string') return { key: typeof direct === 'string' ? direct : undefined }
  const file = readSecretFile('KYC_API_KEY_FILE', path, 'the key')
  if ('problem' in file) return file
  const key = file.text.trim()
  if (key === '') return { problem: problem('KYC_API_KEY_FILE', 'is empty', 'a file with the key') }
  return { key }
}
