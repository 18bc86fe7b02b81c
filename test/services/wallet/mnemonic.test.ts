import { mnemonicProblem } from '../../../services/wallet/mnemonic.ts'
import { test } from '../../helpers/tap.ts'

const words = (count: number, last: string) => `${'abandon '.repeat(count - 1)}${last}`

test('accepts a phrase of 12, 15, 18, 21 or 24 words with a valid checksum', async t => {
  const valid: [number, string][] = [
    [12, 'about'],
    [15, 'address'],
    [18, 'agent'],
    [21, 'admit'],
    [24, 'art']
  ]
  for (const [count, last] of valid) t.equal(mnemonicProblem(words(count, last)), undefined, `${count} words`)
})

test('reports the position of a phrase’s error without repeating the word', async t => {
  const cases: [string, string][] = [
    ['', 'has 1 word'],
    [words(11, 'about'), 'has 11 words'],
    [words(13, 'about'), 'has 13 words'],
    [words(27, 'about'), 'has 27 words'],
    [`zzz ${words(11, 'about')}`, 'has a word at position 1 that is not in the English BIP-39 list'],
    [words(12, 'zzz'), 'has a word at position 12 that is not in the English BIP-39 list'],
    [words(12, 'Abandon'), 'has a word at position 12 that is not in the English BIP-39 list'],
    [words(12, 'abandon'), 'has a wrong checksum']
  ]
  for (const [phrase, problem] of cases) t.equal(mnemonicProblem(phrase), problem)
})
