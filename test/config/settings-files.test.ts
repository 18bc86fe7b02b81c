import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadConfig } from '../../config/index.ts'
import { fileVariable, secretNames } from '../../config/schema.ts'
import { settingsFiles } from '../../scripts/settings-files.ts'
import { temporaryFolder } from '../helpers/app.ts'
import { read } from '../helpers/repository.ts'
import { test } from '../helpers/tap.ts'

test('each setting has a description and an example', async t => {
  for (const [path, content] of Object.entries(settingsFiles())) t.notMatch(content, /undefined/, path)
})

const required: Record<string, string> = {
  DOMAIN: 'https://shop.example',
  SERVICE_BACKEND_MNEMONIC: `${'test '.repeat(11)}junk`,
  SERVICE_BACKEND_NODE_PROVIDER: 'https://rpc.example,https://rpc-2.example',
  SERVICE_BACKEND_NODE_PROVIDER_QUERY: 'https://api.example'
}

/** What the comment of a setting says to set together with it. */
const together: Record<string, string[]> = {
  SERVICE_SIGNER: ['SERVICE_SIGNER_ADDRESS'],
  KYC_URL: ['KYC_API_KEY'],
  KYC_API_KEY: ['KYC_URL'],
  SERVICE_WEBHOOK_URL: ['SERVICE_WEBHOOK_SECRET'],
  SERVICE_WEBHOOK_SECRET: ['SERVICE_WEBHOOK_URL']
}

test('a filled-in copy of .env.sample is valid, also with any optional line', async t => {
  const folder = temporaryFolder(t)
  const envFile = join(folder, '.env')
  mkdirSync(join(folder, 'secrets'))
  const sample = read('.env.sample').replaceAll('=/run/secrets/', `=${folder}/secrets/`)
  /** Starts with the sample, after filling in required lines and removing the marks of others. */
  function start(filledIn: Record<string, string>, unmarked: string[]) {
    const lines = sample.split('\n').map(line => {
      const name = line.replace(/^# /, '').replace(/=.*/, '')
      if (unmarked.includes(name)) return line.replace('# ', '')
      return line === `${name}=` ? `${line}${filledIn[name] ?? ''}` : line
    })
    writeFileSync(envFile, lines.join('\n'))
    return loadConfig({}, { envFile })
  }
  const blank = [...sample.matchAll(/^(\w+)=$/gm)].map(([, name]) => name)
  t.strictSame(blank, Object.keys(required), 'lines to fill in')
  t.strictSame(start(required, []).warnings, [])

  const optional = [...sample.matchAll(/^# ([A-Z_]+)=(.*)$/gm)]
  t.ok(optional.length > 45)
  for (const [, name = '', value = ''] of optional) {
    const secret = secretNames.find(secret => fileVariable(secret) === name) ?? name
    const { [secret]: content, ...others } = required
    const inFile = content ?? optional.find(([, other]) => other === secret)?.[2] ?? ''
    if (secret !== name) writeFileSync(value, inFile)
    t.doesNotThrow(() => start(others, [name, ...(together[secret] ?? [])]), name)
  }
})
