import { existsSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { filesOf, read, root } from '../helpers/repository.ts'
import { test } from '../helpers/tap.ts'

const files = filesOf().filter(path => path !== 'package-lock.json')
const markdown = files.filter(path => path.endsWith('.md'))
const manual = markdown.filter(path => path !== 'CHANGELOG.md')

/** Reads a file and joins its lines, because a citation can span several lines of a comment or a paragraph. */
const flowing = (path: string) => read(path).replace(/\s*\n\s*(\*|\/\/|#)?\s*/g, ' ')

/** Section and rule numbers of the interface, such as `6` and `6.4`. */
const numbered = read('docs/interface.md').matchAll(/^(?:## (\d+) |(?:\| )?\*\*(\d+\.\d+)\*\*)/gm)
const rules = new Set([...numbered].map(([, section, rule]) => section ?? rule))

const numbers = String.raw`\d+\.\d+(?:(?:, | to | and )\d+\.\d+)*`

/** Returns the matches in the files for which `accept` returns false, each as `path: match`. */
function offences(paths: string[], pattern: RegExp, accept: (match: string, path: string) => boolean) {
  return paths.flatMap(path =>
    [...flowing(path).matchAll(pattern)]
      .filter(([whole, ...parts]) => !accept(parts.find(part => part !== undefined) ?? whole, path))
      .map(([whole]) => `${path}: ${whole}`)
  )
}

const areRules = (cited: string) => (cited.match(/[\d.]+/g) ?? []).every(rule => rules.has(rule))

test('every cited rule of the interface exists', async t => {
  t.ok(rules.size > 100)
  t.same(offences(files, new RegExp(String.raw`\binterface (section \d+|${numbers})`, 'g'), areRules), [])
  t.same(offences(['docs/interface.md'], new RegExp(String.raw`\((${numbers})\)`, 'g'), areRules), [])
})

/** Returns the anchors that the Git host generates for a document's headings. Repeated headings get a number. */
function anchors(path: string): string[] {
  const headings = [...read(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading.toLowerCase())
  const texts = headings.map(text => text.replace(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-'))
  return texts.map((text, index) => {
    const before = texts.slice(0, index).filter(other => other === text).length
    return before === 0 ? text : `${text}-${before}`
  })
}

/** Matches `[text](target)`, `![text](target)`, and the attributes of `<a>`, `<img>` and `<source>`. */
const links = /\]\(([^)\s]+)\)|\b(?:href|src|srcset)="([^"\s]+)"/g

test('every relative link in a document has a target', async t => {
  const broken = offences(markdown, links, (link, path) => {
    if (/^[a-z]+:/.test(link)) return true
    const [file = '', anchor] = link.split('#')
    const target = file === '' ? path : posix.join(dirname(path), file)
    return existsSync(join(root, target)) && (anchor === undefined || anchors(target).includes(anchor))
  })
  t.same(broken, [])
})

/** A path is relative to the repository root or to the document. Paths with a placeholder such as NAME are skipped. */
test('every path in a document exists', async t => {
  const folders = new Set(files.filter(path => path.includes('/')).map(path => path.replace(/\/.*/, '')))
  const places = /`((?:\.\.?\/)*[\w.-]+\/[\w./-]*)`/g
  const missing = offences(
    manual,
    places,
    (named, path) =>
      !folders.has(named.replace(/^(\.\.?\/)*/, '').replace(/\/.*/, '')) ||
      /\/[A-Z]+\b(?!\.md)/.test(named) ||
      [root, join(root, dirname(path))].some(folder => existsSync(join(folder, named)))
  )
  t.same(missing, [])
})

test('every line of the log that a document names exists', async t => {
  const sources = filesOf('services/*.ts', 'plugins/*.ts').map(read).join('')
  const lines = /\b(?:log line|log has) `([A-Za-z ;:,-]+)`|`([A-Za-z ;:,-]+)` in the log/g
  t.same(
    offences(manual, lines, line => sources.includes(line)),
    []
  )
})

test('every npm script in a document exists', async t => {
  const packages = filesOf('package.json', 'packages/*/package.json')
  const scripts = packages.flatMap(path => Object.keys(JSON.parse(read(path)).scripts ?? {}))
  const named = offences(markdown, /\bnpm run (?:--silent )?([\w:-]+)/g, name => scripts.includes(name))
  t.same(named, [])
})
