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
  { room: 'services/', mayImport: /^(services\/|schemas\/|package\.json$)/, packages: /^fastify/ }
]

for (const { room, mayImport, packages } of rooms) {
  test(`${room} imports only what it may know`, async t => {
    const own = imports.filter(({ file }) => file.startsWith(room))
    const wrong = own.filter(({ imported }) =>
      files.includes(imported) ? !mayImport.test(imported) : packages?.test(imported)
    )
    t.strictSame(wrong, [])
    t.ok(own.length > 0)
  })
}
