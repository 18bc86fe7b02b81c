import { mnemonicProblem, normaliseMnemonic } from '../services/wallet/mnemonic.ts'
import { problem } from './problems.ts'
import type { Read } from './read.ts'

const expected = 'an English BIP-39 phrase of 12, 15, 18, 21 or 24 words'

/**
 * Reads the mnemonic (interface 1.7).
 * @returns the normalised phrase, or the lines that say why there is none, apart from one about its file
 */
export function readMnemonic({ values, nameOf }: Read): { mnemonic?: string; problems: string[] } {
  const variable = 'SERVICE_BACKEND_MNEMONIC'
  const text = values[variable]
  if (text === undefined) {
    return { problems: [problem(variable, 'is missing', `${expected}, or ${variable}_FILE`)] }
  }
  if (typeof text !== 'string') return { problems: [] }
  const mnemonic = normaliseMnemonic(text)
  const wrong = mnemonicProblem(mnemonic)
  return wrong === undefined
    ? { mnemonic, problems: [] }
    : { problems: [problem(nameOf(variable), wrong, expected)] }
}
