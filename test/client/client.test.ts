import { randomUUID } from 'node:crypto'
import { clientOf } from '../../packages/client/client.ts'
import { bodyOf, createClient, type paths, wholeTokens } from '../../packages/client/index.ts'
import createApi from '../../packages/client/openapi-fetch.ts'
import { systemTiming } from '../../packages/client/timing.ts'
import { build, STRICT, startNetwork } from '../helpers/app.ts'
import { patientFetch } from '../helpers/patient-fetch.ts'
import { type Test, test } from '../helpers/tap.ts'
import { PATIENCE_MS } from '../helpers/until.ts'
import { evmUser } from '../helpers/users.ts'

const TARGET = {
  targetAddress: '0x8ba1f109551bD432803012645Ac136ddd64DBA72',
  targetChain: 'POL',
  targetSymbol: 'USDC'
}

async function serve(t: Test, settings: Record<string, string>) {
  const devnet = await startNetwork(t, { brand: 'acme' })
  const server = await build(t, { ...STRICT, ...settings }, { devnet })
  const requested: string[] = []
  const baseUrl = await server.listen({ host: '127.0.0.1', port: 0 })
  const fetch = (request: Request) => {
    requested.push(new URL(request.url).pathname)
    return patientFetch(request)
  }
  // Long enough that the client neither retries nor polls on a slow machine.
  const limits = { requestMs: PATIENCE_MS, firstStateMs: PATIENCE_MS, silenceMs: PATIENCE_MS }
  const api = createApi<paths>({ baseUrl, fetch })
  return { client: clientOf({ baseUrl, fetch, api, timing: { ...systemTiming, ...limits } }), requested }
}

for (const form of ['documented', 'widget']) {
  test(`quotes, submits and watches with ${form} responses`, async t => {
    const { client, requested } = await serve(t, { SERVICE_RESPONSE_FORMAT: form })
    const user = evmUser()
    const origin = { originAddress: user.address, originChain: 'ETH', originSymbol: 'USDT' }

    await t.test('completes a transfer with fees at the origin or the target', async t => {
      for (const side of ['feeFromOrigin', 'feeFromTarget'] as const) {
        const quote = await client.quote({ ...origin, ...TARGET, amount: '100.5' })
        const values = quote[side]
        if (values === undefined) throw new Error(side)
        const { allowanceAmount, submitAmount, message } = values
        t.equal(wholeTokens(side === 'feeFromOrigin' ? submitAmount : allowanceAmount), '100.5')
        const added = BigInt(allowanceAmount.value) - BigInt(submitAmount.value)
        t.equal(added, BigInt(quote.fees.total.value), 'the fee is added to the submitted amount')
        t.ok(quote.fees.processing, 'the processing fee is found under the brand’s field name')
        const body = bodyOf(quote, { side, signature: await user.sign(message) })
        const states: string[] = []
        const { txId } = await client.submitAndWait(body, { onState: ({ status }) => states.push(status) })
        t.match([states[0], states.at(-1)], ['sending', 'committed'])
        if (txId === undefined) throw new Error('no txId')
        const statuses: string[] = []
        for await (const record of client.watch({ txId })) {
          t.match(record, { tx_id: txId, amount: wholeTokens(submitAmount) })
          statuses.push(record.txstatus)
        }
        t.equal(statuses.at(-1), 'Completed')
        t.equal(new Set(statuses).size, statuses.length, statuses.join())
        t.ok(requested.includes(`/tx/${txId}/events`))
        t.notOk(requested.includes(`/tx/${txId}/status`), 'the status route is not polled')
      }
    })

    await t.test('completes a payment by card', async t => {
      const card = { originAddress: '', originChain: 'CC', originSymbol: 'USD' }
      const quote = await client.quote({ ...card, ...TARGET, amount: '20' })
      const body = bodyOf(quote, { transactionIdSeed: randomUUID() })
      const { txId } = await client.submitAndWait(body)
      t.equal((await client.submitAndWait(body)).txId, txId, 'the same body returns the same payment')
    })

    await t.test('completes a swap between tokens with different decimals', async t => {
      const target = { ...TARGET, targetChain: 'ETH', targetSymbol: 'WBTC' }
      const quote = await client.quote({ ...origin, ...target, originChain: 'POL', amount: '50' })
      t.equal(quote.swap?.amountOut.decimals, 8)
      const signature = await user.sign(quote.feeFromOrigin?.message ?? '')
      const body = bodyOf(quote, { signature, slippage: '0.005' })
      const { txId, submissionId } = await client.submitAndWait(body)
      if (txId === undefined) throw new Error('no txId')
      let last = ''
      const states = form === 'widget' ? client.watch({ txId, kind: 'swap' }) : client.watch({ txId })
      for await (const { txstatus, amountIn, slippage } of states) {
        t.same({ amountIn, slippage }, { amountIn: '50', slippage: '0.005' })
        last = txstatus
      }
      t.equal(last, 'Completed')
      for await (const submission of client.watch({ submissionId }))
        t.match(submission, { txId, status: 'committed' })
    })
  })
}

