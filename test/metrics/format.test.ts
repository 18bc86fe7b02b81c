import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from '../helpers/app.ts'
import { test } from '../helpers/tap.ts'

const root = join(import.meta.dirname, '../..')

/** Names of this service's own metrics. */
const ownNames = (text: string) => new Set(text.match(/\bservice_[a-z_]+/g))

test('the manual lists every metric of the service, and no other', async t => {
  const server = await build(t)
  const { body } = await server.inject('/metrics')
  const answered = [...body.matchAll(/^# TYPE (service_\w+)/gm)].map(([, name]) => name)
  const operations = readFileSync(join(root, 'docs/operations.md'), 'utf8')
  const listed = [...operations.matchAll(/^\| `(service_\w+)` \|/gm)].map(([, name]) => name)
  t.strictSame(listed.toSorted(), answered.toSorted())
  t.strictSame(
    [...ownNames(operations)].filter(name => !answered.includes(name)),
    []
  )
})
