import { UNTIL_WOKEN } from '../../../../services/async/loop.ts'
import { createPacker } from '../../../../services/submission/act/packing.ts'
import { StoreCorruptError } from '../../../../services/submission/errors.ts'
import { currentTx } from '../../../../services/submission/slots.ts'
import { request } from '../../../helpers/store-data.ts'
import { test } from '../../../helpers/tap.ts'
import { engineContext, failed, passed, unavailable } from './engine-context.ts'

const ids = (count: number) => Array.from({ length: count }, (_, index) => `id-${index}`)

async function packerWith(queued: string[], options: Parameters<typeof engineContext>[0] = {}) {
  const context = await engineContext(options)
  await context.queue(...queued)
  const { engine, markAllSent, time } = context
  const held = { is: false }
  return {
    ...context,
    step: createPacker(engine, () => held.is),
    held,
    packed() {
      const slot = engine.slots.get(engine.walletState().nextSequence - 1)
      if (!slot) throw new TypeError('nothing was packed')
      return currentTx(slot)
    },
    /** Marks all open slots as sent, and advances the clock until the packer no longer waits to fill a batch. */
    sendAll(): void {
      markAllSent()
      time.elapsed += 1000
    }
  }
}

test('halves a batch above the daily fee limit; a lone message waits', async t => {
  const { step, packed, engine, sendAll, kinds } = await packerWith(['a', 'b', 'c', 'd'])
  const { settings, blockers } = engine
  settings.dailyFeeLimit = 3500n
  t.equal(await step(), 0)
  t.match(packed(), { feeAmount: 3000n, submissionIds: ['a', 'b'] })
  sendAll()
  t.equal(await step(), 2000)
  t.equal(engine.slots.size, 1)
  t.match(blockers.present, [
    { kind: 'daily-fee-limit', reason: /paid 0, inOpenSlots 3000, added 1500, limit 3500/ }
  ])
  settings.dailyFeeLimit = 4500n
  t.equal(await step(), 0)
  t.match(packed(), { feeAmount: 1500n, submissionIds: ['c'] })
  t.strictSame(kinds(), [])
})

test('halves a batch that a node does not simulate in time, also after it refused the control', async t => {
  const { step, packed, script, sendAll, time, simulations } = await packerWith(ids(24))
  const slow = (messages: number) =>
    messages > 3 ? { ...unavailable, timedOut: true } : passed(100_000 * messages)
  script.simulate = slow
  for (const _ of [24, 12, 6]) t.equal(await step(), 0)
  script.simulate = () => failed('the creator is not whitelisted: unauthorized')
  t.equal(await step(), 2000)
  script.simulate = slow
  time.elapsed += 2000
  t.equal(await step(), 0)
  t.strictSame(packed().submissionIds, ids(3))
  simulations.length = 0
  sendAll()
  for (const _ of [4, 2]) t.equal(await step(), 0)
  t.strictSame(packed().submissionIds, ids(5).slice(3))
  sendAll()
  t.equal(await step(), 0)
  t.strictSame(simulations, [4, 2, 3], 'one more is tried after a success')
})

test('treats the daily limit as reached while the fees already paid cannot be read', async t => {
  const { step, engine, entries, store, kinds } = await packerWith(['a'])
  const { feesPaidToday } = store
  engine.settings.dailyFeeLimit = 5000n
  store.feesPaidToday = () => Promise.reject(new StoreCorruptError('fee_day', 'unknown', 'amount'))
  t.equal(await step(), 2000)
  t.strictSame(kinds(), ['daily-fee-limit'])
  t.match(entries.at(-1), { level: 'error', fields: { reason: /fee_day/ } })
  store.feesPaidToday = feesPaidToday
  t.equal(await step(), 0)
  t.strictSame(kinds(), [])
})

test('pays nothing while the control needs too much gas, and then tries everything again', async t => {
  const { step, script, engine, kinds, packed } = await packerWith(['a'])
  const { simulate } = script
  Object.assign(script, { blockGas: 250_000, simulate: () => passed(300_000) })
  t.equal(await step(), 0)
  t.match(engine.blockers.present, [{ kind: 'gas-too-high', reason: /needs 300000 gas, above 250000/ }])
  t.equal(await step(), 2000, 'while the message is postponed, only the control is simulated')
  t.equal(engine.slots.size, 0)
  script.simulate = simulate
  t.equal(await step(), 0)
  t.strictSame(kinds(), [])
  t.equal(await step(), 0, 'the message is due immediately')
  t.strictSame(packed().submissionIds, ['a'])
})

