import { posix } from 'node:path'
import { parseSync } from 'oxc-parser'
import { filesOf, read } from '../helpers/repository.ts'
import { test } from '../helpers/tap.ts'

/** Returns what a file imports, types included: paths in the repository, and names of packages. */
function importsOf(path: string): string[] {
  const text = read(path)
  const { staticImports, staticExports } = parseSync(path, text).module
  const names = [
    ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) => entries.map(({ moduleRequest }) => moduleRequest?.value)),
    ...[...text.matchAll(/\bimport\('([^']+)'\)/g)].map(([, name]) => name)
  ].filter(name => name !== undefined)
  return names.map(name => (name.startsWith('.') ? posix.join(posix.dirname(path), name) : name))
}

const files = filesOf('*.ts', '*.tsx').filter(path => !path.startsWith('test/'))
const imports = files.flatMap(file => importsOf(file).map(imported => ({ file, imported })))

/** The files that a room may import, and the packages that it may not. */
const rooms = [
  { room: 'schemas/', mayImport: /^schemas\// },
  { room: 'services/', mayImport: /^(services\/|schemas\/|package\.json$)/, packages: /^fastify/ },
  {
    room: 'services/submission/decide/',
    mayImport: /^(services\/(?!submission\/(act|store)\/|async\/(?!backoff\.)|clock\.|logger\.)|schemas\/)/
  }
]

for (const { room, mayImport, packages } of rooms) {
  test(`${room} imports only from allowed folders`, async t => {
    const own = imports.filter(({ file }) => file.startsWith(room))
    const wrong = own.filter(({ imported }) =>
      files.includes(imported) ? !mayImport.test(imported) : packages?.test(imported)
    )
    t.strictSame(wrong, [])
    t.ok(own.length > 0)
  })
}

interface Step {
  /** Entries of one folder; each is a file, or a folder with all that it contains. */
  from: string
  to: string
  why: string
}

/** Returns an import as a step between two entries of the innermost folder that contains both files. */
function stepOf({ file, imported }: { file: string; imported: string }): Step {
  const [from, to] = [file.split('/'), imported.split('/')]
  const depth = from.findIndex((name, index) => name !== to[index]) + 1
  const entry = (path: string[]) => path.slice(0, depth).join('/')
  return { from: entry(from), to: entry(to), why: `${file} imports ${imported}` }
}

/** Removes the steps from where no step leads, and to where none leads, until only circles are left. */
function circlesIn(steps: readonly Step[]): Step[] {
  const from = new Set(steps.map(step => step.from))
  const to = new Set(steps.map(step => step.to))
  const left = steps.filter(step => from.has(step.to) && to.has(step.from))
  return left.length === steps.length ? left : circlesIn(left)
}

test('no files or folders import each other in a circle, types included', async t => {
  const steps = imports.filter(({ imported }) => files.includes(imported)).map(stepOf)
  const circles = circlesIn(steps).map(({ why }) => why)
  t.strictSame(circles, [])
  t.ok(steps.length > 0)
})
