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
import type { EvmChainName } from '../../../packages/devnet/evm/names.ts'
import { build, startNetwork, type Variables } from '../../helpers/app.ts'
import { messagesOn } from '../../helpers/oracle/index.ts'
import { startScript } from '../../helpers/process.ts'
import { type Test, test } from '../../helpers/tap.ts'
import { signedBody } from './quoted-bodies.ts'

const user = privateKeyToAccount(USER.privateKey)
const OTHER: Address = '0x8ba1f109551bD432803012645Ac136ddd64DBA72'

/** Less than the pause before a second read. */
const NO_WAIT = { SERVICE_SUBMIT_TIMEOUT: '400' }

/** Starts real EVM nodes, and a server on them that enforces approvals. */
async function start(t: Test, evm: EvmChainName[], env: Variables = {}) {
  const devnet = await startNetwork(t, { evm })
  const server = await build(t, { SERVICE_APPROVAL_CHECK: 'enforce', ...env }, { devnet })
  function chain(name: string): EvmChain {
    const found = devnet.evm?.chain(name)
    if (found === undefined) throw new Error(`there is no chain ${name}`)
    return found
  }
  return { devnet, server, chain, eth: chain('ETH'), pool: devnet.evm?.pool ?? '0x' }
}

const walletOf = ({ url }: EvmChain) => createWalletClient({ account: user, transport: http(url) })
const usdtOf = ({ tokens }: EvmChain): Address => tokens['USDT']?.address ?? '0x'
const approval = (spender: Address, value: bigint) =>
  encodeFunctionData({ abi: tokenAbi, functionName: 'approve', args: [spender, value] })

/** Approves USDT of the user, and waits for the receipt. */
async function approve(chain: EvmChain, spender: Address, value: bigint): Promise<void> {
  const data = approval(spender, value)
  const hash = await walletOf(chain).sendTransaction({ to: usdtOf(chain), data, chain: null })
  const { status } = await chain.client.waitForTransactionReceipt({ hash })
  if (status !== 'success') throw new Error('the approval failed')
}

type Sign = (message: string) => Promise<string>
const by = (account: typeof user) => (message: string) => account.signMessage({ message })
const owner = { address: user.address, sign: by(user) }
const accepted = { submissionId: /./ }

test('accepts a submission only once the pool may pull the quoted allowance', async t => {
  const { devnet, server, chain, eth, pool } = await start(t, ['ETH', 'POL'], NO_WAIT)
  const { send, needed } = await signedBody(server, owner)
  const steps: [what: string, found: bigint, approve: () => Promise<void>][] = [
    ['no approval', 0n, async () => {}],
    ['another spender', 0n, () => approve(eth, OTHER, needed)],
    ['another chain', 0n, () => approve(chain('POL'), pool, needed)],
    ['too little', needed - 1n, () => approve(eth, pool, needed - 1n)],
    ['revoked', 0n, () => approve(eth, pool, 0n)]
  ]
  for (const [what, found, prepare] of steps) {
    await prepare()
    const allowance = { token: usdtOf(eth), spender: pool, needed: String(needed), found: String(found) }
    const path = '/originAddress'
    const message = `must approve ${needed} base units of USDT (${usdtOf(eth)} on ETH) for ${pool}`
    const refused = { code: 'APPROVAL_MISSING', allowance, message: `originAddress ${message}` }
    t.match(await send(), { ...refused, statusCode: 400, details: [{ path, message }] }, what)
  }
  t.same(messagesOn(devnet).transfers, [])
  await approve(eth, pool, needed)
  const { submissionId } = await send()
  t.match(submissionId, /./)
  await approve(eth, pool, 0n)
  t.match(await send(), { submissionId }, 'a retry joins, whatever the allowance is now')
})

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
  const signer = walletOf(eth)
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
  const { eth, server, pool } = await start(t, ['ETH'], NO_WAIT)
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
  await wallet.execute(usdtOf(eth), approval(pool, 10n * early.needed))
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
