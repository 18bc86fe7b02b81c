import { randomUUID } from 'node:crypto'
import { poolKeys } from '../../../packages/devnet/registry/pools.ts'
import { build, startNetwork, type Variables } from '../../helpers/app.ts'
import { withChanged } from '../../helpers/chain-api.ts'
import { json, serve } from '../../helpers/local-server.ts'
import { messagesOn } from '../../helpers/oracle/index.ts'
import { t as root, type Test, test } from '../../helpers/tap.ts'
import { cardBody, submit, swapBody, transferBody } from '../../helpers/transfer-flow.ts'
import { evmUser, solanaUser, tronUser, type User } from '../../helpers/users.ts'
import { walletNode } from '../../helpers/wallet-node.ts'
import { quotedPayment, quotedSwap, signedBody } from './quoted-bodies.ts'

const ENFORCED = { SERVICE_APPROVAL_CHECK: 'enforce' }
const STRICT = { ...ENFORCED, SERVICE_QUOTE_CHECK: 'required' }
const SWAP = '/submit/swap'
const OTHER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

const devnet = await startNetwork(root)
const strict = await build(root, STRICT, { devnet })
const enforcing = await build(root, ENFORCED)

const USERS: [name: string, chain: string, User][] = [
  ['an EVM user', 'ETH', evmUser()],
  ['a Solana user with a hex signature', 'SOL', solanaUser()],
  ['a Solana user with a base58 signature', 'SOL', solanaUser('base58')],
  ['a Tron user', 'TRX', tronUser()]
]

const accepted = { submissionId: /./ }
const refused = { statusCode: 400, code: 'APPROVAL_INVALID', details: [{ path: '/options/signature' }] }

test('accepts approvals from every chain family, with fees at the origin or the target', async t => {
  for (const [name, chain, user] of USERS) {
    for (const chargeFeeAtTarget of [false, true]) {
      const submitted = chargeFeeAtTarget ? 'feeFromTarget' : 'feeFromOrigin'
      const { send } = await signedBody(strict, user, { chain, chargeFeeAtTarget, submitted })
      t.match(await send(), accepted, name)
    }
  }
  for (const [submitted, signed, chargeFeeAtTarget, expected] of [
    ['feeFromTarget', 'feeFromOrigin', true, accepted],
    ['feeFromOrigin', 'feeFromTarget', false, refused],
    ['feeFromOrigin', 'feeFromTarget', undefined, refused]
  ] as const) {
    const { send } = await signedBody(strict, evmUser(), { submitted, signed, chargeFeeAtTarget })
    t.match(await send(), expected, 'signed for the other side: accepted only if it covers the amount')
  }
})

test('rejects other signatures and messages, and sends the signed message to the chain', async t => {
  const user = evmUser()
  const { length } = messagesOn(devnet).transfers
  const { options, message, send } = await signedBody(strict, user)
  const earlier = await user.sign(message.replace('100.', '10.'))
  for (const signature of ['0xdeadbeef', earlier, await evmUser().sign(message)]) {
    const answer = await send({ signature })
    t.match(answer, refused, signature)
    t.ok(answer.message.endsWith(`; sign the message “${message}” with the origin address`))
  }
  const longer = message.replace('100.91275 ', '100.912750 ')
  for (const other of ['I approve everything.', message.replace('100.', '900.'), `${message} `, longer])
    t.match(await send({ message: other }), refused, other)
  t.equal(messagesOn(devnet).transfers.length, length)
  t.match(await send({ message }), accepted)
  t.equal(messagesOn(devnet).transfers.at(-1)?.['options'], JSON.stringify({ ...options, message }))
})

test('checks the approval even if the quote is unknown', async t => {
  const user = evmUser()
  const { body, message } = await signedBody(enforcing, user)
  const signed = async (text: string) => ({ signature: await user.sign(text), message: text })
  const own = await signed(message)
  const { signature } = own
  const longer = await signed(message.replace('100.91275 ', '100.912750 '))
  const more = { amount: `${body.amount}0` }
  const cases: [what: string, change: object, options: object, isAccepted?: true][] = [
    ['the service builds the message', {}, { signature }, true],
    ['the request contains the message', {}, own, true],
    ['a decimal place more in the message', {}, longer, true],
    ['a decimal place more without the message', {}, { signature: longer.signature }],
    ['ten times the amount', more, { signature }],
    ['ten times the amount, with a message for the original amount', more, own],
    ['a message that describes nothing', {}, await signed('I approve all.')],
    ['a message about another token', {}, await signed(message.replace('USDT', 'USDC'))],
    ['a message about another chain', {}, await signed(message.replace('ETH', 'POL'))],
    ['another fee', { fee: '0' }, { signature }],
    ['another target', { targetAddress: OTHER }, own],
    ['another user', { originAddress: OTHER }, own],
    ['another target chain', { targetChain: 'ARB' }, own]
  ]
  for (const [what, change, options, isAccepted] of cases) {
    const sent = { ...body, ...change, options: JSON.stringify({ feeId: randomUUID(), ...options }) }
    t.match((await submit(enforcing, sent)).json(), isAccepted ? accepted : refused, what)
  }
})

