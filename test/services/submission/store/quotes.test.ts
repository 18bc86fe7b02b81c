import { eachStore, type StorePlace } from '../../../helpers/durable-stores.ts'
import type { Test } from '../../../helpers/tap.ts'
import { NOW, quote } from '../../quotes/quote.ts'
import { WALLET_STATE } from '../store-data.ts'

const HOURS_12 = 12 * 3_600_000

const network = 'testnet chain-1 service service1wallet'

const newQuote = (feeId: string, change: object = {}) => {
  const { isRefused: _, ...terms } = quote(feeId)
  return { ...terms, network, client: 'shopper', ...change }
}

async function open(t: Test, place: StorePlace) {
  const clock = { now: NOW }
  const store = await place.open(WALLET_STATE.address, () => clock.now)
  t.teardown(() => store.close())
  /** Which of these feeIds are stored. */
  const left = async (...feeIds: string[]) => {
    const found = await Promise.all(feeIds.map(feeId => store.findQuote({ network, feeId })))
    return feeIds.filter((_, index) => found[index] !== undefined)
  }
  return { ...store, clock, left }
}

await eachStore(
  'returns a quote in its own network until twelve hours after its expiry',
  async (t, place) => {
    const { putQuote, findQuote, clock } = await open(t, place)
    const swap = { caller: 'shop', amountOut: { value: '9', decimals: 18 } }
    const put = [putQuote(newQuote('f-1')), putQuote(newQuote('f-2', swap))]
    t.strictSame(await Promise.all(put), [true, true])
    t.strictSame(await findQuote({ network, feeId: 'f-1' }), quote('f-1'))
    t.strictSame(await findQuote({ network, feeId: 'f-2' }), { ...quote('f-2'), ...swap })
    t.equal(await findQuote({ network, feeId: 'f-3' }), undefined)
    t.equal(await findQuote({ network: network.replace('testnet', 'mainnet'), feeId: 'f-1' }), undefined)
    clock.now += 1000 + HOURS_12 - 1
    t.ok(await findQuote({ network, feeId: 'f-1' }))
    clock.now += 1
    t.equal(await findQuote({ network, feeId: 'f-1' }), undefined)
  }
)

await eachStore('a repeated feeId replaces a quote only with the same ends and caller', async (t, place) => {
  const { putQuote, findQuote, changeQuote } = await open(t, place)
  await putQuote(newQuote('f-1'))
  const again = { expiresAt: NOW + 2000, fee: { value: '7', decimals: 6 } }
  t.equal(await putQuote(newQuote('f-1', again)), true)
  const stored = { expiresAt: NOW + 2000, fee: { value: '7' } }
  const others = [{ target: { ...quote('').target, address: '0x03' } }, { caller: 'shop' }]
  for (const other of others) t.equal(await putQuote(newQuote('f-1', other)), false)
  t.match(await findQuote({ network, feeId: 'f-1' }), stored)
  const key = { network, feeId: 'f-1' }
  await changeQuote(key, NOW + 2000, { expiresAt: NOW + 2000, isRefused: true })
  t.equal(await putQuote(newQuote('f-1')), false)
  t.match(await findQuote(key), { ...stored, isRefused: true })

  const together = [...others, {}].map(change => putQuote(newQuote('f-2', change)))
  t.strictSame(await Promise.all(together), [false, false, true], 'also in the same turn')
  t.match(await findQuote({ network, feeId: 'f-2' }), { ...quote('f-2'), caller: undefined })
})

await eachStore('keeps the first comparison of an expired quote with the current price', async (t, place) => {
  const { putQuote, findQuote, changeQuote } = await open(t, place)
  for (const isRefused of [true, false]) {
    const feeId = `${isRefused}`
    await putQuote(newQuote(feeId))
    const key = { network, feeId }
    await changeQuote(key, NOW + 1000, { expiresAt: NOW + 2000, isRefused })
    await changeQuote(key, NOW + 1000, { expiresAt: NOW + 3000, isRefused: !isRefused })
    t.match(await findQuote(key), { expiresAt: NOW + 2000, isRefused })
  }
})

await eachStore('deletes old quotes, and above a limit those that expire first', async (t, place) => {
  const { putQuote, forgetQuotes, clock, left } = await open(t, place)
  const names = ['a-1', 'a-2', 'a-3', 'b-1', 'b-2', 'b-3']
  for (const [index, feeId] of names.entries())
    await putQuote(newQuote(feeId, { client: feeId.slice(0, 1), expiresAt: NOW + index }))
  clock.now += HOURS_12
  t.equal(await forgetQuotes(9, { ofClient: 3, ofWallet: 5 }), 1)
  t.strictSame(await left(...names), names.slice(1))
  t.equal(await forgetQuotes(9, { ofClient: 2, ofWallet: 9 }), 1)
  t.strictSame(await left(...names), ['a-2', 'a-3', 'b-2', 'b-3'])
  t.equal(await forgetQuotes(1, { ofClient: 2, ofWallet: 2 }), 1)
  t.equal(await forgetQuotes(9, { ofClient: 2, ofWallet: 2 }), 1)
  t.strictSame(await left(...names), ['b-2', 'b-3'])
  t.equal(await forgetQuotes(9), 0)
})
