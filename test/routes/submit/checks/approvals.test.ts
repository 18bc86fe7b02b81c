import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { build, startNetwork } from '../../../helpers/app.ts'
import { advanceClock } from '../../../helpers/clock.ts'
import { json, serve } from '../../../helpers/local-server.ts'
import { messagesOn } from '../../../helpers/oracle/index.ts'
import { test } from '../../../helpers/tap.ts'
import { cardBody, quoteFor, submit, swapBody, TRANSFER } from '../../../helpers/transfer-flow.ts'
import { evmUser, solanaUser, tronUser, type User } from '../../../helpers/users.ts'
import { safe, walletNode } from '../../../helpers/wallet-node.ts'

const ENFORCED = { SERVICE_APPROVAL_CHECK: 'enforce' }
const STRICT = { ...ENFORCED, SERVICE_QUOTE_CHECK: 'required' }

const USERS: Record<string, [chain: string, User]> = {
  'an EVM user': ['ETH', evmUser()],
  'a Solana user with a hex signature': ['SOL', solanaUser()],
  'a Solana user with a base58 signature': ['SOL', solanaUser('base58')],
  'a Tron user': ['TRX', tronUser()]
}

const originOf = (chain: string, { address }: User) => ({ originChain: chain, originAddress: address })

/** Requests a quote and builds a signed body for it. The body omits the signed message, as newer widgets do. */
async function signedBody(server: FastifyInstance, chain: string, user: User, chargeFeeAtTarget = false) {
  const quote = await quoteFor(server, originOf(chain, user))
  const { submitAmount, message } =
    quote.transactionValues[chargeFeeAtTarget ? 'feeFromTarget' : 'feeFromOrigin']
  const { feeId, feeTotalBigInt: fee, decimals } = quote
  const options = { feeId, signature: await user.sign(message), chargeFeeAtTarget }
  const body = { ...TRANSFER, ...originOf(chain, user), amount: submitAmount, fee, decimals }
  return { body, options, message, sent: { ...body, options: JSON.stringify(options) } }
}

const refused = { statusCode: 400, code: 'APPROVAL_INVALID', details: [{ path: '/options/signature' }] }

test('accepts approvals from every chain family, with fees at the origin or the target', async t => {
  const server = await build(t, STRICT)
  for (const [name, [chain, user]] of Object.entries(USERS)) {
    for (const chargeFeeAtTarget of [false, true]) {
      const { sent } = await signedBody(server, chain, user, chargeFeeAtTarget)
      t.equal((await submit(server, sent)).statusCode, 200, name)
    }
  }
})

test('accepts an approval signed for the other fee option of the quote only if it covers the required amount', async t => {
  const server = await build(t, STRICT)
  const user = tronUser()
  for (const [chargeFeeAtTarget, submitted, signed, status] of [
    [true, 'feeFromTarget', 'feeFromOrigin', 200],
    [false, 'feeFromOrigin', 'feeFromTarget', 400],
    [undefined, 'feeFromOrigin', 'feeFromTarget', 400]
  ] as const) {
    const {
      feeId,
      feeTotalBigInt: fee,
      decimals,
      transactionValues
    } = await quoteFor(server, originOf('TRX', user))
    const signature = await user.sign(transactionValues[signed].message)
    const options = JSON.stringify({ feeId, signature, chargeFeeAtTarget })
    const amount = transactionValues[submitted].submitAmount
    const body = { ...TRANSFER, ...originOf('TRX', user), amount, fee, decimals, options }
    t.equal((await submit(server, body)).statusCode, status, signed)
  }
})

test('rejects signatures that are not the user’s, and returns the message to sign', async t => {
  const server = await build(t, STRICT)
  const user = evmUser()
  const { body, options, message } = await signedBody(server, 'ETH', user)
  const earlier = await user.sign(message.replace('100.', '10.'))
  for (const signature of ['0xdeadbeef', earlier, await evmUser().sign(message)]) {
    const response = await submit(server, { ...body, options: JSON.stringify({ ...options, signature }) })
    t.match(response.json(), refused, signature)
    t.ok(response.json().message.endsWith(`; sign the message “${message}” with the origin address`))
  }
  t.equal((await server.inject('/tx/1/status')).statusCode, 404, 'nothing was sent to the chain')
})

