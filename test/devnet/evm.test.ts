import { readFile } from 'node:fs/promises'
import { createWalletClient, encodeFunctionData, type Hex, http, parseAbi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { tokenAbi } from '../../packages/devnet/evm/abi.ts'
import { type EvmChain, startEvmChains } from '../../packages/devnet/evm/index.ts'
import { startScript } from '../helpers/process.ts'
import { type Test, test } from '../helpers/tap.ts'
import { until } from '../helpers/until.ts'

async function start(t: Test) {
  const evm = await startEvmChains({ names: ['ETH', 'BSC'] })
  t.teardown(evm.stop)
  const account = privateKeyToAccount(evm.user.privateKey)
  const [eth, bsc] = evm.chains
  if (eth === undefined || bsc === undefined) throw new Error('a chain is missing')
  const wallet = createWalletClient({ account, transport: http(eth.url) })
  const mined = async (hash: Promise<Hex>) => eth.client.waitForTransactionReceipt({ hash: await hash })
  return { ...evm, eth, bsc, account, wallet, mined }
}

const allowance = ({ client, tokens }: EvmChain, symbol: string, owner: Hex, spender: Hex) =>
  client.readContract({
    address: tokens[symbol]?.address ?? '0x',
    abi: tokenAbi,
    functionName: 'allowance',
    args: [owner, spender]
  })

test('the committed bytecode of the tokens matches their source', async t => {
  const compiler = startScript(t, 'scripts/compile-contracts.ts')
  t.equal(await compiler.exited, 0, compiler.stderr)
  const committed = await readFile(
    new URL('../../packages/devnet/evm/contracts/tokens.json', import.meta.url),
    'utf8'
  )
  t.same(JSON.parse(compiler.stdout), JSON.parse(committed))
})

test('tokens have the decimals of the registry and behave as their originals', async t => {
  const { eth, bsc, wallet, mined, user, pool } = await start(t)
  t.same([await eth.client.getChainId(), await bsc.client.getChainId()], [11_155_111, 97])
  const decimals = async ({ client, tokens }: EvmChain, symbol: string) =>
    client.readContract({
      address: tokens[symbol]?.address ?? '0x',
      abi: parseAbi(['function decimals() view returns (uint8)']),
      functionName: 'decimals'
    })
  t.equal(await decimals(eth, 'USDT'), 6)
  t.equal(await decimals(eth, 'WETH'), 18)
  t.equal(await decimals(bsc, 'USDT'), 18)

  const approve = async (symbol: string, value: bigint) => {
    const data = encodeFunctionData({ abi: tokenAbi, functionName: 'approve', args: [pool, value] })
    const to = eth.tokens[symbol]?.address ?? '0x'
    const result = await eth.client.call({ account: user.address, to, data })
    await mined(wallet.sendTransaction({ to, data, chain: null }))
    return result.data
  }
  t.equal(await approve('USDT', 5n), undefined, 'USDT returns nothing')
  await t.rejects(approve('USDT', 6n), { message: /set the allowance to zero first/ })
  await approve('USDT', 0n)
  await approve('USDT', 6n)
  t.equal(await allowance(eth, 'USDT', user.address, pool), 6n)
  t.equal(BigInt((await approve('EURC', 5n)) ?? 0), 1n, 'others return true')
  await approve('EURC', 6n)
  t.equal(await allowance(eth, 'EURC', user.address, pool), 6n)
})

test('the nodes end with their process, even if it is killed', async t => {
  const network = startScript(t, 'packages/devnet/cli.ts', '--evm', '--port', '0')
  await network.saw(/phrases are public/)
  const [, url = ''] = await network.saw(/ETH +(http\S+) +Ethereum Sepolia, chain id 11155111/)
  const ask = () =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] })
    })
  t.same(await (await ask()).json(), { jsonrpc: '2.0', id: 1, result: '0xaa36a7' })
  await network.stop('SIGKILL')
  await until(
    () =>
      ask().then(
        () => false,
        () => true
      ),
    'the node has ended'
  )
})
