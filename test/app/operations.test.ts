import { filesOf, read } from '../helpers/repository.ts'
import { test } from '../helpers/tap.ts'

const manual = read('docs/operations.md')

const sources = filesOf('services/*.ts', 'plugins/*.ts').map(read).join('\n')

test('every log line in the runbook exists in the code', async t => {
  const [, runbook = ''] = /^## Alerts\n(.*?)^## /ms.exec(manual) ?? []
  const quoted = [...runbook.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text)
  const lines = quoted.filter(
    text => /^[A-Za-z][\w:]*( [\w:]+)+$/.test(text) && !/^(list|show|ulimit) /.test(text)
  )
  t.ok(lines.length > 5)
  for (const text of lines) t.ok(sources.includes(text), text)
})
