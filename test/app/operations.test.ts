import { ConfigSchema, secretNames } from '../../config/schema.ts'
import { filesOf, read } from '../helpers/repository.ts'
import { test } from '../helpers/tap.ts'

const manual = read('docs/operations.md')

test('docs/operations.md describes each variable and marks secret variables', async t => {
  const [, section = ''] = /^## Configuration\n(.*?)^## /ms.exec(manual) ?? []
  const rows = [...section.matchAll(/^\| (`[A-Z].*?) \| (.{20,}) \| (secret |)\|$/gm)].map(
    ([, names = '', , secret]) => ({ names: names.match(/[A-Z_]+/g) ?? [], isSecret: secret !== '' })
  )
  const named = rows.flatMap(({ names }) => names)
  t.strictSame(named.sort(), Object.keys(ConfigSchema.properties).sort())
  const secret = rows.filter(({ isSecret }) => isSecret).flatMap(({ names }) => names)
  t.strictSame(secret.sort(), [...secretNames].sort())
})

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
