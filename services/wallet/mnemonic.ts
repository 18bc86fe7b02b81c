import { validateMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { publicPhrases } from './public-phrases.ts'

/** Required form of a mnemonic, for error messages. */
export const MNEMONIC_FORM = 'an English BIP-39 phrase of 12, 15, 18, 21 or 24 words'

const wordCounts = [12, 15, 18, 21, 24]
const words = new Set(wordlist)

/** Normalises a phrase for hashing according to BIP-39: words separated by one space. */
export function normaliseMnemonic(text: string): string {
  return text.normalize('NFKD').trim().split(/\s+/).join(' ')
}

/**
 * Returns what is wrong with a BIP-39 phrase, such as its number of words or the position of a wrong word. The
 * description contains no word of the phrase (interface 1.5 and 1.7).
 * @param mnemonic a normalised phrase
 * @returns undefined for a valid phrase
 */
export function mnemonicProblem(mnemonic: string): string | undefined {
  const phrase = mnemonic.split(' ')
  if (!wordCounts.includes(phrase.length)) return `has ${phrase.length} word${phrase.length === 1 ? '' : 's'}`
  const stranger = phrase.findIndex(word => !words.has(word))
  if (stranger >= 0) return `has a word at position ${stranger + 1} that is not in the English BIP-39 list`
  return validateMnemonic(mnemonic, wordlist) ? undefined : 'has a wrong checksum'
}

/**
 * Returns whether a phrase is publicly known, or consists of a single repeated word and a last word, which contains the
 * checksum (interface 1.22).
 */
export function isPublicPhrase(phrase: string): boolean {
  return publicPhrases.has(phrase) || new Set(phrase.split(' ').slice(0, -1)).size === 1
}
