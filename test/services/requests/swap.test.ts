import type { SwapBody } from '../../../schemas/swap.ts'
import { readRequest } from '../../../services/requests/request.ts'
import { swapAmounts } from '../../../services/requests/swap.ts'
import { test } from '../../helpers/tap.ts'
import { ROUTE } from '../../helpers/transfer.ts'
import { wallet } from '../../helpers/wallet.ts'

const read = (body: SwapBody) => readRequest(body, swapAmounts, wallet)
const BODY: SwapBody = {
  ...ROUTE,
  targetChain: 'BSC',
  targetSymbol: 'USDT',
  amountIn: '100500000',
  amountOut: '100000000000000000001',
  fee: '50000',
  amountInDecimals: 6,
  amountOutDecimals: 18,
  dex: 'auto',
  slippage: '0.5',
  options: '{"feeId":"f-1","signature":"0xabc"}'
}

test('applies a single `decimals` to both tokens', async t => {
  const { amountInDecimals: _in, amountOutDecimals: _out, ...rest } = BODY
  const { message, route } = await read({ ...rest, amountOut: '99000000', decimals: 6 })
  t.match(message, { amountIn: '100.5', amountOut: '99', fee: '0.05' })
  t.match(route.origin.amount, { whole: '100.5', decimals: { value: 6, field: 'decimals' }, assumed: false })
  t.match(route.target.amount, {
    whole: '99',
    decimals: { value: 6, field: 'amountOutDecimals' },
    assumed: true
  })
  t.equal((await read({ ...rest, decimals: 6, amountOutDecimals: 18 })).message.amountOut.length, 22)
})

test('accepts a missing dex and slippage, and a slippage that is a number', async t => {
  const { dex: _dex, slippage: _slippage, ...rest } = BODY
  t.match((await read(rest)).message, { dex: '', slippage: '' })
  for (const [slippage, text] of [
    [0.5, '0.5'],
    [0, '0'],
    [50, '50']
  ] as const) {
    t.equal((await read({ ...BODY, slippage })).message.slippage, text)
  }
})
