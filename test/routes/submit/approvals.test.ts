import { randomUUID } from 'node:crypto'
import { poolKeys } from '../../../packages/devnet/registry/pools.ts'
import { build, startNetwork, type Variables } from '../../helpers/app.ts'
import { json, serve } from '../../helpers/local-server.ts'
import { messagesOn } from '../../helpers/oracle/index.ts'
import { t as root, type Test, test } from '../../helpers/tap.ts'
import { cardBody, submit, swapBody, transferBody } from '../../helpers/transfer.ts'
import { until } from '../../helpers/until.ts'
import { evmUser, solanaUser } from '../../helpers/users.ts'
import { walletNode } from '../../helpers/wallet-node.ts'
import { withChanged } from '../chain-api.ts'
import { quotedPayment, quotedSwap, type Side, signedBody } from './quoted-bodies.ts'

const ENFORCED = { SERVICE_APPROVAL_CHECK: 'enforce' }
const STRICT = { ...ENFORCED, SERVICE_QUOTE_CHECK: 'required' }
const SWAP = '/submit/swap'
const OTHER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

const devnet = await startNetwork(root)
const strict = await build(root, STRICT, { devnet })
const enforcing = await build(root, ENFORCED)

const accepted = { submissionId: /./ }
const refused = { statusCode: 400, code: 'APPROVAL_INVALID', details: [{ path: '/options/signature' }] }

/** The side whose amount is submitted, the side whose message is signed, and the side that the client chose. */
const SIDES: [submitted: Side, signed: Side, chargeFeeAtTarget: boolean | undefined, expected: object][] = [
  ['feeFromOrigin', 'feeFromOrigin', false, accepted],
  ['feeFromTarget', 'feeFromTarget', true, accepted],
  // A message for the other side counts only if it covers the amount.
  ['feeFromTarget', 'feeFromOrigin', true, accepted],
  ['feeFromOrigin', 'feeFromTarget', false, refused],
  ['feeFromOrigin', 'feeFromTarget', undefined, refused]
]

test('accepts the message for the side of the fees, and any that covers the amount', async t => {
  for (const [submitted, signed, chargeFeeAtTarget, expected] of SIDES) {
    const { send } = await signedBody(strict, evmUser(), { submitted, signed, chargeFeeAtTarget })
    t.match(await send(), expected, `${signed} for ${submitted}`)
  }
  const { send } = await signedBody(strict, solanaUser('base58'), { chain: 'SOL' })
  t.match(await send(), accepted, 'a user on another chain')
  const swap = async (user = evmUser()) =>
    (await submit(strict, await quotedSwap(strict, user), { path: SWAP })).json()
  t.match(await swap({ ...evmUser(), sign: async () => '0xdeadbeef' }), refused, 'a forged swap')
  t.match(await swap(), accepted, 'a swap')
  t.match((await submit(strict, await quotedPayment(strict))).json(), accepted, 'a payment needs none')
})

