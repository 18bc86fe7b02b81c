import { validateMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
// Phrases from test vectors, documentation and development tools, whose funds anyone can take (interface 1.22).
import publicPhrases from './public-phrases.json' with { type: 'json' }

export const MNEMONIC_FORM = 'an English BIP-39 phrase of 12, 15, 18, 21 or 24 words'

const wordCounts = [12, 15, 18, 21, 24]
const words = new Set(wordlist)

/** Normalises a phrase as BIP-39 requires, with one space between words. */
export function normaliseMnemonic(text: string): string {
  return text.normalize('NFKD').trim().split(/\s+/).join(' ')
}

/** Returns what is wrong with a normalised phrase, without any of its words (interface 1.4, 1.7), or undefined. */
export function mnemonicProblem(mnemonic: string): string | undefined {
  const phrase = mnemonic.split(' ')
  if (!wordCounts.includes(phrase.length)) return `has ${phrase.length} word${phrase.length === 1 ? '' : 's'}`
  const stranger = phrase.findIndex(word => !words.has(word))
  if (stranger >= 0) return `has a word at position ${stranger + 1} that is not in the English BIP-39 list`
  return validateMnemonic(mnemonic, wordlist) ? undefined : 'has a wrong checksum'
}

/**
 * Returns whether a phrase is public. A phrase of one repeated word, except for the last word with the checksum, counts
 * as public (interface 1.22).
 */
export function isPublicPhrase(phrase: string): boolean {
  return publicPhrases.includes(phrase) || new Set(phrase.split(' ').slice(0, -1)).size === 1
}
