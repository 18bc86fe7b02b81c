import { encodeFunctionData, erc20Abi, parseAbi, parseSignature, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { ApprovalError, approvalOf, bodyOf, createClient, type Quote } from '../../packages/client/index.ts'
import { build, startNetwork } from '../helpers/app.ts'
import { patientFetch } from '../helpers/patient-fetch.ts'
import { test } from '../helpers/tap.ts'
import { evmUser, solanaUser, tronUser } from '../helpers/users.ts'

const OWNER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const POOL = '0x7f9aBfFf70c64d4FA0aFaDfFA84576D7a69D56E7'
const TOKEN = '0xfeAD61696f23476c642ddf7B0AfD92d0CCb9C183'
const PERMIT2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'

const target = { targetAddress: OWNER, targetChain: 'POL', targetSymbol: 'USDC' }

function quoteOf(originChain = 'ETH', originAddress = OWNER, value = '100412500', decimals = 6): Quote {
  const amounts = { submitAmount: { value: '1', decimals }, message: 'I approve' }
  const side = (value: string) => ({ ...amounts, allowanceAmount: { value, decimals } })
  return {
    request: { originAddress, originChain, originSymbol: 'USDT', ...target, amount: '100' },
    feeId: 'f-1',
    fees: { total: { value: '412500', decimals } },
    feeFromOrigin: side(value),
    feeFromTarget: side('100000000'),
    options: {}
  }
}

const pool = { chainName: 'ETH', poolAddress: POOL }
const usdt = { symbol: 'USDT', address: TOKEN, decimals: 6, isPermit2: false }

function evmApproval(...[quote = quoteOf(), token = usdt, options]: Partial<[Quote, typeof usdt, object]>) {
  const approval = approvalOf(quote, pool, token, options)
  if (approval.family !== 'EVM') throw new Error(approval.family)
  return approval
}

/** The result of `eth_call` for an allowance. */
const result = (allowance: bigint) => toHex(allowance, { size: 32 })

test('an EVM wallet approves the missing allowance, encoded like viem', async t => {
  const approval = evmApproval()
  t.match(approval, { spender: POOL.toLowerCase(), amount: '100412500', permit2: undefined })
  const { to, data } = approval.allowance
  t.equal(to, TOKEN.toLowerCase())
  const asked = encodeFunctionData({ abi: erc20Abi, functionName: 'allowance', args: [OWNER, POOL] })
  t.equal(data, asked)
  const approve = (amount: bigint) => ({
    to: TOKEN.toLowerCase(),
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [POOL, amount] })
  })
  const needed = 100_412_500n
  for (const [present, amounts] of [
    [0n, [needed]],
    [1n, [0n, needed]],
    [needed - 1n, [0n, needed]],
    [needed, []],
    [2n ** 256n - 1n, []]
  ] as const) {
    t.same(approval.transactions(result(present)), amounts.map(approve), `${present} is approved already`)
  }
  const { transactions } = evmApproval(quoteOf(), usdt, { side: 'feeFromTarget' })
  t.same(transactions(result(0n)), [approve(100_000_000n)])
  const most = 2n ** 256n - 1n
  t.same(evmApproval(quoteOf('ETH', OWNER, String(most))).transactions(result(0n)), [approve(most)])
})

