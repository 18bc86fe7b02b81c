import type { ServerResponse } from 'node:http'
import { build } from '../../helpers/app.ts'
import { json, serve } from '../../helpers/local-server.ts'
import { type Test, test } from '../../helpers/tap.ts'
import { TRANSFER } from '../../helpers/transfer-flow.ts'

/** Builds the application with the test's own fee service. */
async function withFeeService(t: Test, answer: (response: ServerResponse) => void) {
  const feeService = await serve(t, (_request, response) => answer(response))
  return { feeService, server: await build(t, { SERVICE_BACKEND_FEE_URL: feeService.url }) }
}

test('both paths answer a quote', async t => {
  const server = await build(t)
  for (const url of ['/submit/fees', '/submit/fee']) {
    const response = await server.inject({ url, query: { ...TRANSFER, amount: '100' } })
    t.equal(response.statusCode, 200)
    t.match(response.headers['content-type'], /^application\/json/)
    const quote = response.json()
    t.match(quote, {
      feeId: /./,
      decimals: 6,
      feeServiceProcessingFiat: 0.05,
      feeServiceProcessingBigInt: '50000',
      transactionValues: {
        feeFromOrigin: { submitAmount: '100000000' },
        feeFromTarget: { allowanceAmount: '100000000' }
      }
    })
    const { feeFromOrigin, feeFromTarget } = quote.transactionValues
    t.equal(BigInt(feeFromOrigin.allowanceAmount), 100_000_000n + BigInt(quote.feeTotalBigInt))
    t.equal(BigInt(feeFromTarget.submitAmount), 100_000_000n - BigInt(quote.feeTotalBigInt))
    t.match(feeFromOrigin.message, /^I approve the transfer of .* USDT from ETH to .* on POL\.$/)
  }
})

test('unknown fields of a quote are passed on, and the fee service gets the wallet as creator', async t => {
  const quote = {
    feeId: 'f-1',
    totalFeeUsd: '0.41',
    feeTotalFiat: 1e-7,
    peggedTo: null,
    transactionValues: { feeFromOrigin: { allowanceAmount: { value: '1', decimals: 6 }, submitAmount: '1' } },
    newer: { list: [1, 'two', null] }
  }
  const { feeService, server } = await withFeeService(t, response => json(response, quote))
  const response = await server.inject({
    url: '/submit/fees',
    query: { ...TRANSFER, deductFee: 'true', other: 'x' }
  })
  t.equal(response.statusCode, 200)
  const one = { allowanceAmount: '1', submitAmount: '1' }
  t.same(response.json(), { ...quote, decimals: 6, transactionValues: { feeFromOrigin: one } })
  const [asked] = feeService.seen
  t.equal(asked?.url, '/v2/fees/calculate')
  t.same(JSON.parse(asked?.body ?? ''), { ...TRANSFER, creator: server.signer.address, deductFee: true })
})

test('SERVICE_BACKEND_FEE_PATH is the path of the fee call', async t => {
  const feeService = await serve(t, (_request, response) => json(response, {}))
  const env = { SERVICE_BACKEND_FEE_URL: feeService.url, SERVICE_BACKEND_FEE_PATH: '/v9/quotes' }
  const server = await build(t, env)
  await server.inject({ url: '/submit/fees', query: TRANSFER })
  t.match(feeService.seen, [{ url: '/v9/quotes' }])
})

test('an invalid query is a 400 that names the parameter', async t => {
  const server = await build(t)
  const cases: [Record<string, string | undefined>, string][] = [
    [{ amount: '0' }, '/amount'],
    [{ amount: '-1' }, '/amount'],
    [{ amount: '1e-7' }, '/amount'],
    [{ amount: '1.0000001' }, '/amount'],
    [{ originAddress: '' }, '/originAddress'],
    [{ deductFee: 'maybe' }, '/deductFee']
  ]
  for (const [change, path] of cases) {
    const response = await server.inject({ url: '/submit/fees', query: { ...TRANSFER, ...change } })
    t.match(
      response.json(),
      { statusCode: 400, code: 'VALIDATION', details: [{ path }] },
      JSON.stringify(change)
    )
  }
  for (const name of Object.keys(TRANSFER)) {
    const { [name]: _left, ...rest }: Record<string, string> = TRANSFER
    const response = await server.inject({ url: '/submit/fees', query: rest })
    t.match(response.json(), { statusCode: 400, details: [{ path: `/${name}`, message: 'is required' }] })
  }
  const unknown = await server.inject({ url: '/submit/fees', query: { ...TRANSFER, targetChain: 'XYZ' } })
  t.match(unknown.json(), {
    statusCode: 400,
    code: 'QUOTE_REFUSED',
    message: /does not quote this transfer: .*XYZ/
  })
})

test('a chain that cannot be at that end is refused before the fee service is asked', async t => {
  const { feeService, server } = await withFeeService(t, response => json(response, {}))
  for (const [change, path] of [
    [{ originChain: 'BTC' }, '/originChain'],
    [{ originChain: 'BERA' }, '/originChain'],
    [{ targetChain: 'CC' }, '/targetChain']
  ] as const) {
    const response = await server.inject({ url: '/submit/fees', query: { ...TRANSFER, ...change } })
    t.match(response.json(), { statusCode: 400, code: 'CHAIN_UNSUPPORTED', details: [{ path }] })
  }
  t.equal(feeService.seen.length, 0)
})

test('an address that cannot belong to its chain is refused before the fee service is asked', async t => {
  const { feeService, server } = await withFeeService(t, response => json(response, {}))
  for (const [change, path, expected] of [
    [{ originAddress: 'hello' }, '/originAddress', /EVM address/],
    [{ targetAddress: 'hello' }, '/targetAddress', /EVM address/],
    [{ targetChain: 'SOL', targetSymbol: 'USDC' }, '/targetAddress', /Solana address/],
    [{ originChain: 'TRX' }, '/originAddress', /Tron address/],
    [{ originChain: 'CC', originSymbol: 'USD', targetAddress: 'hello' }, '/targetAddress', /EVM address/]
  ] as const) {
    const response = await server.inject({ url: '/submit/fees', query: { ...TRANSFER, ...change } })
    const { message, ...error } = response.json()
    t.match(error, { statusCode: 400, code: 'ADDRESS_INVALID', details: [{ path, message: expected }] })
    t.match(message, `${path.slice(1)} must be`)
  }
  t.same(feeService.seen, [])
})

test('no message of a malformed query or body shows a regular expression', async t => {
  const server = await build(t)
  const wrong = ' \n'
  const query = Object.fromEntries(Object.keys(TRANSFER).map(name => [name, wrong]))
  const body = {
    ...query,
    amountIn: wrong,
    amountOut: wrong,
    fee: wrong,
    dex: wrong,
    slippage: wrong,
    senderPubKey: wrong
  }
  for (const response of [
    await server.inject({ url: '/submit/fees', query }),
    await server.inject({
      method: 'POST',
      url: '/submit/transfer',
      body: { ...body, decimals: 6, options: '{}' }
    }),
    await server.inject({
      method: 'POST',
      url: '/submit/swap',
      body: { ...body, htlcVersion: wrong, options: '{}' }
    }),
    await server.inject('/tx/0x1/status'),
    await server.inject({ url: '/submit/transactionId', query: { transactionIdSeed: wrong } })
  ]) {
    const { statusCode, message, details } = response.json()
    t.equal(statusCode, 400)
    for (const text of [message, ...details.map(({ message }: { message: string }) => message)])
      t.match(text, /^[^[\]^$\\]*$/)
    t.notMatch(response.body, /documented form|anyOf/)
  }
})
