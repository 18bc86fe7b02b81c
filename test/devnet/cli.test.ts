import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseEnv } from 'node:util'
import { DEVELOPMENT_WALLET } from '../../packages/devnet/wallets.ts'
import { rpc } from '../helpers/rpc.ts'
import { type Test, test } from '../helpers/tap.ts'
import { root } from '../helpers/repository.ts'

const CLI = join(root, 'packages/devnet/cli.ts')

function run(t: Test, ...args: string[]) {
  const child = spawn(process.execPath, ['--import', 'tsx/esm', CLI, ...args], {
    stdio: ['ignore', 'pipe', 'pipe']
  })
  t.teardown(() => child.kill('SIGKILL'))
  const ended = Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]).then(
    ([[code], stdout, stderr]) => ({ code, stdout, stderr })
  )
  return { child, ended }
}

test('the network prints its URLs, writes the variables and stops on SIGTERM', async t => {
  const path = join(
    t.testdir({ 'old.env': `OLD=1\nSERVICE_BACKEND_MNEMONIC="${DEVELOPMENT_WALLET}"` }),
    'old.env'
  )
  const { child, ended } = run(t, '--port', '0', '--env-out', path)
  await once(child.stdout, 'data')

  t.equal((await stat(path)).mode & 0o777, 0o600)
  const env = parseEnv(await readFile(path, 'utf8'))
  t.match(env, {
    SERVICE_ENVIRONMENT: 'testnet',
    NODE_ENV: 'development',
    SERVICE_BACKEND_MNEMONIC: DEVELOPMENT_WALLET,
    SERVICE_CHAIN_PREFIX: 'service',
    SERVICE_CHAIN_DENOM: 'uSERVICE',
    COMPLIANCE_URL: /^http:/,
    KYC_URL: /^http:/,
    KYC_API_KEY: /./
  })
  t.notOk('OLD' in env)
  t.match(await rpc(env['SERVICE_BACKEND_NODE_PROVIDER'], 'health'), { result: {} })

  child.kill('SIGTERM')
  const { code, stdout, stderr } = await ended
  t.equal(code, 0)
  t.equal(stderr, '')
  t.match(stdout, `RPC         ${env['SERVICE_BACKEND_NODE_PROVIDER']}`)
  t.match(stdout, /phrases are public/)
})

test('a file that no development network wrote is left as it is', async t => {
  const path = join(t.testdir({ '.env': 'SERVICE_BACKEND_MNEMONIC="the only copy"' }), '.env')
  const { code, stderr } = await run(t, '--port', '0', '--env-out', path).ended
  t.equal(code, 2)
  t.match(stderr, /^--env-out: .*\.env exists and is not of a development network/)
  t.equal(await readFile(path, 'utf8'), 'SERVICE_BACKEND_MNEMONIC="the only copy"')
})

test('a taken port is reported in one line with exit code 1', async t => {
  const server = createServer().listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const { code, stderr } = await run(t, '--port', String(port)).ended
  t.equal(code, 1)
  t.equal(stderr, `port ${port} is taken (--port N chooses others)\n`)
})
