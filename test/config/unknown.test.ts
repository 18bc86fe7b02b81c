import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadConfig } from '../../config/index.ts'
import { build, startNetwork, temporaryFolder, testEnv } from '../helpers/app.ts'
import { test } from '../helpers/tap.ts'

test('misspelt variables are named in one warning, without their values', async t => {
  const lines: string[] = []
  await build(
    t,
    { SERVICE_LOW_BALANCES: 'biscuit', SERVICE_DAILY_FEE_LIMITS: 'biscuit', LOG_LEVEL: 'warn' },
    { logTo: line => lines.push(line) }
  )
  const warnings = lines.filter(line => /unknown variables/.test(line))
  t.equal(warnings.length, 1)
  t.match(JSON.parse(warnings[0] ?? ''), {
    level: 40,
    variables: ['SERVICE_DAILY_FEE_LIMITS', 'SERVICE_LOW_BALANCES']
  })
  t.notMatch(lines.join(), 'biscuit')
})

test('unknown variables of the environment and of the file, without those of orchestrators', async t => {
  const envFile = join(temporaryFolder(t), '.env')
  writeFileSync(
    envFile,
    'SERVICE_BRANDS=a\nSERVICE_BACKEND_MNEMONIC_FILES=/b\nSERVICE_LOW_BALANCE=1\nOTHER=1\n'
  )
  const env = {
    ...testEnv(t, await startNetwork(t)),
    SERVICE_BRANDS: 'b',
    SERVICE_EMPTY: ' ',
    SERVICE_STORE_SERVICE_HOST: '10.0.0.1',
    SERVICE_STORE_SERVICE_PORT: '80',
    SERVICE_STORE_SERVICE_PORT_HTTP: '80',
    SERVICE_STORE_PORT: 'tcp://10.0.0.1:80',
    SERVICE_STORE_PORT_80_TCP_ADDR: '10.0.0.1'
  }
  t.strictSame(loadConfig(env, { envFile }).unknown, ['SERVICE_BACKEND_MNEMONIC_FILES', 'SERVICE_BRANDS'])
  t.strictSame(loadConfig(testEnv(t, await startNetwork(t))).unknown, [])
})
