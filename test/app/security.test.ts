import { readFileSync } from 'node:fs'
import { test } from '../helpers/tap.ts'

const document = readFileSync(new URL('../../SECURITY.md', import.meta.url), 'utf8')

test('SECURITY.md names a rule, a test or a document for each protection, and says what is not protected', async t => {
  const [, model = ''] = /^## Threat model\n(.*?)^## /ms.exec(document) ?? []
  const attackers = model.split(/^### /m).slice(1)
  t.ok(attackers.length > 5)
  for (const attacker of attackers) {
    const [name = ''] = attacker.split('\n', 1)
    const items = attacker.split(/^- /m).slice(1)
    t.ok(
      items.some(item => item.startsWith('Protected')),
      name
    )
    t.ok(
      items.some(item => item.startsWith('Not: ')),
      name
    )
    for (const item of items.filter(text => text.startsWith('Protected'))) {
      t.match(item, /\(interface \d|`test\/|(\]\(|`)docs\//, `${name}: ${item}`)
    }
  }
})
