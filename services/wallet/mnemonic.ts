import { validateMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'

/** What a mnemonic must be, for the line about one that is not. */
export const MNEMONIC_FORM = 'an English BIP-39 phrase of 12, 15, 18, 21 or 24 words'

const wordCounts = [12, 15, 18, 21, 24]
const words = new Set(wordlist)

/** The form of a phrase that BIP-39 hashes: words separated by one space. */
export function normaliseMnemonic(text: string): string {
  return text.normalize('NFKD').trim().split(/\s+/).join(' ')
}

/**
 * The problem of a BIP-39 phrase, such as the number of its words or the position of a wrong one. The text holds no
 * word of the phrase (interface 1.5 and 1.7).
 *
 * @param mnemonic a normalised phrase
 * @returns undefined when the phrase is valid
 */
export function mnemonicProblem(mnemonic: string): string | undefined {
  const phrase = mnemonic.split(' ')
  if (!wordCounts.includes(phrase.length)) return `has ${phrase.length} word${phrase.length === 1 ? '' : 's'}`
  const stranger = phrase.findIndex(word => !words.has(word))
  if (stranger >= 0) return `holds at position ${stranger + 1} a word that is not in the English BIP-39 list`
  return validateMnemonic(mnemonic, wordlist) ? undefined : 'has a wrong checksum'
}

/** Phrases that documents and development tools have: whoever finds money in their wallets takes it. */
const publicPhrases = [
  'candy maple cake sugar pudding cream honey rich smooth crumble sweet treat',
  'myth like bonus scare over problem client lizard pioneer submit female collect',
  'legal winner thank year wave sausage worth useful legal winner thank yellow',
  'letter advice cage absurd amount doctor acoustic avoid letter advice cage above',
  'enlist hip relief stomach skate base shallow young switch frequent cry park',
  'economy stock theory fatal elder harbor betray wasp final emotion task crumble siren bottom lizard educate guess current outdoor pair theory focus wife stone',
  'notice oak worry limit wrap speak medal online prefer cluster roof addict wrist behave treat actual wasp year salad speed social layer crew genius',
  'quality vacuum heart guard buzz spike sight swarm shove special gym robust assume sudden deposit grid alcohol choice devote leader tilt noodle tide penalty'
]

/** One of these, or one word again and again before the last, which is the checksum's (interface 1.22). */
export function isPublicPhrase(phrase: string): boolean {
  return publicPhrases.includes(phrase) || new Set(phrase.split(' ').slice(0, -1)).size === 1
}