/** Starts a fee service whose quote has its own wording, and allowances that are not the sum of amount and fee. */
async function wordyFees(t: Test) {
  const side = (allowanceAmount: string) => ({
    allowanceAmount,
    submitAmount: '100500000',
    message: 'Pay USDT?'
  })
  const transactionValues = { feeFromOrigin: side('102000000'), feeFromTarget: side('101000000') }
  const quoted = () => ({ feeId: randomUUID(), decimals: 6, feeTotalBigInt: '500000', transactionValues })
  return (await serve(t, (_request, response) => json(response, quoted()))).url
}

test('accepts the message of a quote in any wording, if the user has signed it', async t => {
  const server = await build(t, { ...STRICT, SERVICE_BACKEND_FEE_URL: await wordyFees(t) })
  const { send } = await signedBody(server, evmUser())
  t.match(await send({ signature: '0xdeadbeef' }), { ...refused, message: /“Pay USDT\?”/ })
  t.match(await send(), accepted)
})

test('requires an approval for a swap, but not for a card payment', async t => {
  const user = evmUser()
  const forging = { ...user, sign: async () => '0xdeadbeef' }
  const post = async (body: object, path?: string) =>
    (await submit(strict, body, path ? { path } : {})).json()
  t.match(await post(await quotedSwap(strict, forging), SWAP), refused)
  t.match(await post(await quotedSwap(strict, user), SWAP), accepted)
  t.match(await post(await quotedPayment(strict)), accepted)
})

test('logs an invalid approval in observe mode, without its signature', async t => {
  const lines: string[] = []
  const logTo = (line: string) => lines.push(line)
  const off = await build(t, { SERVICE_APPROVAL_CHECK: 'off', LOG_LEVEL: 'warn' }, { logTo })
  t.equal((await submit(off, swapBody(), { path: SWAP })).statusCode, 200)
  t.same(lines, [])
  const server = await build(t, { LOG_LEVEL: 'info' }, { logTo })
  const { send, options } = await signedBody(server, evmUser())
  t.match(await send(), accepted)
  const observed = () => lines.map(line => JSON.parse(line)).filter(({ problem }) => problem !== undefined)
  t.same(observed(), [])
  const signature = await evmUser().sign('x')
  t.equal((await submit(server, swapBody({}, { signature }), { path: SWAP })).statusCode, 200)
  const problem = /^is not the origin address’s signature/
  t.match(observed(), [{ level: 40, chain: 'ETH', feeId: /./, problem, refused: 1 }])
  for (const secret of [options.signature, signature]) t.notMatch(lines.join(), secret)
})

const PERMIT2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'
const UNLIMITED = 2n ** 255n

/** Builds a server with an RPC for ETH and OPT that does not wait for an approval, unless the test overrides that. */
async function withRpc(t: Test, env: Variables = {}) {
  const rpc = await walletNode(t)
  const lines: string[] = []
  const SERVICE_EVM_RPC = JSON.stringify({ ETH: rpc.url, OPT: rpc.url })
  const settings = { SERVICE_EVM_RPC, SERVICE_SUBMIT_TIMEOUT: '0', LOG_LEVEL: 'warn', ...env }
  const server = await build(t, settings, { logTo: line => lines.push(line) })
  const allowances = () => rpc.calls().filter(({ data }) => data.startsWith('0xdd62ed3e')).length
  const post = async (body: object) => (await submit(server, body)).json()
  return { server, node: rpc.node, lines, allowances, post }
}

const missing = (allowance: object) => ({ code: 'APPROVAL_MISSING', allowance })

test('requires the quote’s allowance for the side on which the user pays the fees', async t => {
  const { server, node, post } = await withRpc(t, { SERVICE_BACKEND_FEE_URL: await wordyFees(t) })
  for (const [chargeFeeAtTarget, needed] of [
    [false, 102_000_000n],
    [true, 101_000_000n]
  ] as const) {
    const body = await transferBody(server)
    const options = JSON.stringify({ ...JSON.parse(body.options), chargeFeeAtTarget })
    node.allowance = () => needed - 1n
    t.match(await post({ ...body, options }), missing({ needed: `${needed}`, found: `${needed - 1n}` }))
    node.allowance = () => needed
    t.match(await post({ ...body, options }), accepted)
  }
})

