import { readFile } from 'node:fs/promises'
import { createWalletClient, encodeFunctionData, type Hex, http, parseAbi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { permit2Abi, tokenAbi } from '../../packages/devnet/evm/abi.ts'
import { type EvmChain, startEvmChains } from '../../packages/devnet/evm/index.ts'
import { startScript } from '../helpers/process.ts'
import { type Test, test } from '../helpers/tap.ts'
import { until } from '../helpers/until.ts'

const permitAbi = parseAbi([
  'function nonces(address owner) view returns (uint256)',
  'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
  'function DOMAIN_SEPARATOR() view returns (bytes32)'
])

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

test('USDC accepts an EIP-2612 signature once, and so does Permit2 with its own signature', async t => {
  const { eth, account, wallet, mined, user, pool } = await start(t)
  const usdc = eth.tokens['USDC']?.address ?? '0x'
  const domain = { name: 'USDC', version: '1', chainId: eth.chainId, verifyingContract: usdc }
  const fields = (text: string) =>
    text.split(', ').map(field => {
      const [type = '', name = ''] = field.split(' ')
      return { name, type }
    })
  const deadline = BigInt(Math.floor(Date.now() / 1000) + 3600)
  const message = { owner: user.address, spender: pool, value: 7n, nonce: 0n, deadline }
  const signature = await account.signTypedData({
    domain,
    types: {
      Permit: fields('address owner, address spender, uint256 value, uint256 nonce, uint256 deadline')
    },
    primaryType: 'Permit',
    message
  })
  const [r, s, v]: [Hex, Hex, number] = [
    `0x${signature.slice(2, 66)}`,
    `0x${signature.slice(66, 130)}`,
    Number(`0x${signature.slice(130)}`)
  ]
  const permit = () =>
    mined(
      wallet.writeContract({
        address: usdc,
        abi: permitAbi,
        functionName: 'permit',
        args: [user.address, pool, 7n, deadline, v, r, s],
        chain: null
      })
    )
  await permit()
  t.equal(await allowance(eth, 'USDC', user.address, pool), 7n)
  await t.rejects(permit(), { message: /invalid signature/ })

  const expiration = Number(deadline)
  const single = {
    details: { token: usdc, amount: 9n, expiration, nonce: 0 },
    spender: pool,
    sigDeadline: deadline
  }
  const permitted = await account.signTypedData({
    domain: { name: 'Permit2', chainId: eth.chainId, verifyingContract: eth.permit2 },
    types: {
      PermitSingle: fields('PermitDetails details, address spender, uint256 sigDeadline'),
      PermitDetails: fields('address token, uint160 amount, uint48 expiration, uint48 nonce')
    },
    primaryType: 'PermitSingle',
    message: single
  })
  await mined(
    wallet.writeContract({
      address: eth.permit2,
      abi: permit2Abi,
      functionName: 'permit',
      args: [user.address, single, permitted],
      chain: null
    })
  )
  const granted = await eth.client.readContract({
    address: eth.permit2,
    abi: permit2Abi,
    functionName: 'allowance',
    args: [user.address, usdc, pool]
  })
  t.same(granted, [9n, expiration, 1])
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
