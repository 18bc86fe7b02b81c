import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build, temporaryFolder } from '../../helpers/app.ts'
import { test } from '../../helpers/tap.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const document = join(root, 'openapi.json')

/** A program that hangs is ended after ten minutes. */
async function run(folder: string, command: string, ...args: string[]): Promise<string> {
  const options = { cwd: folder, timeout: 600_000, maxBuffer: 64 * 1024 * 1024 }
  const { stdout } = await promisify(execFile)(command, args, options)
  return stdout
}

test('schemathesis gets no server error and no response that is not in the document', async t => {
  const folder = temporaryFolder(t)
  await run(folder, 'python3', '-m', 'venv', 'venv')
  await run(folder, join(folder, 'venv/bin/pip'), 'install', '-q', 'schemathesis==4.32.5')
  const app = await build(t, { RATE_LIMIT_MAX: '1000000' })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const output = await run(
    folder,
    join(folder, 'venv/bin/schemathesis'),
    ...['run', document, '--url', url, '--no-color', '--max-time', '45', '--max-examples', '20'],
    ...['--seed', '20250131', '--generation-deterministic'],
    ...['--phases', 'examples,coverage,fuzzing', '--suppress-health-check', 'all'],
    ...['--checks', 'not_a_server_error,status_code_conformance,content_type_conformance'],
    // A stream stays open, and without a provider there is nothing to ask.
    ...['--exclude-path-regex', '/events$|^/kyc$|^/compliant$']
  ).catch(({ stdout, stderr }) => `${stdout}${stderr}`)
  t.match(output, /Tested: [1-9]/)
  t.match(output, /(\d+) generated, \1 passed\n/)
})
