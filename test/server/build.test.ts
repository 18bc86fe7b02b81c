import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { test } from 'tap'
import { startNetwork, startServer, testEnv } from '../helper.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

test('the compiled server serves as its sources do', async t => {
  // Within the project, so that it finds the installed packages.
  const folder = t.testdir({ 'package.json': t.fixture('symlink', join(root, 'package.json')) })
  const outDir = join(folder, 'dist')
  // tap gives every process that a test starts its own hooks, which the compiler does not survive.
  const compile = ['-u', 'NODE_OPTIONS', join(root, 'node_modules/.bin/tsc'), '-p', 'tsconfig.build.json']
  await promisify(execFile)('env', [...compile, '--outDir', outDir], { cwd: root })

  const env = testEnv(t, await startNetwork(t), { NODE_ENV: 'production' })
  const server = await startServer(t, env, [join(outDir, 'server.js')])
  t.equal(await (await fetch(`${server.url}/health`)).text(), 'ok')
  const fees = await fetch(`${server.url}/submit/fees`)
  t.match(await fees.json(), { code: 'VALIDATION' })
  t.equal(await server.stop(), 0)
})
