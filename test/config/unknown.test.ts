import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadConfig } from '../../config/index.ts'
import { build, MAINNET, startNetwork, temporaryFolder, testEnv } from '../helpers/app.ts'
import { test } from '../helpers/tap.ts'

test('warns once about misspelt variables, without their values', async t => {
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

test('warns once on mainnet about checks weaker than the defaults', async t => {
  for (const [quotes, approvals, variables] of [
    ['required', 'enforce', undefined],
    ['off', 'enforce', ['SERVICE_QUOTE_CHECK']],
    ['known', 'off', ['SERVICE_QUOTE_CHECK', 'SERVICE_APPROVAL_CHECK']]
  ] as const) {
    const checks = { SERVICE_QUOTE_CHECK: quotes, SERVICE_APPROVAL_CHECK: approvals }
    const lines: string[] = []
    await build(t, { ...MAINNET, ...checks, LOG_LEVEL: 'warn' }, { logTo: line => lines.push(line) })
    const warning = lines.map(line => JSON.parse(line)).find(({ msg }) => /weaker checks/.test(msg))
    t.strictSame(warning?.variables, variables, `${quotes} ${approvals}`)
  }
})

test('reports variables that differ by one letter from the service’s own', async t => {
  const misspelt = [
    'DATABSE_URL',
    'KYC_API_KEYS',
    'LOG_LEVLE',
    'RATE_LIMIT_MAY',
    'RATE_LIMT_MAX',
    'TRUST_PROX'
  ]
  const others = ['RATE_LIMIT_MIN', 'HOSTS', 'POST', 'DOMAINS', 'KYC_URI', 'PATH', 'rate_limit_max']
  const env = testEnv(t, await startNetwork(t))
  for (const name of [...misspelt, ...others]) env[name] = '1'
  t.strictSame(loadConfig(env).unknown, misspelt)
})

test('reports unknown variables of the environment and the file, except those of orchestrators', async t => {
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