test('rejects a missing approval even if the RPC fails afterwards', async t => {
  const { server, node, post } = await withRpc(t, { SERVICE_SUBMIT_TIMEOUT: '600' })
  node.allowance = () => {
    queueMicrotask(() => Object.assign(node, { isBusy: true }))
    return 7n
  }
  t.match(await post(await transferBody(server)), missing({ found: '7' }))
})

test('a Permit2 token needs a signature in the options and an allowance of Permit2', async t => {
  const { node, post } = await withRpc(t)
  node.allowance = (_token, _owner, spender) => (spender === PERMIT2 ? 1n : UNLIMITED)
  const now = Math.floor(Date.now() / 1000)
  const permit2 = { r: `0x${'1'.repeat(64)}`, s: `0x${'2'.repeat(64)}`, v: 27, deadline: now + 900 }
  const with2 = (given: unknown, originChain = 'OPT') =>
    post(swapBody({ originChain, amount: '100500000', amountIn: undefined }, { permit2: given }))
  const invalid = (path: string) => ({
    code: 'OPTIONS_INVALID',
    details: [{ path: `/options/permit2${path}` }]
  })
  for (const none of [undefined, null, '', {}]) t.match(await with2(none), invalid(''), JSON.stringify(none))
  t.match(await with2({ ...permit2, deadline: now - 1 }), invalid('/deadline'))
  for (const deadline of [now + 900, String(now + 900)])
    t.match(await with2({ ...permit2, deadline }), missing({ spender: PERMIT2, found: '1' }))
  node.allowance = (_token, _owner, spender) => (spender === PERMIT2 ? UNLIMITED : 0n)
  t.match(await with2(permit2), accepted)
  const ofPool = missing({ spender: poolKeys.ecdsa, found: '0' })
  t.match(await with2(permit2, 'ETH'), ofPool, 'the pool pulls other tokens itself')
})

test('reads an allowance only for a token on a chain with an RPC', async t => {
  const { node, allowances, post } = await withRpc(t)
  node.allowance = () => 0n
  t.match(await post(cardBody()), accepted)
  t.match(await post({ ...swapBody({ originChain: 'POL' }), amount: '100500000' }), accepted)
  t.equal(allowances(), 0)
  const off = await withRpc(t, { SERVICE_APPROVAL_CHECK: 'off' })
  off.node.allowance = () => 0n
  t.match(await off.post(await transferBody(off.server)), accepted)
  t.equal(off.allowances(), 0)

  const { url, node: ofCoin } = await walletNode(t)
  ofCoin.allowance = () => 0n
  const env = { SERVICE_EVM_RPC: JSON.stringify({ ETH: url }) }
  for (const address of ['', `0x${'0'.repeat(40)}`, `0x${'Ee'.repeat(20)}`]) {
    const coin = { symbol: 'COIN', address, decimals: '6', peggedTo: 'USD' as const }
    const api = await withChanged(t, 'ETH', ({ tokens }) => ({ tokens: [coin, ...tokens] }), env)
    const body = { ...swapBody({ originSymbol: 'COIN' }), amount: '100500000' }
    t.equal((await submit(api.server, body)).statusCode, 200, `the coin at "${address}"`)
  }
})

test('a failing RPC fails the request only if approvals are enforced', async t => {
  for (const [mode, expected, logs] of [
    ['observe', accepted, 2],
    ['enforce', { statusCode: 502, code: 'UPSTREAM_ERROR' }, 0]
  ] as const) {
    const { server, node, lines } = await withRpc(t, { SERVICE_APPROVAL_CHECK: mode })
    for (const failure of [{ isBusy: true }, { isBusy: false, allowance: () => undefined }]) {
      Object.assign(node, failure)
      t.match(await (await signedBody(server, evmUser())).send(), expected, mode)
    }
    t.equal(lines.filter(line => line.includes('allowance could not be read')).length, logs)
    node.isBusy = true
    if (mode === 'observe') continue
    const signature = `0x${'ab'.repeat(100)}`
    const wallet = async (originChain: string) =>
      (await submit(server, swapBody({ originChain }, { signature }), { path: SWAP })).json()
    t.match(await wallet('ETH'), expected, 'a contract wallet')
    t.match(await wallet('POL'), { ...refused, message: /contract wallets on POL .* SERVICE_EVM_RPC/ })
  }
})
