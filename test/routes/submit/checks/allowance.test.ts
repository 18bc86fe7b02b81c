import { randomUUID } from 'node:crypto'
import { poolKeys } from '../../../../packages/devnet/registry/pools.ts'
import { build, startNetwork, type Variables } from '../../../helpers/app.ts'
import { withChanged } from '../../../helpers/chain-api.ts'
import { json, serve } from '../../../helpers/local-server.ts'
import { messagesOn } from '../../../helpers/oracle/index.ts'
import { type Test, test } from '../../../helpers/tap.ts'
import {
  cardBody,
  quoteFor,
  submit,
  swapBody,
  TRANSFER,
  transferBody
} from '../../../helpers/transfer-flow.ts'
import { evmUser } from '../../../helpers/users.ts'
import { walletNode } from '../../../helpers/wallet-node.ts'

const USDT = '0xfeAD61696f23476c642ddf7B0AfD92d0CCb9C183'
const PERMIT2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'
const ALLOWANCE = '0xdd62ed3e'

/** Builds a server with an RPC for ETH and OPT. A missing approval is not waited for, unless the test overrides that. */
async function withRpc(t: Test, env: Variables = {}) {
  const rpc = await walletNode(t)
  const devnet = await startNetwork(t)
  const lines: string[] = []
  const options = { devnet, logTo: (line: string) => lines.push(line) }
  const SERVICE_EVM_RPC = JSON.stringify({ ETH: rpc.url, OPT: rpc.url })
  const server = await build(t, { SERVICE_EVM_RPC, LOG_LEVEL: 'warn', ...env }, options)
  const allowanceCalls = () => rpc.calls().filter(({ data }) => data.startsWith(ALLOWANCE))
  return { server, devnet, node: rpc.node, lines, allowanceCalls }
}

for (const SERVICE_RESPONSE_FORMAT of ['documented', 'widget'])
  test(`reports what to approve, and accepts the same body after that (${SERVICE_RESPONSE_FORMAT})`, async t => {
    const env = { SERVICE_RESPONSE_FORMAT, SERVICE_SUBMIT_TIMEOUT: '400' }
    const { server, devnet, node, allowanceCalls } = await withRpc(t, env)
    const feeId = randomUUID()
    const path = '/submit/swap'
    const body = swapBody({ amountIn: '100000000', fee: '412500' }, { feeId })
    for (const found of [0n, 100_412_499n]) {
      node.allowance = () => found
      const { statusCode, code, allowance, details, message } = (await submit(server, body, { path })).json()
      t.same([statusCode, code], [400, 'APPROVAL_MISSING'])
      const spender = poolKeys.ecdsa
      t.same(allowance, { token: USDT, spender, needed: '100412500', found: String(found) })
      t.match(details, [{ path: '/originAddress', message: /^must approve 100412500 base units of USDT/ }])
      t.match(
        message,
        `originAddress must approve 100412500 base units of USDT (${USDT} on ETH) for ${spender}`
      )
    }
    t.same(messagesOn(devnet).transfers, [], 'nothing reached the chain')
    const owner = TRANSFER.originAddress
    node.allowance = (token, user, spender) =>
      token === USDT && user === owner && spender === poolKeys.ecdsa ? 100_412_500n : 0n
    const post = async () => (await submit(server, body, { path })).json()
    const accepted = await post()
    t.match(accepted, { submissionId: /./ })
    node.allowance = () => 0n
    const calls = allowanceCalls().length
    t.match(await post(), { submissionId: accepted.submissionId }, 'a retry joins after the pool has pulled')
    t.equal(allowanceCalls().length, calls)
  })

test('requires the allowance that the quote has for the chosen side', async t => {
  const { server, node } = await withRpc(t, { SERVICE_SUBMIT_TIMEOUT: '0' })
  node.allowance = () => 0n
  const quote = await quoteFor(server)
  const { feeId, feeTotalBigInt: fee, decimals, transactionValues } = quote
  for (const [chargeFeeAtTarget, side] of [
    [false, 'feeFromOrigin'],
    [true, 'feeFromTarget']
  ] as const) {
    const { allowanceAmount, submitAmount: amount } = transactionValues[side]
    const options = JSON.stringify({ feeId, signature: '0x5a', chargeFeeAtTarget })
    const answer = (await submit(server, { ...TRANSFER, amount, fee, decimals, options })).json()
    t.match(answer, { code: 'APPROVAL_MISSING', allowance: { needed: allowanceAmount, found: '0' } }, side)
  }
})

test('requires the quote’s allowance rather than the sum of amount and fee', async t => {
  const side = { allowanceAmount: '102000000', submitAmount: '100500000', message: 'Pay 102 USDT?' }
  const quoted = {
    feeId: randomUUID(),
    decimals: 6,
    feeTotalBigInt: '500000',
    transactionValues: { feeFromOrigin: side }
  }
  const fees = await serve(t, (_request, response) => json(response, quoted))
  const env = { SERVICE_SUBMIT_TIMEOUT: '0', SERVICE_BACKEND_FEE_URL: fees.url }
  const { server, node } = await withRpc(t, env)
  node.allowance = () => 101_999_999n
  const body = await transferBody(server)
  t.match((await submit(server, body)).json(), { allowance: { needed: '102000000', found: '101999999' } })
  node.allowance = () => 102_000_000n
  t.equal((await submit(server, body)).statusCode, 202)
})

test('waits for an approval that is pending', async t => {
  const { server, node, allowanceCalls } = await withRpc(t)
  node.allowance = () => (allowanceCalls().length < 3 ? 0n : 2n ** 255n)
  t.equal((await submit(server, await transferBody(server))).statusCode, 200)
  t.equal(allowanceCalls().length, 3)
})