test('rejects other signatures and messages, and sends the signed message to the chain', async t => {
  const { length } = messagesOn(devnet).transfers
  const { options, message, send } = await signedBody(strict, evmUser())
  const stranger = await send({ signature: await evmUser().sign(message) })
  t.match(stranger, refused)
  t.ok(stranger.message.endsWith(`; sign the message “${message}” with the origin address`))
  for (const other of ['I approve everything.', message.replace('100.91275 ', '100.912750 ')])
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
  const cases: [what: string, change: object, options: object, isAccepted?: true][] = [
    ['the service builds the message', {}, { signature }, true],
    ['the request contains the message', {}, own, true],
    ['a decimal place more in the message', {}, longer, true],
    ['a decimal place more without the message', {}, { signature: longer.signature }],
    ['ten times the amount', { amount: `${body.amount}0` }, own],
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

test('logs an invalid approval in observe mode, without its signature', async t => {
  const lines: string[] = []
  const logTo = (line: string) => lines.push(line)
  const observed = () => lines.map(line => JSON.parse(line)).filter(({ problem }) => problem !== undefined)
  const off = await build(t, { SERVICE_APPROVAL_CHECK: 'off', LOG_LEVEL: 'warn' }, { logTo })
  t.equal((await submit(off, swapBody(), { path: SWAP })).statusCode, 200)
  t.same(observed(), [])
  const server = await build(t, { LOG_LEVEL: 'info' }, { logTo })
  const { send, options } = await signedBody(server, evmUser())
  t.match(await send(), accepted)
  t.same(observed(), [])
  const signature = await evmUser().sign('x')
  t.equal((await submit(server, swapBody({}, { signature }), { path: SWAP })).statusCode, 200)
  const problem = /^is not the origin address’s signature/
  t.match(observed(), [{ level: 40, chain: 'ETH', feeId: /./, problem, refused: 1 }])
  for (const secret of [options.signature, signature]) t.notMatch(lines.join(), secret)
})

const PERMIT2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'
const UNLIMITED = 2n ** 255n
const missing = (allowance: object) => ({ code: 'APPROVAL_MISSING', allowance })

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
const observing = await withRpc(root)

/** Starts a fee service whose quote has its own wording, and allowances that are not the sum of amount and fee. */
async function wordyFees(t: Test) {
  const ofBoth = { submitAmount: '100500000', message: 'Pay USDT?' }
  const feeFromOrigin = { allowanceAmount: '102000000', ...ofBoth }
  const transactionValues = { feeFromOrigin, feeFromTarget: { allowanceAmount: '101000000', ...ofBoth } }
  const quoted = () => ({ feeId: randomUUID(), decimals: 6, feeTotalBigInt: '500000', transactionValues })
  return (await serve(t, (_request, response) => json(response, quoted()))).url
}

test('requires the quote’s message in any wording, and the allowance for the side of the fees', async t => {
  const { server, node, post } = await withRpc(t, { ...STRICT, SERVICE_BACKEND_FEE_URL: await wordyFees(t) })
  const { send } = await signedBody(server, evmUser())
  t.match(await send({ signature: '0xdeadbeef' }), { ...refused, message: /“Pay USDT\?”/ })
  for (const [chargeFeeAtTarget, needed] of [
    [false, 102_000_000n],
    [true, 101_000_000n]
  ] as const) {
    const { body, options } = await signedBody(server, evmUser(), { chargeFeeAtTarget })
    const sent = { ...body, options: JSON.stringify(options) }
    node.allowance = () => needed - 1n
    const message = RegExp(`^must approve ${needed} base units of USDT \\(0x\\w+ on ETH\\) for 0x\\w+; `)
    const details = [{ path: '/originAddress', message }]
    const lacking = missing({ needed: `${needed}`, found: `${needed - 1n}` })
    t.match(await post(sent), { ...lacking, statusCode: 400, details })
    node.allowance = () => needed
    const { submissionId } = await post(sent)
    t.match(submissionId, /./)
    node.allowance = () => 0n
    t.match(await post(sent), { submissionId }, 'a retry joins, whatever the allowance is now')
  }
})

test('reads a missing approval again; if the RPC fails then, the last result counts', async t => {
  const { server, node, post } = await withRpc(t, { SERVICE_SUBMIT_TIMEOUT: '600' })
  node.allowance = () => {
    queueMicrotask(() => Object.assign(node, { isBusy: true }))
    return 7n
  }
  t.match(await post(await transferBody(server)), missing({ found: '7' }))
  const patient = await withRpc(t, { SERVICE_SUBMIT_TIMEOUT: '250000' })
  const results = [0n]
  patient.node.allowance = () => results.pop() ?? UNLIMITED
  const pending = await transferBody(patient.server)
  t.match(await patient.post(pending), accepted, 'an approval that was pending')
})

test('a Permit2 token needs a signature in the options and an allowance of Permit2', async t => {
  const { node, post } = observing
  const now = Math.floor(Date.now() / 1000)
  const permit2 = { r: `0x${'1'.repeat(64)}`, s: `0x${'2'.repeat(64)}`, v: 27, deadline: now + 900 }
  const invalid = (path: string) => ({
    code: 'OPTIONS_INVALID',
    details: [{ path: `/options/permit2${path}` }]
  })
  const unapproved = missing({ spender: PERMIT2, found: '1' })
  const toPermit2 = (one: bigint, other: bigint) => (_token: string, _owner: string, spender: string) =>
    spender === PERMIT2 ? one : other
  const none = toPermit2(1n, UNLIMITED)
  const only = toPermit2(UNLIMITED, 0n)
  for (const [given, expected, allowance, originChain = 'OPT'] of [
    ...[undefined, null, '', {}].map(each => [each, invalid(''), none] as const),
    [{ ...permit2, deadline: now - 1 }, invalid('/deadline'), none],
    [permit2, unapproved, none],
    [{ ...permit2, deadline: String(now + 900) }, unapproved, none],
    [permit2, accepted, only],
    // The pool pulls other tokens itself.
    [permit2, missing({ spender: poolKeys.ecdsa, found: '0' }), only, 'ETH']
  ] as const) {
    node.allowance = allowance
    const body = swapBody({ originChain, amount: '100500000', amountIn: undefined }, { permit2: given })
    t.match(await post(body), expected, JSON.stringify(given))
  }
})

test('without an approval the pool pulls nothing, and the status shows why', async t => {
  const evm = await startNetwork(t, { evm: ['ETH'] })
  const server = await build(t, { SERVICE_APPROVAL_CHECK: 'off' }, { devnet: evm })
  const { needed, send } = await signedBody(server, evmUser())
  const txId = await until(async () => (await send()).txId, 'the transfer is in a block')
  const record = await until(async () => {
    const { data } = (await server.inject(`/tx/${txId}/status`)).json()
    return data?.transaction_data[0].txstatus === 'FailedToPull' && data.transaction_data[0]
  }, 'the pull has failed')
  const failreason = `the allowance for the pool is 0, the transfer needs ${needed}`
  t.match(record, { failreason, pullhash: '' })
})

test('reads an allowance only for a token on a chain with an RPC', async t => {
  const off = await withRpc(t, { SERVICE_APPROVAL_CHECK: 'off' })
  for (const [{ node, allowances, post }, body] of [
    [observing, cardBody()],
    [observing, { ...swapBody({ originChain: 'POL' }), amount: '100500000' }],
    [off, await transferBody(off.server)]
  ] as const) {
    node.allowance = () => 0n
    const before = allowances()
    t.match(await post(body), accepted)
    t.equal(allowances(), before)
  }
  const { url, node } = await walletNode(t)
  node.allowance = () => 0n
  const env = { SERVICE_EVM_RPC: JSON.stringify({ ETH: url }) }
  const coins = ['', `0x${'0'.repeat(40)}`, `0x${'Ee'.repeat(20)}`].map((address, at) => ({
    symbol: `COIN${at}`,
    address,
    decimals: '6',
    peggedTo: 'USD' as const
  }))
  const { server } = await withChanged(t, 'ETH', ({ tokens }) => ({ tokens: [...coins, ...tokens] }), env)
  for (const { symbol, address } of coins) {
    const body = { ...swapBody({ originSymbol: symbol }), amount: '100500000' }
    t.equal((await submit(server, body)).statusCode, 200, `the coin at "${address}"`)
  }
})

test('a failing RPC fails the request only if approvals are enforced', async t => {
  const enforced = await withRpc(t, ENFORCED)
  const failed = { statusCode: 502, code: 'UPSTREAM_ERROR' }
  for (const [{ server, node, lines }, expected, logs] of [
    [observing, accepted, 2],
    [enforced, failed, 0]
  ] as const) {
    for (const failure of [{ isBusy: true }, { isBusy: false, allowance: () => undefined }]) {
      Object.assign(node, failure)
      t.match(await (await signedBody(server, evmUser())).send(), expected)
    }
    t.equal(lines.filter(line => line.includes('allowance could not be read')).length, logs)
  }
  enforced.node.isBusy = true
  const wallet = async (originChain: string) => {
    const body = swapBody({ originChain }, { signature: `0x${'ab'.repeat(100)}` })
    return (await submit(enforced.server, body, { path: SWAP })).json()
  }
  t.match(await wallet('ETH'), failed, 'a contract wallet')
  t.match(await wallet('POL'), { ...refused, message: /contract wallets on POL .* SERVICE_EVM_RPC/ })
})
