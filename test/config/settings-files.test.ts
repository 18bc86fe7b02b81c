import { parseEnv } from 'node:util'
import { loadConfig } from '../../config/index.ts'
import { settingsFiles } from '../../scripts/settings-files.ts'
import { read } from '../helpers/repository.ts'
import { test } from '../helpers/tap.ts'

const phrase = `${'test '.repeat(11)}junk`

test('.env.sample and docs/settings.md are what `npm run settings` writes', async t => {
  for (const [path, content] of Object.entries(settingsFiles())) {
    t.equal(read(path), content, path)
    t.notMatch(content, /undefined/, 'each setting has a description and an example')
  }
})

test('a server starts with a copy of .env.sample as soon as it has a phrase', async t => {
  const env = { ...parseEnv(read('.env.sample')), SERVICE_BACKEND_MNEMONIC: phrase }
  t.strictSame(loadConfig(env).warnings, [])
})

test('the commented lines of .env.sample are valid too', async t => {
  const lines = read('.env.sample').match(/^(# )?[A-Z_]+=.*$/gm) ?? []
  const given = lines.filter(line => !/_FILE=\/run/.test(line)).map(line => line.replace('# ', ''))
  const env = { ...parseEnv(given.join('\n')), SERVICE_BACKEND_MNEMONIC: phrase }
  t.doesNotThrow(() => loadConfig(env))
})