test('the wait for an approval includes the time that the RPC takes', async t => {
  const slow = await serve(t, (_request, response) => {
    setTimeout(() => json(response, { jsonrpc: '2.0', id: 1, result: `0x${'0'.repeat(64)}` }), 1000)
  })
  const SERVICE_EVM_RPC = JSON.stringify({ ETH: slow.url })
  const { server } = await withRpc(t, { SERVICE_EVM_RPC, SERVICE_SUBMIT_TIMEOUT: '1400' })
  t.match((await submit(server, await transferBody(server))).json(), { code: 'APPROVAL_MISSING' })
  t.equal(slow.seen.length, 1)
})

test('a missing approval stays missing if the RPC fails after that', async t => {
  const { server, devnet, node } = await withRpc(t, { SERVICE_SUBMIT_TIMEOUT: '600' })
  node.allowance = () => {
    queueMicrotask(() => Object.assign(node, { isBusy: true }))
    return 7n
  }
  const answer = (await submit(server, await transferBody(server))).json()
  t.match(answer, { code: 'APPROVAL_MISSING', allowance: { found: '7' } })
  t.same(messagesOn(devnet).transfers, [])
})

test('needs the allowance of Permit2 only for a token that is pulled through it', async t => {
  const { server, node } = await withRpc(t, { SERVICE_SUBMIT_TIMEOUT: '0' })
  node.allowance = (_token, _owner, spender) => (spender === PERMIT2 ? 1n : 2n ** 255n)
  const post = async (permit2: unknown, originChain = 'OPT') =>
    (
      await submit(server, swapBody({ originChain, amount: '100500000', amountIn: undefined }, { permit2 }))
    ).json()
  const now = Math.floor(Date.now() / 1000)
  const signed = { r: `0x${'1'.repeat(64)}`, s: `0x${'2'.repeat(64)}`, v: 27 }
  const missing = { code: 'APPROVAL_MISSING', allowance: { spender: PERMIT2, found: '1' } }
  const late = { code: 'OPTIONS_INVALID', details: [{ path: '/options/permit2/deadline' }] }
  const cases: [permit2: unknown, expected: object][] = [
    [{ ...signed, deadline: now + 900 }, missing],
    [{ ...signed, deadline: String(now + 900) }, missing],
    [{ ...signed, deadline: now - 1 }, late]
  ]
  for (const [permit2, expected] of cases) t.match(await post(permit2), expected, JSON.stringify(permit2))
  node.allowance = (_token, _owner, spender) => (spender === PERMIT2 ? 2n ** 255n : 0n)
  const permit2 = { ...signed, deadline: now + 900 }
  t.match(await post(permit2), { submissionId: /./ })
  const ofPool = { code: 'APPROVAL_MISSING', allowance: { spender: poolKeys.ecdsa, found: '0' } }
  t.match(await post(permit2, 'ETH'), ofPool, 'the pool pulls other tokens itself')
})

test('reads no allowance for a coin, a rail, a chain without an RPC, or if approvals are not checked', async t => {
  const { server, node, allowanceCalls } = await withRpc(t)
  node.allowance = () => 0n
  const post = async (body: object) => (await submit(server, body)).statusCode
  t.equal(await post(cardBody()), 200)
  t.equal(await post({ ...swapBody({ originChain: 'POL' }), amount: '100500000' }), 200)
  t.same(allowanceCalls(), [])

  const unchecked = await withRpc(t, { SERVICE_APPROVAL_CHECK: 'off' })
  unchecked.node.allowance = () => 0n
  t.equal((await submit(unchecked.server, await transferBody(unchecked.server))).statusCode, 200)
  t.same(unchecked.allowanceCalls(), [])

  const { url, node: nodeOfCoin } = await walletNode(t)
  nodeOfCoin.allowance = () => 0n
  for (const address of ['', `0x${'0'.repeat(40)}`, `0x${'Ee'.repeat(20)}`]) {
    const coin = { symbol: 'COIN', address, decimals: '6', peggedTo: 'USD' as const }
    const env = { SERVICE_EVM_RPC: JSON.stringify({ ETH: url }) }
    const api = await withChanged(t, 'ETH', ({ tokens }) => ({ tokens: [coin, ...tokens] }), env)
    const body = { ...swapBody({ originSymbol: 'COIN' }), amount: '100500000' }
    t.equal((await submit(api.server, body)).statusCode, 200, `the coin at "${address}"`)
  }
})

test('an RPC that returns no allowance changes nothing with observe, and fails the request with enforce', async t => {
  for (const [mode, status] of [
    ['observe', 200],
    ['enforce', 502]
  ] as const) {
    const { server, devnet, node, lines } = await withRpc(t, { SERVICE_APPROVAL_CHECK: mode })
    const user = evmUser()
    const failures: [string, () => void][] = [
      ['the node is busy', () => Object.assign(node, { isBusy: true })],
      [
        'the chain has no such token',
        () => Object.assign(node, { isBusy: false, allowance: () => undefined })
      ]
    ]
    for (const [what, fail] of failures) {
      fail()
      const quote = await quoteFor(server, { originAddress: user.address })
      const { submitAmount: amount, message } = quote.transactionValues.feeFromOrigin
      const { feeId, feeTotalBigInt: fee, decimals } = quote
      const options = JSON.stringify({ feeId, signature: await user.sign(message) })
      const body = { ...TRANSFER, originAddress: user.address, amount, fee, decimals, options }
      t.equal((await submit(server, body)).statusCode, status, `${mode}: ${what}`)
    }
    t.equal(messagesOn(devnet).transfers.length, mode === 'observe' ? 2 : 0)
    const logged = lines.filter(line => line.includes('allowance could not be read'))
    t.equal(logged.length, mode === 'observe' ? 2 : 0)
  }
})