test('a Permit2 token is approved for Permit2, with typed data hashed like viem', async t => {
  const account = privateKeyToAccount(`0x${'7'.repeat(64)}`)
  const quote = quoteOf('ETH', account.address)
  const { spender, transactions, permit2 } = evmApproval(quote, { ...usdt, isPermit2: true })
  if (permit2 === undefined) throw new Error('no permit2')
  t.equal(spender, PERMIT2.toLowerCase())
  const args = [PERMIT2, 100_412_500n] as const
  const approve = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args })
  t.equal(transactions(result(0n))[0]?.data, approve)
  const abi = parseAbi(['function allowance(address,address,address) view returns (uint160, uint48, uint48)'])
  const data = encodeFunctionData({ abi, args: [account.address, TOKEN, POOL] })
  t.same(permit2.nonce, { to: PERMIT2.toLowerCase(), data })

  const deadline = Math.floor(Date.now() / 1000) + 600
  const nonce = `0x${'0'.repeat(128)}${result(3n).slice(2)}`
  const signature = await account.signTypedData(permit2.typedData({ chainId: 31337, nonce, deadline }))
  const details = { token: TOKEN, amount: 100_412_500n, expiration: deadline, nonce: 3 } as const
  const expected = await account.signTypedData({
    domain: { name: 'Permit2', chainId: 31337, verifyingContract: PERMIT2 },
    types: {
      PermitSingle: [
        { name: 'details', type: 'PermitDetails' },
        { name: 'spender', type: 'address' },
        { name: 'sigDeadline', type: 'uint256' }
      ],
      PermitDetails: [
        { name: 'token', type: 'address' },
        { name: 'amount', type: 'uint160' },
        { name: 'expiration', type: 'uint48' },
        { name: 'nonce', type: 'uint48' }
      ]
    },
    primaryType: 'PermitSingle',
    message: { details, spender: POOL, sigDeadline: BigInt(deadline) }
  })
  t.equal(signature, expected)

  const { r, s, v } = parseSignature(signature)
  const option = permit2.option(signature, deadline)
  t.same(option, { r, s, v: Number(v), deadline })
  t.same(permit2.option(signature.slice(0, -2) + (v === 27n ? '00' : '01'), deadline), option)
  t.match(JSON.parse(bodyOf(quote, { signature: '0x', permit2: option }).options), { permit2: option })

  const wrong = { name: 'ApprovalError', code: 'WRONG_PERMIT' }
  for (const bad of [signature.slice(0, -2), `${signature.slice(0, -2)}1d`, `${signature}00`]) {
    t.throws(() => permit2.option(bad, deadline), { ...wrong, message: /^signature must be/ }, bad)
  }
  for (const bad of [0, deadline - 601, deadline + 0.5, deadline * 1000, Number.NaN]) {
    t.throws(() => permit2.option(signature, bad), { ...wrong, message: /^deadline must be/ }, String(bad))
    t.throws(() => permit2.typedData({ chainId: 1, nonce, deadline: bad }), wrong, String(bad))
  }
  const withoutNonce = () => permit2.typedData({ chainId: 1, nonce: '0x', deadline })
  t.throws(withoutNonce, { ...wrong, message: /^nonce must/ })
})

/** From `getAssociatedTokenAddressSync` and `createApproveInstruction` of @solana/spl-token 0.4.15: owner, account. */
const accounts = [
  ['DRpbCBMxVnDK7maPM5tGv6MvB3v1sRMC86PZ8okm21hy', 'A4y3U53ype2QS3YfezZntZjVs2ow2JPuxRTBEegzLboD'],
  ['11111111111111111111111111111112', '4tRapEGgJZKuGoeeMRrpHsxAEuvo5YnDCzTXykqDhrK9']
] as const
const MINT = '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU'
const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'

async function solanaInstruction(owner: string, amount?: string) {
  const delegate = { chainName: 'SOL', poolAddress: '9aMrDs9E7QUTYgaEbw5wtaUZ8DSuQHVxN2ABUtmyNXAg' }
  const approval = approvalOf(quoteOf('SOL', owner, amount), delegate, { ...usdt, address: MINT })
  if (approval.family !== 'SOL') throw new Error(approval.family)
  return approval.instruction()
}

test('a Solana wallet delegates the quoted amount to the pool', async t => {
  for (const [owner, account] of accounts) {
    t.same(await solanaInstruction(owner), {
      programId: TOKEN_PROGRAM,
      keys: [
        { pubkey: account, isSigner: false, isWritable: true },
        { pubkey: '9aMrDs9E7QUTYgaEbw5wtaUZ8DSuQHVxN2ABUtmyNXAg', isSigner: false, isWritable: false },
        { pubkey: owner, isSigner: true, isWritable: false }
      ],
      data: Uint8Array.from(Buffer.from('04542cfc0500000000', 'hex'))
    })
  }
  const tooMuch = solanaInstruction(accounts[0][0], String(2n ** 64n))
  await t.rejects(tooMuch, { name: 'RangeError', message: /64 bits/ })
})

