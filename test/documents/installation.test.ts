import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { read, root } from '../helpers/repository.ts'
import { test } from '../helpers/tap.ts'
import { documents } from './blocks.ts'

test('installation instructions use the tarball of the package, because the package is not in the registry', t => {
  const code = readdirSync(join(root, 'packages/playground/code')).map(
    name => `packages/playground/code/${name}`
  )
  const installing = [...documents(), ...code].flatMap(path =>
    [...read(path).matchAll(/npm (?:i|install)\b.*transaction-back-end.*/g)].map(
      ([line]) => `${path}: ${line}`
    )
  )
  t.ok(installing.length >= 4)
  t.strictSame(
    installing.filter(line => !/\.\/transaction-back-end(-client)?-VERSION\.tgz/.test(line)),
    []
  )
  t.end()
})