test('checks the approval even if the quote is unknown', async t => {
  const server = await build(t, ENFORCED)
  const user = evmUser()
  const { body, message } = await signedBody(server, 'ETH', user)
  const post = async (change: object, options: object) => {
    const sent = { ...body, ...change, options: JSON.stringify({ feeId: randomUUID(), ...options }) }
    return (await submit(server, sent)).json()
  }
  const signed = async (text: string) => ({ signature: await user.sign(text), message: text })
  const own = await signed(message)
  const { signature } = own
  const longer = await signed(message.replace('100.91275 ', '100.912750 '))
  const other = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
  const more = { amount: `${body.amount}0` }
  const cases: [what: string, change: object, options: object, accepted: boolean][] = [
    ['the service builds the message', {}, { signature }, true],
    ['the request contains the message', {}, own, true],
    ['a decimal place more in the message', {}, longer, true],
    ['a decimal place more without the message', {}, { signature: longer.signature }, false],
    ['ten times the amount', more, { signature }, false],
    ['ten times the amount, with a message for the original amount', more, own, false],
    ['a message that describes nothing', {}, await signed('I approve all.'), false],
    ['a message about another token', {}, await signed(message.replace('USDT', 'USDC')), false],
    ['a message about another chain', {}, await signed(message.replace('ETH', 'POL')), false],
    ['another fee', { fee: '0' }, { signature }, false],
    ['another target', { targetAddress: other }, own, false],
    ['another user', { originAddress: other }, own, false],
    ['another target chain', { targetChain: 'ARB' }, own, false]
  ]
  for (const [what, change, options, accepted] of cases)
    t.match(await post(change, options), accepted ? { txId: Number } : refused, what)
})

test('sends the signed message to the chain', async t => {
  const devnet = await startNetwork(t)
  const server = await build(t, STRICT, { devnet })
  const user = evmUser()
  const { body, options, message } = await signedBody(server, 'ETH', user)
  const post = async (change: object) =>
    (await submit(server, { ...body, options: JSON.stringify({ ...options, ...change }) })).json()
  for (const other of ['I approve everything.', message.replace('100.', '900.'), `${message} `]) {
    t.match(await post({ message: other }), refused, other)
  }
  const longer = message.replace('100.91275 ', '100.912750 ')
  t.match(await post({ message: longer }), refused, 'the same amount with another decimal place')
  t.match(await post({ message }), { txId: Number })
  t.match(messagesOn(devnet).transfers, [{ options: JSON.stringify({ ...options, message }) }])
})

test('accepts a quote’s message in any wording', async t => {
  const side = { allowanceAmount: '101000000', submitAmount: '100500000', message: 'Pay 101 USDT?' }
  const quote = {
    feeId: randomUUID(),
    decimals: 6,
    feeTotalBigInt: '500000',
    transactionValues: { feeFromOrigin: side }
  }
  const feeService = await serve(t, (_request, response) => json(response, quote))
  const server = await build(t, { ...STRICT, SERVICE_BACKEND_FEE_URL: feeService.url })
  const user = evmUser()
  const { body, options, sent } = await signedBody(server, 'ETH', user)
  const forged = { ...body, options: JSON.stringify({ ...options, signature: '0xdeadbeef' }) }
  t.match((await submit(server, forged)).json(), { ...refused, message: /“Pay 101 USDT\?”/ })
  const accepted = await submit(server, sent)
  t.equal(accepted.statusCode, 200)
  advanceClock(901)
  t.same((await submit(server, sent)).json(), accepted.json(), 'a retry after the quote has expired')
})

