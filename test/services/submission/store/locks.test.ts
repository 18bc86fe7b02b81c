import { eachStore, type StorePlace } from '../../../helpers/durable-stores.ts'
import type { Test } from '../../../helpers/tap.ts'
import { WALLET_STATE } from '../store-data.ts'

const NOW = Date.UTC(2026, 0, 1)

const addresses = { senderAddress: 'tb1qsender', recipientAddress: '0x1', poolAddress: 'tb1qpool' }
const terms = { ...addresses, senderPubkey: '02', amountSats: 1000, outputScript: '0020' }
const lock = (lockId: string, change: object = {}) => {
  return { lockId, address: `address of ${lockId}`, expiresAt: NOW + 1000, terms, ...change }
}
const client = { client: 'shopper' }

async function open(t: Test, place: StorePlace) {
  const clock = { now: NOW }
  const reopen = async () => {
    const store = await place.open(WALLET_STATE.address, () => clock.now)
    t.teardown(() => store.close())
    return store
  }
  return { ...(await reopen()), clock, reopen }
}

await eachStore('keeps a lock intent until it expires, also after a restart', async (t, place) => {
  const { putLock, forgetLocks, clock, close, reopen } = await open(t, place)
  t.equal(await putLock({ ...lock('l-1'), ...client, caller: 'shop' }), 'stored')
  t.equal(await putLock({ ...lock('l-2', { expiresAt: NOW + 9000 }), ...client }), 'stored')
  await close()
  const { findLock, forgetLocks: forget, ...store } = await reopen()
  t.strictSame(await findLock('l-1'), lock('l-1', { caller: 'shop' }))
  t.equal(await findLock('l-3'), undefined)
  clock.now += 1000
  t.equal(await findLock('l-1'), undefined)
  t.equal(await forget(10), 1)
  t.equal(await forget(10), 0)
  t.ok(await findLock('l-2'))
  t.equal(await store.putLock({ ...lock('l-1'), ...client }), 'stored')
  await t.rejects(forgetLocks(1))
})

await eachStore('replaces a recorded output only if it is still the one that was read', async (t, place) => {
  const { putLock, recordLock, findLock } = await open(t, place)
  await putLock({ ...lock('l-1'), ...client })
  t.equal(await recordLock('l-1', 'a:0', undefined), true)
  t.equal(await recordLock('l-1', 'a:0', undefined), true, 'again')
  t.equal(await recordLock('l-1', 'b:0', undefined), false)
  t.equal(await recordLock('l-1', 'c:0', 'a:0'), true)
  t.equal(await recordLock('l-1', 'd:0', 'a:0'), false)
  t.equal((await findLock('l-1'))?.outpoint, 'c:0')
  t.equal(await recordLock('l-2', 'a:0', undefined), false)
})