test('pays three times the usual gas, or rejects a message for its gas, if two nodes agree', async t => {
  const { step, script, queue, sendAll, kinds, store } = await packerWith(['a'], { other: {} })
  t.equal(await step(), 0)
  t.strictSame(kinds(), [])
  sendAll()
  await queue('b')
  script.simulate = () => passed(300_000)
  t.equal(await step(), 0)
  t.strictSame(kinds(), ['fees-risen'])
  t.match(await store.find('b'), { status: 'broadcast' })
  await queue('c')
  script.simulate = (_messages, isControlRequest) => passed(isControlRequest ? 100_000 : 3_000_000)
  for (let failures = 0; failures <= 3; failures++) {
    t.match(await store.find('c'), { status: 'queued' }, `after ${failures} failures`)
    sendAll()
    t.equal(await step(), 0)
  }
  t.match(await store.find('c'), { status: 'rejected', error: { code: 41, message: /needs 3000000 gas/ } })
})

test('signs nothing that was simulated before signing had to stop', async t => {
  const { step, script, engine, held, packed } = await packerWith(['a'])
  const { simulate } = script
  script.simulate = (...simulation) => {
    held.is = true
    return simulate(...simulation)
  }
  t.equal(await step(), 250)
  t.equal(engine.slots.size, 0)
  held.is = false
  script.simulate = simulate
  t.equal(await step(), 0)
  t.strictSame(packed().submissionIds, ['a'])
})

test('rejects nothing because another node refuses everything', async t => {
  const { step, script, store } = await packerWith(['a'], { other: { simulate: () => failed('no account') } })
  script.simulate = (_messages, isControlRequest) => (isControlRequest ? passed(100_000) : failed('no'))
  t.equal(await step(), 0)
  t.match(await store.find('a'), { status: 'queued' })
})

test('packs a message that is queued behind 101 postponed pairs', async t => {
  const { step, engine, queue, store, packed } = await packerWith([])
  for (const id of ids(101)) {
    const first = request(`first of ${id}`, id, [{ kind: 'registration', value: id }])
    await store.take([{ ...request(id), follows: first }])
  }
  for (const { waitsFor } of await engine.store.queued(1000)) if (waitsFor) engine.evidence.backOff(waitsFor)
  await queue('last')
  t.equal(await step(), 0)
  t.strictSame(packed().submissionIds, ['last'])
})

test('while nothing is queued, checks the control request until it passes', async t => {
  const { step, script, engine, simulations, kinds, time } = await packerWith([], { controlPassed: false })
  const { simulate } = script
  const unauthorized = failed('the creator is not whitelisted: unauthorized')
  script.simulate = () => unauthorized
  t.equal(await step(), 2000)
  t.strictSame(kinds(), ['wallet-not-whitelisted'])
  script.simulate = () => unavailable
  t.equal(await step(), 2000)
  t.strictSame(kinds(), ['wallet-not-whitelisted'], 'a missing response proves nothing')
  script.simulate = simulate
  time.elapsed += 2000
  t.equal(await step(), UNTIL_WOKEN)
  t.strictSame(kinds(), [])
  t.ok(engine.walletState().controlPassed, 'the control request passed twice')
  t.equal(await step(), UNTIL_WOKEN)
  t.equal(simulations.length, 4, 'no further control request')
})

test('simulates nothing while it waits for the signer, for up to 10 s', async t => {
  const { step, engine, packed, time, simulations, kinds } = await packerWith(['a'])
  const { signDirect } = engine.wallet
  const throttled = () => Promise.reject(new Error('throttled'))
  Object.assign(engine.wallet, { signDirect: throttled })
  for (const pause of [1000, 2000, 4000, 8000, 10_000, 10_000]) {
    t.equal(await step(), pause)
    t.match(engine.blockers.present, [{ kind: 'signer-unavailable', reason: 'throttled' }])
    const before = simulations.length
    time.elapsed += pause - 10
    t.equal(await step(), 10)
    t.equal(simulations.length, before)
    time.elapsed += 10
  }
  Object.assign(engine.wallet, { signDirect })
  t.equal(await step(), 0)
  t.strictSame([packed().submissionIds, kinds()], [['a'], []])
})

test('clears the signer and daily-limit blockers once nothing is queued or open', async t => {
  const { step, engine, store, open, markAllSent, kinds } = await packerWith(['a', 'b'])
  Object.assign(engine.wallet, {
    async signDirect() {
      throw new Error('away')
    }
  })
  t.equal(await step(), 1000)
  engine.blockers.raise('daily-fee-limit', 'replacing the transaction in a slot would exceed the limit')
  const { sequence } = await open(['b'])
  markAllSent()
  await engine.store.reject('a', { code: 1, codespace: 'operator', message: 'cancelled' })
  await step()
  t.strictSame(kinds(), ['signer-unavailable', 'daily-fee-limit'], 'an open slot may still need a signature')
  engine.slots.remove(sequence)
  await step()
  t.strictSame(kinds(), [])
  t.match(await store.find('a'), { status: 'rejected' })
})

test('simulates a suspect without the messages behind it', async t => {
  const { step, script, simulations } = await packerWith(['a', 'b', 'c'])
  script.simulate = messages =>
    messages === 3 ? failed('failed to execute message; message index: 0: no') : passed(100_000)
  t.equal(await step(), 0)
  t.strictSame(simulations, [3, 2], 'the control request and the suspect')
})
