import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { test } from 'tap'
import { startNetwork, testEnv } from '../helpers/app.ts'
import { compile } from '../helpers/compile.ts'
import { startServer } from '../helpers/server-process.ts'

test('the compiled server answers like its sources', async t => {
  const outDir = await compile(t, 'tsconfig.build.json')
  const env = testEnv(t, await startNetwork(t), { NODE_ENV: 'production' })
  const server = await startServer(t, env, [join(outDir, 'server.js')])
  t.equal(await (await fetch(`${server.url}/health`)).text(), 'ok')
  const fees = await fetch(`${server.url}/submit/fees`)
  t.match(await fees.json(), { code: 'VALIDATION' })
  t.equal(await server.stop(), 0)
})

test('the compiled operator tool runs', async t => {
  const outDir = await compile(t, 'tsconfig.build.json')
  const { stdout } = await promisify(execFile)(process.execPath, [join(outDir, 'operator/cli.js'), '--help'])
  t.match(stdout, /^Usage: submissions COMMAND/)
})