test('a Tron wallet’s calls are encoded like TronWeb', async t => {
  const owner = 'TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf'
  const tronPool = { chainName: 'TRX', poolAddress: 'TN3W4H6rK2ce4vX9YnFQHwKENnHjoxb3m9' }
  const token = { ...usdt, address: 'TYYrv8nQ9XsVbvZEYVEvhasnntEWjsbWsW' }
  const approval = approvalOf(quoteOf('TRX', owner), tronPool, token)
  if (approval.family !== 'TRX') throw new Error(approval.family)
  t.equal(approval.spender, tronPool.poolAddress)
  // From `utils.abi.encodeParams` of tronweb 6.5.1.
  const spender = '00000000000000000000000084716914c0fdf7110a44030d04d0c4923504d9cc'
  const call = { owner_address: owner, contract_address: token.address, call_value: 0, visible: true }
  t.match(approval.allowance, { ...call, function_selector: 'allowance(address,address)' })
  t.equal(approval.allowance.parameter.slice(64), spender)
  const approve = (amount: string) => ({
    ...call,
    function_selector: 'approve(address,uint256)',
    parameter: spender + amount.padStart(64, '0'),
    fee_limit: 100_000_000
  })
  t.same(approval.transactions('0'.repeat(64)), [approve('5fc2c54')])
  t.same(approval.transactions('1'.padStart(64, '0')), [approve('0'), approve('5fc2c54')])
})

const ofTron = 'TN3W4H6rK2ce4vX9YnFQHwKENnHjoxb3m9'
const wrongPools = [{ chainName: 'POL' }, { poolAddress: ofTron }, { poolAddress: `0x${'0'.repeat(40)}` }]
/** Another token, the token of a chain with other decimals, of another family, and the chain's own coin. */
const wrongTokens = [{ symbol: 'USDC' }, { decimals: 18 }, { address: ofTron }, { address: '' }]

test('rejects a pool or token that differs from the quote, and reports which', async t => {
  for (const change of wrongPools) {
    const approve = () => approvalOf(quoteOf(), { ...pool, ...change }, usdt)
    const wrong = { name: 'ApprovalError', code: 'WRONG_POOL', message: /^pool\./ }
    t.throws(approve, wrong, JSON.stringify(change))
  }
  for (const change of wrongTokens) {
    const approve = () => approvalOf(quoteOf(), pool, { ...usdt, ...change })
    t.throws(approve, { code: 'WRONG_TOKEN', message: /^token\./ }, JSON.stringify(change))
    t.throws(approve, ApprovalError)
  }
  for (const nothing of ['0x', '', '100', `${result(1n)}00`]) {
    const { transactions } = evmApproval()
    t.throws(() => transactions(nothing), { code: 'WRONG_TOKEN' }, `"${nothing}" is no allowance`)
  }
  const { feeFromTarget: _, ...swap } = quoteOf()
  t.throws(() => evmApproval(swap, usdt, { side: 'feeFromTarget' }), { name: 'RangeError' })
  t.throws(() => evmApproval(quoteOf('ETH', 'nobody')), { name: 'RangeError', message: /^originAddress/ })
})

test('the service’s quotes, pools and tokens are consistent on every chain family', async t => {
  for (const SERVICE_RESPONSE_FORMAT of ['documented', 'widget']) {
    const server = await build(t, { SERVICE_RESPONSE_FORMAT }, { devnet: await startNetwork(t) })
    const baseUrl = await server.listen({ host: '127.0.0.1', port: 0 })
    const client = createClient({ baseUrl, fetch: patientFetch })
    const { data: pools = [] } = await client.api.GET('/chains/pool')
    const { data: chains = [] } = await client.api.GET('/chains')
    const evm = evmUser()
    const users = { ETH: evm, BSC: evm, OPT: evm, SOL: solanaUser(), TRX: tronUser() }
    for (const [originChain, { address }] of Object.entries(users)) {
      const request = { originAddress: address, originChain, originSymbol: 'USDT', ...target, amount: '100' }
      const quote = await client.quote(request)
      const chain = chains.find(({ shortName }) => shortName === originChain)
      const token = chain?.supportedTokens.find(({ symbol }) => symbol === 'USDT')
      const pool = pools.find(({ chainName }) => chainName === originChain)
      if (token === undefined || pool === undefined) throw new Error(originChain)
      const { amount, family, spender } = approvalOf(quote, pool, token)
      t.equal(amount, quote.feeFromOrigin?.allowanceAmount.value, originChain)
      t.equal(family, chain?.isEvm ? 'EVM' : originChain)
      t.equal(spender === PERMIT2.toLowerCase(), originChain === 'OPT')
    }
  }
})