test('requires an approval for a swap, but not for a card payment', async t => {
  const server = await build(t, STRICT)
  const user = evmUser()
  const ends = { ...originOf('ETH', user), targetChain: 'AVX', targetSymbol: 'EURC' }
  const { feeId, feeTotalBigInt: fee, transactionValues, swapInfo } = await quoteFor(server, ends)
  const { submitAmount: amountIn, message } = transactionValues.feeFromOrigin
  const amounts = { amountIn, amountOut: swapInfo.amountOutBigInt, fee }
  const swap = (signature: string) => swapBody({ ...ends, ...amounts }, { feeId, signature })
  const path = '/submit/swap'
  t.match((await submit(server, swap('0xdeadbeef'), { path })).json(), refused)
  t.match((await submit(server, swap(await user.sign(message)), { path })).json(), { txId: Number })

  const card = { originChain: 'CC', originSymbol: 'USD', originAddress: '' }
  const quote = await quoteFor(server, card)
  const { submitAmount: amount } = quote.transactionValues.feeFromOrigin
  const body = cardBody({ amount, fee: quote.feeTotalBigInt }, { feeId: quote.feeId })
  t.match((await submit(server, body)).json(), { txId: Number })
})

test('accepts an invalid approval in observe mode, and logs it without the signature', async t => {
  const lines: string[] = []
  const logTo = (line: string) => lines.push(line)
  const devnet = await startNetwork(t)
  const server = await build(t, { LOG_LEVEL: 'info' }, { devnet, logTo })
  const user = evmUser()
  const { sent, options } = await signedBody(server, 'ETH', user)
  t.equal((await submit(server, sent)).statusCode, 200)
  const observed = () => lines.map(line => JSON.parse(line)).filter(({ problem }) => problem !== undefined)
  t.same(observed(), [])
  const forged = [await evmUser().sign('x'), '0xdeadbeef']
  for (const signature of forged)
    t.equal((await submit(server, swapBody({}, { signature }), { path: '/submit/swap' })).statusCode, 200)
  t.match(observed(), [
    { level: 40, chain: 'ETH', feeId: /./, problem: /^is not the origin address’s signature/, refused: 1 },
    { level: 40, problem: /^must be 65 bytes in hex/, refused: 2 }
  ])
  for (const signature of [options.signature, ...forged])
    t.notOk(lines.some(line => line.includes(signature)))
})

test('accepts invalid approvals if approval checks are off', async t => {
  const lines: string[] = []
  const env = { SERVICE_APPROVAL_CHECK: 'off', LOG_LEVEL: 'warn' }
  const server = await build(t, env, { logTo: line => lines.push(line) })
  t.equal((await submit(server, swapBody(), { path: '/submit/swap' })).statusCode, 200)
  t.same(lines, [])
})

test('checks contract wallet signatures on chains listed in SERVICE_EVM_RPC', async t => {
  const signature = `0x${'ab'.repeat(100)}` as const
  const { code, approve } = safe(signature)
  const { url, node } = await walletNode(t, { [TRANSFER.originAddress.toLowerCase()]: code })
  const server = await build(t, { ...ENFORCED, SERVICE_EVM_RPC: JSON.stringify({ ETH: url }) })
  const post = async (change: object = {}, signed: string = signature) => {
    const body = swapBody(change, { signature: signed })
    return (await submit(server, body, { path: '/submit/swap' })).json()
  }
  t.match(await post(), { txId: Number })
  const message = /contract wallets on POL .* SERVICE_EVM_RPC/
  t.match(await post({ originChain: 'POL' }), { ...refused, message })
  t.match(await post({}, `${signature}${'8010'.repeat(16)}`), { ...refused, message: /ERC-8010/ })
  const waiting = await post({}, '0x')
  t.match(waiting, refused, 'the wallet has not approved the message on chain yet')
  approve(/“(.*)”/.exec(waiting.message)?.[1] ?? '')
  t.match(await post({}, '0x'), { txId: Number })
  t.match(await post({ originAddress: evmUser().address }, '0x'), refused, 'an account without code')
  node.isBusy = true
  t.match(await post(), { statusCode: 502, code: 'UPSTREAM_ERROR' })
})
