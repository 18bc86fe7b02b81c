import { createFeeService } from '../../../services/quotes/fee-service.ts'
import type { RememberedQuote } from '../../../services/quotes/remembered-quote.ts'
import { keepingLog } from '../../helpers/keeping-log.ts'
import { json, serve } from '../../helpers/local-server.ts'
import { test } from '../../helpers/tap.ts'
import { TRANSFER } from '../../helpers/transfer-flow.ts'

test('stores and proves a quote with its caller before returning it, and logs a quote without a fee', async t => {
  const values = { feeFromOrigin: { allowanceAmount: '101', submitAmount: '100' } }
  const quote: object = { feeId: 'f-1', decimals: 6, transactionValues: values }
  const swapInfo = { amountOutBigInt: '9' }
  const answers = [{ ...quote, feeTotalBigInt: '1', swapInfo }, quote]
  const { url } = await serve(t, (_request, response) => json(response, answers.shift()))
  const { log, entries } = keepingLog()
  const stored: RememberedQuote[] = []
  const fees = createFeeService({
    baseUrl: url,
    path: '/fees',
    api: 'v2',
    format: 'documented',
    creator: 'service1wallet',
    environment: 'testnet',
    chains: {
      ownAddresses: async () => [],
      token: async chain => ({
        symbol: '',
        address: '',
        decimals: chain === TRANSFER.targetChain ? 18 : 6,
        peggedTo: 'EUR'
      }),
      transferLimit: async () => undefined
    },
    quotes: {
      async remember(quote) {
        await new Promise(resolve => setImmediate(resolve))
        stored.push(quote)
      }
    },
    proofs: { prove: quote => `proof for ${quote.caller}` },
    log
  })
  t.teardown(fees.close)
  t.match(await fees.quote(TRANSFER, 'shop'), { options: { quoteProof: 'proof for shop' } })
  t.match(stored, [{ feeId: 'f-1', caller: 'shop', amountOut: { value: '9', decimals: 18 } }])
  t.same(entries, [])
  t.notOk('options' in (await fees.quote(TRANSFER, 'shop')))
  t.equal(stored.length, 1)
  t.match(entries, [{ level: 'warn', fields: { feeId: 'f-1' } }])
})
