import { readFileSync } from 'node:fs'
import { mnemonicProblem, normaliseMnemonic } from '../services/wallet/mnemonic.ts'
import { problem } from './problems.ts'
import type { Values } from './rules.ts'

const expected = 'an English BIP-39 phrase of 12, 15, 18, 21 or 24 words'

function readSecretFile(path: string): string | Error {
  try {
    return readFileSync(path, 'utf8')
  } catch (err) {
    return err instanceof Error ? err : new Error(String(err))
  }
}

/** The phrase of the signing wallet, from exactly one of its two variables, or the line that says why not. */
export function readMnemonic(values: Values): { mnemonic: string } | { problem: string } {
  const { SERVICE_BACKEND_MNEMONIC: direct, SERVICE_BACKEND_MNEMONIC_FILE: path } = values
  if (direct !== undefined && path !== undefined) {
    const wrong = 'and SERVICE_BACKEND_MNEMONIC_FILE are both set'
    return { problem: problem('SERVICE_BACKEND_MNEMONIC', wrong, 'exactly one of the two') }
  }
  if (direct !== undefined) return checkMnemonic('SERVICE_BACKEND_MNEMONIC', direct)
  if (path !== undefined) {
    const content = readSecretFile(path)
    if (typeof content === 'string') return checkMnemonic('SERVICE_BACKEND_MNEMONIC_FILE', content)
    const code = 'code' in content ? ` (${content.code})` : ''
    const wrong = `names a file that cannot be read${code}`
    return { problem: problem('SERVICE_BACKEND_MNEMONIC_FILE', wrong, `a readable file with ${expected}`) }
  }
  const wrong = 'is missing'
  return {
    problem: problem('SERVICE_BACKEND_MNEMONIC', wrong, `${expected}, or SERVICE_BACKEND_MNEMONIC_FILE`)
  }
}

function checkMnemonic(variable: string, text: string): { mnemonic: string } | { problem: string } {
  const mnemonic = normaliseMnemonic(text)
  const wrong = mnemonic === '' ? 'is empty' : mnemonicProblem(mnemonic)
  return wrong === undefined ? { mnemonic } : { problem: problem(variable, wrong, expected) }
}
