import {
  type Address,
  createWalletClient,
  encodeFunctionData,
  type Hex,
  hashMessage,
  http,
  parseAbi,
  serializeErc6492Signature
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { tokenAbi } from '../../../packages/devnet/evm/abi.ts'
import { type EvmChain, USER } from '../../../packages/devnet/evm/index.ts'
import { build, startNetwork } from '../../helpers/app.ts'
import { startScript } from '../../helpers/process.ts'
import { type Test, test } from '../../helpers/tap.ts'
import { signedBody } from './quoted-bodies.ts'

const user = privateKeyToAccount(USER.privateKey)
type Sign = (message: string) => Promise<string>
const by = (account: typeof user) => (message: string) => account.signMessage({ message })
const accepted = { submissionId: /./ }

const walletAbi = parseAbi([
  'function execute(address to, bytes data)',
  'function approveHash(bytes32 hash)',
  'function deploy(address owner) returns (address)'
])

/** Deploys the factory of contract wallets, and returns the wallet of an owner, which is not deployed yet. */
async function contractWallet(t: Test, eth: EvmChain, owner: Address) {
  const compiler = startScript(t, 'scripts/compile-contracts.ts', 'test/helpers/Wallet.sol')
  if ((await compiler.exited) !== 0) throw new Error(compiler.stderr)
  const { Factory }: { Factory: Hex } = JSON.parse(compiler.stdout)
  const signer = createWalletClient({ account: user, transport: http(eth.url) })
  const hash = await signer.sendTransaction({ data: Factory, chain: null })
  const { contractAddress: factory } = await eth.client.waitForTransactionReceipt({ hash })
  if (!factory) throw new Error('the factory was not deployed')
  const deploy = (of: Address) => encodeFunctionData({ abi: walletAbi, functionName: 'deploy', args: [of] })
  const { data = '0x' } = await eth.client.call({ to: factory, data: deploy(owner) })
  const address: Address = `0x${data.slice(-40)}`

  async function send(to: Address, call: Hex): Promise<void> {
    const sent = await signer.sendTransaction({ to, data: call, chain: null })
    const { status } = await eth.client.waitForTransactionReceipt({ hash: sent })
    if (status !== 'success') throw new Error('a transaction of the wallet failed')
  }

  return {
    address,
    /** A signature for a wallet that might not be deployed yet (ERC-6492). */
    wrapped: (signature: Hex, of: Address = owner) =>
      serializeErc6492Signature({ address: factory, data: deploy(of), signature }),
    deploy: () => send(factory, deploy(owner)),
    execute: (to: Address, call: Hex) =>
      send(address, encodeFunctionData({ abi: walletAbi, functionName: 'execute', args: [to, call] })),
    approveHash: (message: string) =>
      send(
        address,
        encodeFunctionData({ abi: walletAbi, functionName: 'approveHash', args: [hashMessage(message)] })
      )
  }
}

test('accepts the approvals of a contract wallet (ERC-1271, ERC-6492)', async t => {
  const devnet = await startNetwork(t, { evm: ['ETH'] })
  const { pool } = devnet.evm ?? {}
  const eth = devnet.evm?.chain('ETH')
  const usdt = eth?.tokens['USDT']
  if (!pool || !eth || !usdt) throw new Error('no EVM chain')
  // Less than the pause before a second read of the allowance.
  const settings = { SERVICE_APPROVAL_CHECK: 'enforce', SERVICE_SUBMIT_TIMEOUT: '400' }
  const server = await build(t, settings, { devnet })
  const wallet = await contractWallet(t, eth, user.address)
  const stranger = privateKeyToAccount(generatePrivateKey())
  const signedBy = (sign: Sign) => signedBody(server, { address: wallet.address, sign })
  const invalid = { statusCode: 400, code: 'APPROVAL_INVALID', details: [{ path: '/options/signature' }] }
  const missing = { statusCode: 400, code: 'APPROVAL_MISSING' }
  const wrappedBy = (account: typeof user, owner?: Address) => async (message: string) =>
    wallet.wrapped(await by(account)(message), owner)
  const undeployed: [what: string, sign: Sign, expected: object][] = [
    ['the owner’s, with the call that deploys the wallet', wrappedBy(user), missing],
    ['the owner’s alone', by(user), invalid],
    ['a stranger’s', wrappedBy(stranger), invalid],
    ['a stranger’s, for the stranger’s wallet', wrappedBy(stranger, stranger.address), invalid]
  ]
  for (const [what, sign, expected] of undeployed)
    t.match(await (await signedBy(sign)).send(), expected, `before the deployment: ${what}`)

  const early = await signedBy(wrappedBy(user))
  await wallet.deploy()
  const approve = (amount: bigint) => {
    const data = encodeFunctionData({ abi: tokenAbi, functionName: 'approve', args: [pool, amount] })
    return wallet.execute(usdt.address, data)
  }
  await approve(early.needed - 1n)
  const found = String(early.needed - 1n)
  t.match(await early.send(), { ...missing, allowance: { token: usdt.address, spender: pool, found } })
  const most = 10n * early.needed
  await t.rejects(approve(most), /the call failed/, 'like USDT on Ethereum')
  for (const amount of [0n, most]) await approve(amount)
  t.match(await early.send(), accepted, 'signed before the deployment')

  const deployed: [what: string, sign: Sign, expected: object][] = [
    ['the owner’s', by(user), accepted],
    ['a stranger’s', by(stranger), invalid],
    ['the owner’s of another message', async message => by(user)(`${message} `), invalid],
    ['none, without an approval on the chain', async () => '0x', invalid]
  ]
  for (const [what, sign, expected] of deployed) t.match(await (await signedBy(sign)).send(), expected, what)
  const { send } = await signedBy(async message => {
    await wallet.approveHash(message)
    return '0x'
  })
  t.match(await send(), accepted, 'approved on the chain')
})
