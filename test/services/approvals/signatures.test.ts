import { base58 } from '@scure/base'
import { encodeAbiParameters, type Hex } from 'viem'
import { createEvmRpcs } from '../../../services/approvals/evm-rpc.ts'
import { approvalMessage, readApprovalMessage } from '../../../services/approvals/message.ts'
import { createSignatureCheck } from '../../../services/approvals/signatures/index.ts'
import { json, serve } from '../../helpers/local-server.ts'
import { type Test, test } from '../../helpers/tap.ts'
import { evmUser, solanaUser, tronUser, type User } from '../../helpers/users.ts'
import { type WalletCode, walletNode } from '../../helpers/wallet-node.ts'

const TEXT = 'I approve the transfer of 100.91275 USDT from ETH to 0x01 on POL.'
const CHAINS: [string, () => User][] = [
  ['ETH', evmUser],
  ['SOL', solanaUser],
  ['SOL', () => solanaUser('base58')],
  ['TRX', tronUser]
]

function checkOf(t: Test, evmRpc: Record<string, string> = {}) {
  const rpcs = createEvmRpcs(evmRpc)
  const check = createSignatureCheck(rpcs)
  t.teardown(() => Promise.all([check.close(), rpcs.close()]))
  return (chain: string, address: string, signature: string, texts = [TEXT]) =>
    check.problem({ chain, address, signature, texts })
}

test('reads the exact amount of a message, and rejects a message with additional text', async t => {
  const text = TEXT.replace('100.91275', '1.000000000000000001')
  const terms = readApprovalMessage(text)
  t.equal(terms && approvalMessage(terms), text)
  for (const longer of [`${text} But not today.`, `Not yet: ${text}`])
    t.equal(readApprovalMessage(longer), undefined)
})

test('accepts a signature over any of the accepted messages, from its user alone', async t => {
  const problem = checkOf(t)
  for (const [chain, create] of CHAINS) {
    const { address, sign } = create()
    const text = '1 €: čárka'
    const signature = await sign(text)
    t.equal(await problem(chain, address, signature, [TEXT, text]), undefined, chain)
    const broken = ['', signature.slice(0, -2), `${signature}00`, `0x${'0'.repeat(130)}`]
    for (const wrong of [await sign(`${TEXT} `), await create().sign(TEXT), ...broken])
      t.type(await problem(chain, address, wrong), 'string', `${chain} ${wrong}`)
  }
})

test('rejects a signature that the same key made for another chain family', async t => {
  const problem = checkOf(t)
  const { address, sign } = tronUser()
  const asEvm = `0x${Buffer.from(base58.decode(address).subarray(1, 21)).toString('hex')}`
  t.type(await problem('ETH', asEvm, await sign(TEXT)), 'string')
  t.equal(await problem('TRX', address, await sign(TEXT)), undefined)
})

/** The group order of secp256k1. */
const N = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

const partsOf = (signature: string) => ({
  r: signature.slice(2, 66),
  s: signature.slice(66, 130),
  v: Number.parseInt(signature.slice(130), 16)
})

/** Returns another valid signature for the same message and key. Anybody can derive it from the first signature. */
function alteredCopy(signature: string): string {
  const { r, s, v } = partsOf(signature)
  const high = (N - BigInt(`0x${s}`)).toString(16).padStart(64, '0')
  return `0x${r}${high}${(v === 27 ? 28 : 27).toString(16)}`
}

test('accepts a recovery bit of 0 or 1 and hex without 0x, but rejects a high s', async t => {
  const problem = checkOf(t)
  for (const [chain, create] of [CHAINS[0], CHAINS[3]].filter(entry => entry !== undefined)) {
    const { address, sign } = create()
    const signature = await sign(TEXT)
    const { r, s, v } = partsOf(signature)
    t.equal(await problem(chain, address, signature.slice(2).toUpperCase()), undefined)
    t.equal(await problem(chain, address, `0x${r}${s}0${v - 27}`), undefined)
    t.match(await problem(chain, address, alteredCopy(signature)), /lower half/)
    t.type(await problem(chain, address, `0x${r}${s}1d`), 'string', 'a recovery bit of 2')
  }
})

