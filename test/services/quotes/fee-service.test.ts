import { createFeeService } from '../../../services/quotes/fee-service.ts'
import type { QuoteTerms } from '../../../services/submission/contract.ts'
import { keepingLog } from '../../helpers/keeping-log.ts'
import { json, serve } from '../../helpers/local-server.ts'
import { test } from '../../helpers/tap.ts'
import { TRANSFER } from '../../helpers/transfer-flow.ts'

test('stores a quote with its client before returning it, and logs a quote without a fee', async t => {
  const values = { feeFromOrigin: { allowanceAmount: '101', submitAmount: '100' } }
  const quote: object = { feeId: 'f-1', decimals: 6, transactionValues: values }
  const swapInfo = { amountOutBigInt: '9' }
  const answers = [{ ...quote, feeTotalBigInt: '1', swapInfo }, quote]
  const { url } = await serve(t, (_request, response) => json(response, answers.shift()))
  const { log, entries } = keepingLog()
  const stored: QuoteTerms[] = []
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
      async remember(quote, client) {
        await new Promise(resolve => setImmediate(resolve))
        stored.push({ ...quote, ...client })
      },
      now: Date.now
    },
    log
  })
  t.teardown(fees.close)
  const client = { client: 'caller shop', caller: 'shop' }
  await fees.quote(TRANSFER, client)
  t.match(stored, [{ feeId: 'f-1', ...client, amountOut: { value: '9', decimals: 18 } }])
  t.same(entries, [])
  await fees.quote(TRANSFER, client)
  t.equal(stored.length, 1)
  t.match(entries, [{ level: 'warn', fields: { feeId: 'f-1' } }])
})
