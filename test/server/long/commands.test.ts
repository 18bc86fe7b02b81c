import { freePort } from '../../../packages/devnet/free-port.ts'
import { startNetwork, temporaryFolder, testEnv } from '../../helpers/app.ts'
import { startProcess } from '../../helpers/process.ts'
import { root } from '../../helpers/repository.ts'
import { type Test, test } from '../../helpers/tap.ts'

/** Runs a package.json script and waits until its output matches the pattern. @returns the output so far */
async function sees(
  t: Test,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  pattern: RegExp
): Promise<string> {
  const npm = startProcess(t, 'npm', ['run', ...args], { cwd: root, env, detached: true })
  t.teardown(async () => {
    if (npm.pid !== undefined) process.kill(-npm.pid, 'SIGTERM')
    await npm.exited
  })
  await npm.saw(pattern)
  return npm.output
}

test('npm run dev listens on loopback and prints a readable log', async t => {
  const PORT = String(await freePort('127.0.0.1'))
  const { HOST: _host, ...settings } = testEnv(t, await startNetwork(t), { NODE_ENV: 'development', PORT })
  const { PATH, HOME } = process.env
  const output = await sees(t, ['dev'], { PATH, HOME, ...settings }, /listening at http/i)
  t.match(output, `http://127.0.0.1:${PORT}`)
  t.notMatch(output, '{"level"')
})

test('npm run demo -- --port N starts the server on that port', async t => {
  const port = String(await freePort('127.0.0.1'))
  const { PATH, HOME } = process.env
  const env = { PATH, HOME, TMPDIR: temporaryFolder(t) }
  const output = await sees(t, ['demo', '--', '--port', port], env, /GET \/health → ok\n.*signing/)
  t.match(output, `http://127.0.0.1:${port},`)
})
