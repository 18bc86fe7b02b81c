import { startScript } from '../helpers/process.ts'
import { read } from '../helpers/repository.ts'
import { test } from '../helpers/tap.ts'
import { until } from '../helpers/until.ts'

test('the committed bytecode of the tokens matches their source', async t => {
  const compiler = startScript(t, 'scripts/compile-contracts.ts')
  t.equal(await compiler.exited, 0, compiler.stderr)
  const committed = read('packages/devnet/evm/contracts/tokens.json')
  t.same(JSON.parse(compiler.stdout), JSON.parse(committed))
})

test('the EVM nodes stop with the devnet, even if it is killed', async t => {
  const network = startScript(t, 'packages/devnet/cli.ts', '--evm', '--port', '0')
  await network.saw(/phrases are public/)
  const [, url = ''] = await network.saw(/ETH +(http\S+) +Ethereum Sepolia, chain id 11155111/)
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] })
  const ask = () => fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  t.same(await (await ask()).json(), { jsonrpc: '2.0', id: 1, result: '0xaa36a7' })
  await network.stop('SIGKILL')
  const hasEnded = async () => (await ask().catch(() => undefined)) === undefined
  await until(hasEnded, 'the node has ended')
})
