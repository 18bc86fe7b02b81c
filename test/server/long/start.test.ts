import { version } from '../../../services/version.ts'
import { startNetwork, testEnv, type Variables } from '../../helpers/app.ts'
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
