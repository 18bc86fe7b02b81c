import { freePort } from '../../../packages/devnet/free-port.ts'
import { temporaryFolder } from '../../helpers/app.ts'
import { startProcess } from '../../helpers/process.ts'
import { root } from '../../helpers/repository.ts'
import { test } from '../../helpers/tap.ts'

test('npm run demo -- --port N starts the server on that port', async t => {
  const port = String(await freePort('127.0.0.1'))
  const { PATH, HOME } = process.env
  const env = { PATH, HOME, TMPDIR: temporaryFolder(t) }
  const words = ['run', 'demo', '--', '--port', port]
  const npm = startProcess(t, 'npm', words, { cwd: root, env }, 'KILL')
  await npm.saw(/GET \/health → ok\n.*signing/)
  t.match(npm.output, `http://127.0.0.1:${port},`)
})
