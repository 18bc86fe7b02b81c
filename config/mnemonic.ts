import { mnemonicProblem, normaliseMnemonic } from '../services/wallet/mnemonic.ts'
import { problem } from './problems.ts'
import type { Values } from './rules.ts'
import { readSecretFile } from './secret-file.ts'

const expected = 'an English BIP-39 phrase of 12, 15, 18, 21 or 24 words'

/**
 * Reads the mnemonic from exactly one of its two variables (interface 1.7).
 * @returns the normalised phrase, or the line that says why there is none
 */
export function readMnemonic(values: Values): { mnemonic: string } | { problem: string } {
  const { SERVICE_BACKEND_MNEMONIC: direct, SERVICE_BACKEND_MNEMONIC_FILE: path } = values
  if (direct !== undefined && path !== undefined) {
    const wrong = 'and SERVICE_BACKEND_MNEMONIC_FILE are both set'
    return { problem: problem('SERVICE_BACKEND_MNEMONIC', wrong, 'exactly one of the two') }
  }
  if (typeof direct === 'string') return checkMnemonic('SERVICE_BACKEND_MNEMONIC', direct)
  if (typeof path === 'string') {
    const file = readSecretFile('SERVICE_BACKEND_MNEMONIC_FILE', path, expected)
    return 'problem' in file ? file : checkMnemonic('SERVICE_BACKEND_MNEMONIC_FILE', file.text)
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
