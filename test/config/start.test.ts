import { build } from '../helpers/app.ts'
import { spawnServer } from '../helpers/server-process.ts'
import { test } from '../helpers/tap.ts'

test('without configuration, exits with code 1 and reports each required variable in one line', async t => {
  const server = await spawnServer(t, {})
  t.equal(await server.exited, 1)
  t.strictSame(
    server.output
      .trim()
      .split('\n')
      .map(line => line.split(' ')[0]),
    [
      'SERVICE_ENVIRONMENT',
      'NODE_ENV',
      'DOMAIN',
      'SERVICE_BACKEND_NODE_PROVIDER',
      'SERVICE_BACKEND_NODE_PROVIDER_QUERY',
      'SERVICE_BACKEND_MNEMONIC'
    ]
  )
})

test('logs one warning that lists all unknown variables, without their values', async t => {
  const lines: string[] = []
  await build(
    t,
    { SERVICE_LOW_BALANCES: 'biscuit', SERVICE_DAILY_FEE_LIMITS: 'biscuit', LOG_LEVEL: 'warn' },
    { logTo: line => lines.push(line) }
  )
  const warnings = lines.filter(line => line.includes('unknown variables are ignored'))
  t.equal(warnings.length, 1)
  t.match(JSON.parse(warnings[0] ?? ''), {
    level: 40,
    variables: ['SERVICE_DAILY_FEE_LIMITS', 'SERVICE_LOW_BALANCES']
  })
  t.notMatch(lines.join(), 'biscuit')
})
