import { variableNames } from '../../config/read.ts'
import { ConfigSchema } from '../../config/schema.ts'
import { read } from '../helpers/repository.ts'
import { test } from '../helpers/tap.ts'

test('.env.sample lists exactly the variables that the service reads', async t => {
  const sample = read('.env.sample')
  const named = [...sample.matchAll(/^(?:# )?([A-Z][A-Z0-9_]*)=/gm)].map(match => match[1])
  t.strictSame([...new Set(named)].sort(), variableNames.toSorted())
})

test('.env.sample shows every default', async t => {
  const sample = read('.env.sample')
  for (const [name, { default: preset }] of Object.entries(ConfigSchema.properties)) {
    if (preset !== undefined) t.match(sample, `\n# ${name}=${preset}\n`, name)
  }
})
