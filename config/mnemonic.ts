import { mnemonicProblem, normaliseMnemonic } from '../services/wallet/mnemonic.ts'
import { problem } from './problems.ts'
import type { Read } from './read.ts'

const expected = 'an English BIP-39 phrase of 12, 15, 18, 21 or 24 words'

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

/** One of these, or one word again and again before the last, which is the checksum's. */
function isPublicPhrase(phrase: string): boolean {
  return publicPhrases.includes(phrase) || new Set(phrase.split(' ').slice(0, -1)).size === 1
}

/**
 * Reads the mnemonic (interface 1.7, 1.22).
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
  const isPublic = values['SERVICE_ENVIRONMENT'] === 'mainnet' && isPublicPhrase(mnemonic)
  const wrong = isPublic
    ? 'is a public phrase while SERVICE_ENVIRONMENT is mainnet'
    : mnemonicProblem(mnemonic)
  return wrong === undefined
    ? { mnemonic, problems: [] }
    : { problems: [problem(nameOf(variable), wrong, expected)] }
}