test('accepts signatures from published test vectors', async t => {
  const problem = checkOf(t)
  // From TronWeb's message tests, signed with private key 1.
  const tron =
    '0x0dc0b53d525e0103a6013061cf18e60cf158809149f2b8994a545af65a7004cb1eeaff560e801ab51b28df5d42549aa024c2aa7e9d34de1e01294b9afb5e6c7e1c'
  t.equal(await problem('TRX', 'TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC', tron, ['hello world']), undefined)
  // RFC 8032, section 7.1, test 2: the message is the byte 0x72.
  const key = Buffer.from('3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c', 'hex')
  const solana =
    '0x92A009A9F0D4CAB8720E820B5F642540A2B27B5416503F8FB3762223EBDB69DA085AC1E43E15996E458F3613D0F11D8C387B2EAEB4302AEEB00D291612BB0C00'
  t.equal(await problem('SOL', base58.encode(key), solana, ['r']), undefined)
})

const WALLET = '0x8ba1f109551bD432803012645Ac136ddd64DBA72'
const OWN = `0x${'ab'.repeat(100)}` as const
const MARK_6492 = '6492'.repeat(16)
const MARK_8010 = '8010'.repeat(16)
/** A signature for a wallet that is not deployed yet: a factory, the call that deploys the wallet, its signature. */
const types = [{ type: 'address' }, { type: 'bytes' }, { type: 'bytes' }] as const
const wrapped = (signature: Hex) => encodeAbiParameters(types, [WALLET, '0xfac7', signature]) + MARK_6492

/** A check with a node on ETH, whose account at WALLET has the code. */
async function withWallet(t: Test, code: WalletCode) {
  const { url, calls } = await walletNode(t, { [WALLET.toLowerCase()]: code })
  const problem = checkOf(t, { ETH: url })
  return {
    calls,
    problem: (signature: string, address = WALLET) => problem('ETH', address, signature)
  }
}

test('rejects a contract wallet’s signature unless it returns the exact ERC-1271 value', async t => {
  const results: WalletCode[] = [
    () => '0x',
    () => '0x1626ba7e',
    () => `0x${'1'.padStart(64, '0')}`,
    () => `0x1626ba7e${'0'.repeat(55)}1`,
    () => '0xffffffff'.padEnd(66, '0') as Hex,
    (_digest, _signature, callData) => callData,
    () => undefined
  ]
  for (const code of results) {
    const { problem } = await withWallet(t, code)
    for (const signature of ['0x', OWN])
      t.match(await problem(signature), /is not the origin address’s signature/, String(code))
  }
  const error = { code: -32015, message: 'VM execution error.', data: 'Reverted 0x' }
  const { url } = await serve(t, (_request, response) => json(response, { jsonrpc: '2.0', id: 1, error }))
  t.match(await checkOf(t, { ETH: url })('ETH', WALLET, OWN), /is not the origin/, 'reverted by Nethermind')
})

test('a response without a result is a failure of the RPC, not of the signature', async t => {
  for (const answer of [{}, { result: null }, { result: 1 }]) {
    const { url } = await serve(t, (_request, response) =>
      json(response, { jsonrpc: '2.0', id: 1, ...answer })
    )
    await t.rejects(checkOf(t, { ETH: url })('ETH', WALLET, OWN), { code: 'UPSTREAM_ERROR' })
  }
})

test('makes no RPC call for an EOA, or for a signature in an unsupported format', async t => {
  const { problem, calls } = await withWallet(t, () => undefined)
  const { address, sign } = evmUser()
  t.equal(await problem(await sign(TEXT), address), undefined)
  t.match(await problem(alteredCopy(await sign(TEXT)), address), /lower half/)
  for (const wrong of ['0xabc', `${OWN} `, OWN.slice(2)])
    t.equal(await problem(wrong), 'must be hex digits after 0x', wrong)
  const ended = `${OWN}${MARK_8010}` as const
  for (const signature of [ended, wrapped(ended), `0x${ended.slice(2).toUpperCase()}`])
    t.match(await problem(signature), /ERC-8010/, signature)
  t.match(await checkOf(t)('ETH', WALLET, ended), /ERC-8010/, 'also without an RPC')
  t.same(calls(), [])
})

test('rejects every signature from a weak Solana key', async t => {
  const problem = checkOf(t)
  // With the neutral element as R and as the key, and 0 as s, the signature is valid for any message.
  const neutral = Buffer.from(`01${'00'.repeat(31)}`, 'hex')
  const signature = `0x${neutral.toString('hex')}${'00'.repeat(32)}`
  t.type(await problem('SOL', base58.encode(neutral), signature), 'string')
})
