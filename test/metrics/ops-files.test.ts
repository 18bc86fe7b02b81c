import { build } from '../helpers/app.ts'
import { read } from '../helpers/repository.ts'
import { test } from '../helpers/tap.ts'

const alerts = read('deploy/ops/prometheus/alerts.yml')
const dashboard = read('deploy/ops/grafana/dashboard.json')
const page = read('docs/alerts.md')

const namesIn = (text: string) => new Set(text.match(/\b(?:service|nodejs|process)_[a-z0-9_]+\b/g))

test('alerts and dashboard use existing metrics, and docs/alerts.md lists all metrics', async t => {
  const server = await build(t)
  const { body } = await server.inject('/metrics')
  const types = new Map(
    [...body.matchAll(/^# TYPE (\w+) (\w+)/gm)].map(([, name = '', type]) => [name, type])
  )
  const exists = (name: string) =>
    types.has(name) || types.get(name.replace(/_(bucket|sum|count)$/, '')) === 'histogram'
  for (const [file, text] of Object.entries({ alerts, dashboard })) {
    for (const name of namesIn(text)) t.ok(exists(name), `${file}: ${name}`)
    t.ok(namesIn(text).size > 15, file)
  }
  const own = [...types.keys()].filter(name => name.startsWith('service_'))
  const listed = [...page.matchAll(/^\| `(service_\w+)` \|/gm)].map(([, name]) => name)
  t.strictSame(listed.toSorted(), own.toSorted())
  for (const name of page.match(/\bservice_[a-z_]+/g) ?? []) t.ok(own.includes(name), name)
})
