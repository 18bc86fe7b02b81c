import { RegExpParser, visitRegExpAST } from '@eslint-community/regexpp'
import { parseSync, Visitor } from 'oxc-parser'
import { analyse } from 'scslre'
import { filesOf, read } from '../helpers/repository.ts'
import { test } from '../helpers/tap.ts'

interface Pattern {
  where: string
  source: string
  flags: string
}

/** Largest maximum of a bounded repetition. A repetition with a larger maximum is also analysed as unbounded. */
const MANY = 8

/**
 * Returns the regular expressions in a source file.
 * @throws Error if the file builds a RegExp from strings, because this analysis cannot read such expressions
 */
function patternsOf(where: string, text: string): Pattern[] {
  const found: Pattern[] = []
  new Visitor({
    Literal: node => {
      if ('regex' in node) found.push({ where, source: node.regex.pattern, flags: node.regex.flags })
      else if (typeof node.value === 'string' && isSchemaPattern(text, node.start))
        found.push({ where, source: node.value, flags: 'u' })
    },
    NewExpression: ({ callee }) => {
      if (callee.type === 'Identifier' && callee.name === 'RegExp')
        throw new Error(`${where} builds a RegExp from strings`)
    }
  }).visit(parseSync(where, text).program)
  return found
}

const isSchemaPattern = (text: string, start: number) => text.slice(0, start).endsWith('pattern: ')

function patternsIn(value: unknown): Pattern[] {
  if (typeof value !== 'object' || value === null) return []
  const own = 'pattern' in value && typeof value.pattern === 'string' ? [value.pattern] : []
  const patterns = own.map(source => ({ where: 'openapi.json', source, flags: 'u' }))
  return [...patterns, ...Object.values(value).flatMap(patternsIn)]
}

/** Replaces large bounds such as `{0,31}` with unbounded repetition, so that the analysis explores longer inputs. */
function withoutBounds({ source, flags }: Pattern): string {
  const bounds: { start: number; end: number; min: number }[] = []
  const unicode = flags.includes('u')
  visitRegExpAST(new RegExpParser().parsePattern(source, 0, source.length, { unicode }), {
    onQuantifierEnter: ({ max, min, end, element }) => {
      if (max > MANY && max !== Number.POSITIVE_INFINITY) bounds.push({ start: element.end, end, min })
    }
  })
  return bounds
    .sort((one, other) => other.end - one.end)
    .reduce(
      (text, { start, end, min }) => `${text.slice(0, start)}{${Math.min(min, 2)},}${text.slice(end)}`,
      source
    )
}

/** Describes a pattern whose running time is not linear in the input length. @returns undefined if it is linear */
function problemOf(pattern: Pattern): string | undefined {
  const { where, source, flags } = pattern
  for (const text of [source, withoutBounds(pattern)]) {
    const { reports } = analyse({ source: text, flags })
    const [report] = reports
    if (report !== undefined) return `${where}: /${source}/${flags} ${report.type}`
  }
  return undefined
}

test('every regular expression runs in linear time', async t => {
  const files = filesOf('*.ts', '*.tsx', '*.js', '*.mjs').filter(file => !file.startsWith('test/'))
  const inCode = files.flatMap(file => patternsOf(file, read(file)))
  const patterns = [...inCode, ...patternsIn(JSON.parse(read('openapi.json')))]
  t.ok(inCode.length > 100, 'finds the patterns in the sources')
  t.ok(patterns.length > inCode.length, 'finds the patterns in openapi.json')
  t.strictSame(patterns.map(problemOf).filter(Boolean), [])
  for (const source of ['^(a+)+$', '\\s+$', '^\\d{1,99}\\d{1,99}$'])
    t.ok(problemOf({ where: '', source, flags: '' }), `${source} is not linear`)
})
