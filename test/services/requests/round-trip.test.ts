import assert from 'node:assert/strict'
import { exactAmount, unitsAt } from '../../../services/amounts.ts'
import { createMessageTypes } from '../../../services/messages/index.ts'
import { readRequest } from '../../../services/requests/request.ts'
import { swapAmounts } from '../../../services/requests/swap.ts'
import { transferAmounts } from '../../../services/requests/transfer.ts'
import fc from '../../helpers/fast-check.ts'
import { test } from '../../helpers/tap.ts'
import { wallet } from '../../helpers/wallet.ts'

const { requestTransaction, requestSwapTransaction } = createMessageTypes('service')

const smallest = (whole: string, places: number) => String(unitsAt(exactAmount(whole), places).floor)

const decimals = fc.oneof(fc.constantFrom(0, 2, 6, 8, 18), fc.integer({ min: 0, max: 36 }))
const positive = fc.bigInt(1n, 10n ** 78n - 1n).map(String)
const fee = fc.bigInt(0n, 10n ** 78n - 1n).map(String)
/** An ASCII feeId. */
const feeId = fc.string({ minLength: 1, maxLength: 16 })
const text = fc.string({ minLength: 1, maxLength: 16, unit: 'grapheme' })
const ends = {
  originAddress: fc.constant('0x742d35Cc6634C0532925a3b844Bc454e4438f44e'),
  originSymbol: fc.constantFrom('USDT', 'USDC'),
  targetAddress: fc.constant('0x8ba1f109551bD432803012645Ac136ddd64DBA72'),
  targetChain: fc.constantFrom('POL', 'BSC'),
  targetSymbol: fc.constantFrom('USDT', 'USDC')
}
const htlc = {
  htlcCreationVout: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  senderPubKey: fc.uint8Array({ maxLength: 33 }).map(bytes => Buffer.from(bytes).toString('hex'))
}
const crypto = fc.record({
  feeId,
  signature: text,
  message: text,
  newer: fc.jsonValue({ maxDepth: 3 })
})
test('the chain reads exactly what a transfer request says', async t => {
  const body = fc.record({ ...ends, ...htlc, amount: positive, fee, decimals })
  await fc.assert(
    fc.asyncProperty(body, crypto, async (given, options) => {
      const { message } = await readRequest(
        { ...given, originChain: 'ETH', options: JSON.stringify(options) },
        transferAmounts,
        wallet
      )
      const read = requestTransaction.decode(requestTransaction.encode(message).finish())
      assert.equal(smallest(read.amount, given.decimals), given.amount)
      assert.equal(smallest(read.fee, given.decimals), given.fee)
      assert.equal(read.creator, wallet.address)
      assert.equal(read.originChain, 'ETH')
      for (const name of ['originAddress', 'originSymbol', 'targetChain', 'targetSymbol'] as const) {
        assert.equal(read[name], given[name])
      }
      assert.equal(read.htlcCreationVout, given.htlcCreationVout)
      assert.equal(Buffer.from(read.senderPubKey).toString('hex'), given.senderPubKey)
      assert.equal(read.options, JSON.stringify(options))
    })
  )
  t.pass('every transfer')
})

test('the chain reads exactly what a swap request says, each amount in its own decimals', async t => {
  const body = fc.record({
    ...ends,
    amountIn: positive,
    amountOut: positive,
    fee,
    amountInDecimals: decimals,
    amountOutDecimals: decimals,
    dex: fc.constantFrom('', 'auto'),
    slippage: fc.constantFrom('', '0.5')
  })
  await fc.assert(
    fc.asyncProperty(body, crypto, async (given, options) => {
      const { message } = await readRequest(
        { ...given, originChain: 'ETH', options: JSON.stringify(options) },
        swapAmounts,
        wallet
      )
      const read = requestSwapTransaction.decode(requestSwapTransaction.encode(message).finish())
      assert.equal(smallest(read.amountIn, given.amountInDecimals), given.amountIn)
      assert.equal(smallest(read.amountOut, given.amountOutDecimals), given.amountOut)
      assert.equal(smallest(read.fee, given.amountInDecimals), given.fee)
      assert.equal(read.dex, given.dex)
      assert.equal(read.slippage, given.slippage)
      assert.equal(read.options, JSON.stringify(options))
    })
  )
  t.pass('every swap')
})
