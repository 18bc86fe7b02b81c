import { build, startNetwork } from '../../../helpers/app.ts'
import { test } from '../../../helpers/tap.ts'
import { cardBody, submit, swapBody } from '../../../helpers/transfer-flow.ts'

const transfer = (change: object = {}) => ({ ...swapBody(change), amount: '100500000' })
const sepa = { paymentMethod: 'sepaEur' }
const bank = { originSymbol: 'EUR', targetChain: 'BASE', targetSymbol: 'EURC' }

test('applies separate filters to origin and target chains', async t => {
  const devnet = await startNetwork(t)
  const filter = {
    origin: { mode: 'whitelist', chains: ['ETH', 'CC'] },
    target: { mode: 'blacklist', chains: ['ARB'] }
  }
  const server = await build(t, { SERVICE_CHAIN_FILTER: JSON.stringify(filter) }, { devnet })

  for (const body of [transfer(), cardBody(), cardBody({ originChain: 'FIAT' })]) {
    t.equal((await submit(server, body)).statusCode, 200)
  }
  const refused: [object, string][] = [
    [transfer({ originChain: 'POL' }), '/originChain'],
    [transfer({ targetChain: 'ARB' }), '/targetChain'],
    [cardBody({ ...bank, originChain: 'BANK' }, sepa), '/originChain'],
    [cardBody({ ...bank, originChain: 'FIAT' }, sepa), '/originChain']
  ]
  for (const [body, field] of refused) {
    const expected = { statusCode: 400, code: 'CHAIN_FILTERED', details: [{ path: field }] }
    t.match((await submit(server, body)).json(), expected)
    const swap = { ...body, amountIn: '1', amountOut: '1', amountOutDecimals: 6 }
    t.match((await submit(server, swap, { path: '/submit/swap' })).json(), expected)
  }

  const unfiltered = await build(t, {}, { devnet: await startNetwork(t) })
  t.equal((await submit(unfiltered, transfer({ originChain: 'POL' }))).statusCode, 200, 'without a filter')
})