test('reads every field of a quote, and builds a swap from them', async t => {
  const route = { originAddress: '0xa', originChain: 'ETH', originSymbol: 'USDT', ...TARGET }
  const side = { allowanceAmount: '110', submitAmount: '100', message: 'I approve' }
  const quoted = {
    feeId: 'f-1',
    transactionValues: { feeFromOrigin: side },
    decimals: 2,
    feeOriginGasBigInt: '1',
    feeAcmeProcessingBigInt: '2',
    feeTargetGasBigInt: '3',
    feeSwapBigInt: '4',
    feeTotalBigInt: '10',
    totalFeeUsd: 0.1,
    peggedTo: 'USD',
    swapInfo: { amountOutBigInt: '97', dex: 'best' }
  }
  const chains = [{ shortName: 'POL', supportedTokens: [{ symbol: 'USDC', decimals: 8 }] }]
  const asked = new Set<string>()
  const inCents = (value: string) => ({ value, decimals: 2 })
  const gas = { originGas: inCents('1'), targetGas: inCents('3') }
  const fees = { ...gas, processing: inCents('2'), swap: inCents('4'), total: inCents('10') }
  const approval = { feeId: 'f-1', signature: '0xsigned', message: 'I approve', chargeFeeAtTarget: false }
  const amounts = { amountIn: '100', amountInDecimals: 2, amountOut: '97', amountOutDecimals: 8, fee: '10' }
  // Expiry times that fee services send: in seconds, in milliseconds, as a date, and none.
  for (const expiration of [1_800_000_000, 1_800_000_000_000, '2027-01-15T08:00:00Z', 0]) {
    const request = { ...route, amount: '1' }
    const fetch = async ({ url }: Request) => {
      asked.add(url.replace(/\?.*/, ''))
      request.targetAddress = 'changed while the quote was requested'
      return Response.json(url.endsWith('/chains') ? chains : { ...quoted, expiration })
    }
    const quote = await createClient({ baseUrl: 'https://pay.example/v1//', fetch }).quote(request)
    t.match(quote, { fees, totalFeeUsd: 0.1, peggedTo: 'USD' })
    t.equal(quote.expiresAt?.toISOString(), expiration === 0 ? undefined : '2027-01-15T08:00:00.000Z')
    const { options, ...body } = bodyOf(quote, { signature: '0xsigned' })
    t.strictSame(body, { ...route, ...amounts, dex: 'best' })
    t.same(JSON.parse(options), approval)
  }
  t.same(asked, new Set(['https://pay.example/v1/submit/fees', 'https://pay.example/v1/chains']))
})

test('adds the fees of a quote without a total, rounded up to the amount’s decimals', async t => {
  const [submitAmount, none] = ['100', '0'].map(value => ({ value, decimals: 2 }))
  const feeOriginGasBigInt = { value: '5', decimals: 1 }
  const feeTargetGasBigInt = { value: '9007199254740993', decimals: 4 }
  const fees = { feeOriginGasBigInt, feeTargetGasBigInt, feeTotalBigInt: none }
  const feeFromOrigin = { allowanceAmount: submitAmount, submitAmount }
  const quoted = { feeId: 'f-1', transactionValues: { feeFromOrigin }, ...fees }
  const fetch = async ({ url }: Request) => Response.json(url.endsWith('/chains') ? [] : quoted)
  const client = createClient({ baseUrl: 'https://pay.example', fetch })
  const request = { originAddress: '0xa', originChain: 'ETH', originSymbol: 'USDT', ...TARGET, amount: '1' }
  const quote = await client.quote(request)
  t.equal(wholeTokens(quote.fees.total), '900719925474.5993')
  t.match(bodyOf(quote, {}), { amount: '100', fee: '90071992547460', decimals: 2 })
})

test('rejects an invalid base URL immediately', async t => {
  const relative = ['nowhere', '/payments', '', 'localhost:3001', 'ftp://pay.example']
  const secret = ['http://user:secret@pay.example/', 'http://:secret@pay.example/']
  const longer = ['http://pay.example/?key=secret', 'http://pay.example/?', 'http://pay.example/#secret']
  for (const baseUrl of [...relative, ...secret, ...longer]) {
    const refused = { name: 'TypeError', message: /^baseUrl must be (?!.*secret)/ }
    t.throws(() => createClient({ baseUrl }), refused, baseUrl)
  }
  for (const baseUrl of ['http://pay.example', 'https://pay.example:8443/v1/payments//', 'HTTP://[::1]/'])
    t.doesNotThrow(() => createClient({ baseUrl }), baseUrl)
})
