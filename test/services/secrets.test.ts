import { cleaned, scrubbed, shorten } from '../../services/errors/shown.ts'
import { parseUpstreamUrl } from '../../services/upstream/url.ts'
import fc from '../helpers/fast-check.ts'
import { SPELLINGS } from '../helpers/spellings.ts'
import { test } from '../helpers/tap.ts'

// Characters that each encoding spells in another way, and no run that an ordinary text contains.
const KEY = 'Q7/x~9"kZ&4@w$J2=vT8:mP'
const at = (path: string) => parseUpstreamUrl(`https://node.example/${path}`)
at(encodeURIComponent(KEY))

/** Whether a text that had the key has more than `longest` characters of it left, in the spelling that it had. */
const left = (text: string, spelled: string, longest: number) =>
  [...spelled.slice(longest)].some((_, start) => text.includes(spelled.slice(start, start + longest + 1)))

const BOUND = 60
/** More than `shorten` reads. */
const LENGTH = 12_400
const CUTS: [name: string, cut: (text: string) => string, ends: number[]][] = [
  ['cleaned', text => cleaned(text, BOUND), [BOUND]],
  ['scrubbed', text => scrubbed(text, BOUND, true), [BOUND, BOUND + 4096]],
  ['shorten', shorten, [2048, 2048 + 4096, LENGTH - 2048, LENGTH - 2048 - 4096]]
]

for (const [name, cut, ends] of CUTS) {
  test(`${name} leaves no part of a secret next to a truncation`, async t => {
    for (const [spelling, spell] of Object.entries(SPELLINGS)) {
      const spelled = spell(KEY)
      const wrong = ends.flatMap(end =>
        Array.from({ length: spelled.length + 2 }, (_, offset) => end - spelled.length - 1 + offset)
          .map(start => {
            const before = '!'.repeat(Math.max(start, 0))
            return cut(`${before}${spelled}${'!'.repeat(LENGTH - before.length - spelled.length)}`)
          })
          .filter(text => left(text, spelled.replace(/\s/g, ' '), 9))
      )
      t.strictSame(wrong, [], spelling)
    }
    // A text of secrets alone is so short without them that its middle is shown.
    const echoes = Array.from({ length: KEY.length }, (_, offset) => '!'.repeat(offset))
    const isLeft = echoes.some(end => left(cut(`${end}${KEY.repeat(1000)}${end}`), KEY, 9))
    t.notOk(isLeft, 'repeated')
  })
}

test('removes a secret in any mix of encodings, and nothing else', async () => {
  const ways = Object.values(SPELLINGS).filter(way => /[%\\&]|^.$/.test(way('/')))
  const mixed = fc.array(fc.nat(ways.length - 1), { minLength: KEY.length, maxLength: KEY.length })
  fc.assert(
    fc.property(mixed, fc.string(), fc.string(), (chosen, before, after) => {
      const spelled = [...KEY].map((one, at) => ways[chosen[at] ?? 0]?.(one)).join('')
      const text = scrubbed(`${before.replace(/[%&\\\d]/g, '')} ${spelled}, ${after}`, 10_000)
      return text.includes('[secret], ') && !left(text, spelled, 9)
    })
  )
})

test('removes a partial secret where an upstream has truncated its text', async t => {
  for (const spell of [SPELLINGS['plain'], SPELLINGS['percent-encoded'], SPELLINGS['JSON escapes']]) {
    const spelled = spell?.(KEY) ?? ''
    for (let length = 1; length <= spelled.length; length++) {
      const text = scrubbed(`no ${spelled.slice(0, length)}`, 1000, true)
      t.notOk(left(text, spelled, 23), `${length} characters`)
    }
  }
  t.equal(scrubbed('no Q7%2fx', 1000, true), 'no [secret]')
  t.equal(scrubbed('no Q7%2fx%2', 1000, true), 'no [secret]')
  t.equal(scrubbed('no Q7%2', 1000, true), 'no Q7%2')
  t.equal(scrubbed('no Q7%2fx', 1000), 'no Q7%2fx', 'a client that has his text echoed cannot guess')
})

test('removes URL parts of six or more characters, but no ordinary word', async t => {
  at('rpc/v2/0123456789abcdef?key=s%20ecret!')
  parseUpstreamUrl('https://operator:p%40ssword@api.example/sealed/sealed-letter')
  parseUpstreamUrl('https://ab:cd@api.example/a')
  at('graphql')
  at('v1/graphql?network=mainnet')
  const basic = Buffer.from('operator:p@ssword').toString('base64')
  for (const [text, clean] of [
    ['operator, p%40ssword p@ssword.', 'operator, [secret] [secret].'],
    [basic, '[secret]'],
    ['sealed-letters, sealed-letter, sealed', '[secret]s, [secret], sealed'],
    ['GET /rpc/v2/0123456789abcdef?key=s ecret!', 'GET [secret]?[secret]'],
    ['rpc error: code = NotFound at /v2 for a', 'rpc error: code = NotFound at /v2 for a'],
    ['no http://ab:cd@x/v1 and ws://key@y:80', 'no http://[secret]@x/v1 and ws://[secret]@y:80'],
    [`no ${'%2f'.repeat(5)}${'u'.repeat(600)}:pw@x`, `no ${'%2f'.repeat(2)}[secret]@x`],
    ['no http:%2f%2fab:cd%40x and http:\\/\\/ab@y', 'no http:%2f%2f[secret]%40x and http:\\/\\/[secret]@y'],
    ['[secret] stays', '[secret] stays'],
    ['GraphQL index at status/graphql-index.ts', 'GraphQL index at status/graphql-index.ts'],
    ['Zürich 50% \\d &c; 100% of %zz 😀', 'Zürich 50% \\d &c; 100% of %zz 😀']
  ] as const) {
    t.equal(scrubbed(text, 1000), clean)
  }
})
