import { build } from '../helpers/app.ts'
import { read } from '../helpers/repository.ts'
import { test } from '../helpers/tap.ts'

const ownNames = (text: string) => new Set(text.match(/\bservice_[a-z_]+/g))

test('docs/operations.md lists exactly the service’s metrics', async t => {
  const server = await build(t)
  const { body } = await server.inject('/metrics')
  const answered = [...body.matchAll(/^# TYPE (service_\w+)/gm)].map(([, name]) => name)
  const operations = read('docs/operations.md')
  const listed = [...operations.matchAll(/^\| `(service_\w+)` \|/gm)].map(([, name]) => name)
  t.strictSame(listed.toSorted(), answered.toSorted())
  t.strictSame(
    [...ownNames(operations)].filter(name => !answered.includes(name)),
    []
  )
})
