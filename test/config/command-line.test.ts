import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { version } from '../../services/version.ts'
import { startNetwork, temporaryFolder, testEnv } from '../helpers/app.ts'
import { root } from '../helpers/repository.ts'
import { test } from '../helpers/tap.ts'

const loaders = [import.meta.resolve('../helpers/end-with-parent.js'), import.meta.resolve('tsx/esm')]

test('server command-line arguments', async t => {
  // The configuration is complete, so that a command that ignored its arguments would start a server and not exit.
  const env = testEnv(t, await startNetwork(t))

  const run = (file: string, ...args: string[]) =>
    new Promise(resolve => {
      const command = [...loaders.flatMap(loader => ['--import', loader]), join(root, file), ...args]
      const options = { cwd: temporaryFolder(t), env }
      const child = execFile(process.execPath, command, options, (_error, stdout, stderr) =>
        resolve({ code: child.exitCode, stdout, stderr })
      )
      t.teardown(() => child.kill('SIGKILL'))
    })

  t.test('--help and --version print to stdout and exit with code 0', async t => {
    const [usage, printed] = await Promise.all([run('server.ts', '--help'), run('bin.ts', '--version')])
    t.match(usage, { code: 0, stdout: /^Usage: transaction-back-end /, stderr: '' })
    t.strictSame(printed, { code: 0, stdout: `${version}\n`, stderr: '' })
  })

  t.test('other arguments exit with code 2 and are not quoted in the error', async t => {
    const refused = { code: 2, stdout: '', stderr: 'unknown arguments (--help lists the options)\n' }
    const wrong = [['--prot=80'], ['--version', 'zebra']]
    const results = await Promise.all(wrong.map(args => run('bin.ts', ...args)))
    t.strictSame(
      results,
      wrong.map(() => refused)
    )
  })
})
