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
  t.equal(mnemonicProblem(words(13, 'about')), 'has 13 words')
})
