import { read } from '../helpers/repository.ts'
import { test } from '../helpers/tap.ts'
import { type OpenApiDocument, operationsOf } from '../openapi/document.ts'

const page = read('docs/interface.md')

/** The highest rule number ever used in each section. A new rule gets the next one, and raises it here. */
const highest = [
  28, 4, 22, 30, 36, 47, 30, 8, 16, 12, 13, 12, 5, 24, 14, 6, 16, 8, 20, 15, 12, 9, 22, 11, 4, 11
]

const words = (text: string) => text.split(/\s+/).filter(word => word !== '').length

/** The rules as `[section, number, text]`. The text contains lists, but not the rows of tables. */
const rules = [
  ...page.matchAll(/^(?:\| )?\*\*(\d+)\.(\d+)\*\*([\s\S]*?)(?=^(?:\| )?\*\*\d|^## |$(?![\s\S]))/gm)
].map(
  ([, section, number, text = '']) => [Number(section), Number(number), text.replace(/^\|.*$/gm, '')] as const
)

test('docs/interface.md consists of short, numbered rules', async t => {
  t.ok(rules.length > 200)
  t.ok(words(page) <= 10_000, `${words(page)} words`)
  const long = rules.filter(([, , text]) => words(text) > 60)
  t.same(long, [], 'no rule has more than 60 words')
  const misplaced = rules.filter(([section, number], index) => {
    const [previousSection, previous] = rules[index - 1] ?? [0, 0]
    const increases = section > previousSection || (section === previousSection && number > previous)
    return !increases || number > (highest[section - 1] ?? 0)
  })
  t.same(misplaced, [], 'numbers increase, and new ones are counted')
})

test('docs/interface.md lists every endpoint', async t => {
  const document: OpenApiDocument = JSON.parse(read('openapi.json'))
  const documented = operationsOf(document).map(
    ({ method, path }) => `${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`
  )
  const [, section = ''] = page.split(/\*\*16\.[13]\*\*/)
  const listed = [...section.matchAll(/`((?:GET|POST) [^`]+)`/g)].map(([, route]) => route)
  // These endpoints are not in the OpenAPI document.
  const pages = ['GET /docs', 'GET /docs/json', 'GET /playground']
  const aliases = ['GET /submit/fee', 'POST /submit']
  t.same(listed.sort(), [...documented, ...pages, ...aliases].sort())
})
