import { version } from '../../../services/version.ts'
import { build, startNetwork, testEnv, type Variables } from '../../helpers/app.ts'
import { builtServer } from '../../helpers/production.ts'
import { spawnServer } from '../../helpers/server-process.ts'
import { type Test, test } from '../../helpers/tap.ts'

async function run(t: Test, env: Variables, ...args: string[]) {
  const server = await spawnServer(t, env, [await builtServer(), ...args])
  const code = await server.exited
  return { code, stdout: server.stdout, stderr: server.stderr }
}

test('the server’s command-line arguments', async t => {
  // With this complete configuration, a server that ignored its arguments would start and not exit.
  const env = testEnv(t, await startNetwork(t))

  t.test('--help and --version print to stdout and exit with code 0', async t => {
    const [usage, printed] = await Promise.all([run(t, env, '--help'), run(t, env, '--version')])
    t.match(usage, { code: 0, stdout: /^Usage: transaction-back-end /, stderr: '' })
    t.strictSame(printed, { code: 0, stdout: `${version}\n`, stderr: '' })
  })

  t.test('other arguments exit with code 2 and are not quoted in the error', async t => {
    const refused = { code: 2, stdout: '', stderr: 'unknown arguments (--help lists the options)\n' }
    const results = await Promise.all([run(t, env, '--prot=80'), run(t, env, '--version', 'zebra')])
    t.strictSame(results, [refused, refused])
  })
})

test('without configuration, exits with code 1 and reports each required variable in one line', async t => {
  const { code, stdout, stderr } = await run(t, {})
  t.strictSame([code, stdout], [1, ''])
  t.strictSame(
    stderr
      .trim()
      .split('\n')
      .map(line => line.split(' ')[0]),
    [
      'NODE_ENV',
      'SERVICE_ENVIRONMENT',
      'DOMAIN',
      'SERVICE_BACKEND_MNEMONIC',
      'SERVICE_BACKEND_NODE_PROVIDER',
      'SERVICE_BACKEND_NODE_PROVIDER_QUERY'
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
