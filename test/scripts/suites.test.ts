import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { read, root } from '../helpers/repository.ts'
import { Test, test } from '../helpers/tap.ts'
import { filesIn } from '../suite/run-files.ts'

test('each test file runs in exactly one npm script', async t => {
  const { scripts } = JSON.parse(read('package.json'))
  const run = ['test', 'test:long', 'test:image', 'test:chain'].flatMap(name => {
    const command = scripts[name].replace(/^tap/, 'node_modules/.bin/tap list')
    return execFileSync('sh', ['-c', command], { cwd: root, encoding: 'utf8' }).trim().split('\n')
  })
  const tests = run.flatMap(path => {
    const within = filesIn(path.replace('test/', ''))
    return /^test\/(suite|apart)\//.test(path) ? within.map(file => `test/${file}`) : [path]
  })
  const all = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .map(name => `test/${name}`)
    .filter(name => /^test\/(?!apart\/|suite\/).*\.test\.ts$/.test(name))
  t.same(tests.sort(), all.sort())
})

test('t.match compares the length of lists', async t => {
  const apart = new Test({})
  for (const [found, pattern, matches] of [
    [['a'], [], false],
    [{ list: ['a', 'b'] }, { list: [/a/] }, false],
    [{ list: ['a', 'b'], more: 1 }, { list: [/a/, String] }, true]
  ] as const) {
    t.equal(apart.match(found, pattern), matches)
  }
})
