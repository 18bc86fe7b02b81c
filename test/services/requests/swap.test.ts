import type { SwapBody } from '../../../schemas/swap.ts'
import { readRequest } from '../../../services/requests/request.ts'
import { swapAmounts } from '../../../services/requests/swap.ts'
import { test } from '../../helpers/tap.ts'
import { wallet } from '../../helpers/wallet.ts'

const read = (body: SwapBody) => readRequest(body, swapAmounts, wallet)
const BODY: SwapBody = {
  originAddress: '0x01',
  originChain: 'ETH',
  originSymbol: 'USDT',
  targetAddress: '0x02',
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

test('a swap request becomes the chain’s message', async t => {
  t.same(await read(BODY), {
    feeId: 'f-1',
    route: {
      origin: {
        chain: 'ETH',
        address: '0x01',
        symbol: 'USDT',
        amount: {
          field: 'amountIn',
          whole: '100.5',
          decimals: { value: 6, field: 'amountInDecimals' },
          assumed: false
        }
      },
      target: {
        chain: 'BSC',
        address: '0x02',
        symbol: 'USDT',
        amount: {
          field: 'amountOut',
          whole: '100.000000000000000001',
          decimals: { value: 18, field: 'amountOutDecimals' },
          assumed: false
        }
      },
      hasPermit2: false
    },
    fee: '0.05',
    chargeFeeAtTarget: undefined,
    approval: { message: undefined, signature: '0xabc' },
    transactionIdSeed: undefined,
    message: {
      creator: wallet.address,
      originChain: 'ETH',
      originAddress: '0x01',
      originSymbol: 'USDT',
      targetChain: 'BSC',
      targetAddress: '0x02',
      targetSymbol: 'USDT',
      amountIn: '100.5',
      amountOut: '100.000000000000000001',
      fee: '0.05',
      dex: 'auto',
      slippage: '0.5',
      htlcExpirationTimestamp: '',
      htlcCreationHash: '',
      htlcCreationVout: 0,
      htlcVersion: '',
      senderPubKey: Buffer.alloc(0),
      options: '{"feeId":"f-1","signature":"0xabc"}'
    }
  })
})

test('a single decimals stands for both tokens', async t => {
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

test('dex and slippage may be missing, and slippage may be a number', async t => {
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

const { amountInDecimals: _in, amountOutDecimals: _out, ...NO_DECIMALS } = BODY

const WRONG: [string, SwapBody, string][] = [
  ['nothing in', { ...BODY, amountIn: '0' }, '/amountIn'],
  ['nothing out', { ...BODY, amountOut: '0' }, '/amountOut'],
  ['no decimals', NO_DECIMALS, '/decimals'],
  ['no decimals of the amount in', { ...NO_DECIMALS, amountOutDecimals: 18 }, '/amountInDecimals'],
  ['no decimals of the amount out', { ...NO_DECIMALS, amountInDecimals: 6 }, '/amountOutDecimals'],
  ['contradicting decimals', { ...BODY, decimals: 18 }, '/amountInDecimals'],
  ['a slippage that needs an exponent', { ...BODY, slippage: 1e-7 }, '/slippage'],
  ['no signature', { ...BODY, options: '{"feeId":"f"}' }, '/options/signature']
]

for (const [name, body, path] of WRONG) {
  test(`refused: ${name}`, async t => {
    await t.rejects(read(body), {
      message: /^\S+ /,
      statusCode: 400,
      details: [{ path }]
    })
  })
}
