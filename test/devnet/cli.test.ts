import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { freePort } from '../../packages/devnet/free-port.ts'
import { DEVELOPMENT_WALLET } from '../../packages/devnet/wallets.ts'
import { startProcess, startScript } from '../helpers/process.ts'
import { read, root } from '../helpers/repository.ts'
import { rpc } from '../helpers/rpc.ts'
import { type Test, test } from '../helpers/tap.ts'
import { until } from '../helpers/until.ts'

const start = (t: Test, ...words: string[]) => startScript(t, 'packages/devnet/cli.ts', ...words)

test('prints its URLs, writes the variables file and stops on SIGTERM', async t => {
  const old = `OLD=1\nSERVICE_BACKEND_MNEMONIC="${DEVELOPMENT_WALLET}"`
  const path = join(t.testdir({ 'old.env': old }), 'old.env')
  const network = start(t, '--port', '0', '--env-out', path)
  await network.saw(/phrases are public/)

  t.equal((await stat(path)).mode & 0o777, 0o600)
  const env = parseEnv(await readFile(path, 'utf8'))
  t.match(env, {
    SERVICE_ENVIRONMENT: 'testnet',
    NODE_ENV: 'development',
    SERVICE_BACKEND_MNEMONIC: DEVELOPMENT_WALLET,
    SERVICE_BRAND: 'service',
    COMPLIANCE_URL: /^http:/,
    KYC_URL: /^http:/,
    KYC_API_KEY: /./,
    SERVICE_WEBHOOK_URL: 'http://127.0.0.1:3001/playground/webhooks',
    SERVICE_WEBHOOK_SECRET: /^whsec_/
  })
  t.notOk('OLD' in env)
  t.match(await rpc(env['SERVICE_BACKEND_NODE_PROVIDER'], 'health'), { result: {} })

  t.equal(await network.stop(), 0)
  t.equal(network.stderr, '')
  t.match(network.stdout, `rpc         ${env['SERVICE_BACKEND_NODE_PROVIDER']}`)
})

test('npm run demo -- --port N starts the server on that port', async t => {
  const port = String(await freePort('127.0.0.1'))
  const { PATH, HOME } = process.env
  const env = { PATH, HOME, TMPDIR: t.testdir({}) }
  const words = ['run', 'demo', '--', '--port', port]
  const npm = startProcess(t, 'npm', words, { cwd: root, env }, 'KILL')
  await npm.saw(/GET \/health → ok\n.*signing/)
  t.match(npm.output, `http://127.0.0.1:${port},`)
})

test('refuses to overwrite a file that it did not write', async t => {
  const path = join(t.testdir({ '.env': 'SERVICE_BACKEND_MNEMONIC="the only copy"' }), '.env')
  const network = start(t, '--port', '0', '--env-out', path)
  t.equal(await network.exited, 2)
  t.match(network.stderr, /^--env-out: .*\.env exists and does not belong to a development network/)
  t.equal(await readFile(path, 'utf8'), 'SERVICE_BACKEND_MNEMONIC="the only copy"')
})

test('the committed bytecode of the tokens matches their source', async t => {
  const compiler = startScript(t, 'scripts/compile-contracts.ts')
  t.equal(await compiler.exited, 0, compiler.stderr)
  const committed = read('packages/devnet/evm/contracts/tokens.json')
  t.same(JSON.parse(compiler.stdout), JSON.parse(committed))
})

test('the EVM nodes stop with the devnet, even if it is killed', async t => {
  const network = start(t, '--evm', '--port', '0')
  await network.saw(/phrases are public/)
  const [, url = ''] = await network.saw(/ETH +(http\S+) +Ethereum Sepolia, chain id 11155111/)
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] })
  const ask = () => fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  t.same(await (await ask()).json(), { jsonrpc: '2.0', id: 1, result: '0xaa36a7' })
  await network.stop('SIGKILL')
  const hasEnded = async () => (await ask().catch(() => undefined)) === undefined
  await until(hasEnded, 'the node has ended')
})
