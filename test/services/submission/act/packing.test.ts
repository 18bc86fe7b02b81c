import { createPacker } from '../../../../services/submission/act/packing.ts'
import { StoreCorruptError } from '../../../../services/submission/errors.ts'
import { currentTx } from '../../../../services/submission/slots.ts'
import { test } from '../../../helpers/tap.ts'
import { request } from '../store-data.ts'
import { type ChainScript, engineContext, failed, passed } from './engine-context.ts'

async function packerWith(queued: string[], other?: Partial<ChainScript>) {
  const context = await engineContext(other)
  await context.queue(...queued)
  const { engine } = context
  const held = { is: false }
  return {
    ...context,
    step: createPacker(engine, () => held.is),
    held,
    packed() {
      const slot = engine.slots.get(engine.walletState().nextSequence - 1)
      if (!slot) throw new TypeError('nothing was packed')
      return currentTx(slot)
    }
  }
}

test('halves a batch above the daily fee limit; a lone message waits', async t => {
  const { step, packed, engine, markAllSent, time, kinds } = await packerWith(['a', 'b', 'c', 'd'])
  const { settings, blockers } = engine
  settings.dailyFeeLimit = 3500n
  t.equal(await step(), 0)
  t.match(packed(), { feeAmount: 3000n, submissionIds: ['a', 'b'] })
  markAllSent()
  // The packer no longer waits to fill a batch.
  time.elapsed += 1000
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

test('reports that two nodes need three times the usual gas, and pays it', async t => {
  const { step, script, queue, markAllSent, time, kinds, store } = await packerWith(['a'], {})
  t.equal(await step(), 0)
  t.strictSame(kinds(), [])
  markAllSent()
  time.elapsed += 1000
  await queue('b')
  script.simulate = () => passed(300_000)
  t.equal(await step(), 0)
  t.strictSame(kinds(), ['fees-risen'])
  t.match(await store.find('b'), { status: 'broadcast' })
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

test('postpones a message whose gas only one node calls too high, and then sends it', async t => {
  const { step, script, time, kinds, packed } = await packerWith(['a'])
  script.simulate = (_, isControlRequest) => passed(isControlRequest ? 100_000 : 3_003_850)
  for (let attempt = 0; attempt < 6; attempt += 1, time.elapsed += 10_000) t.equal(await step(), 0)
  t.match(packed(), { gasLimit: 2_000_000, submissionIds: ['a'] })
  t.strictSame(kinds(), [])
})

test('sends a message that one of two nodes refuses, with at most the gas of a block', async t => {
  const { step, script, time, packed } = await packerWith(['a'], { simulate: () => passed(100_000) })
  script.blockGas = 250_000
  script.simulate = (_, isControlRequest) => (isControlRequest ? passed(100_000) : failed('no'))
  for (let attempt = 0; attempt < 6; attempt += 1, time.elapsed += 10_000) t.equal(await step(), 0)
  t.match(packed(), { gasLimit: 250_000, submissionIds: ['a'] })
})

test('reports from the start that nodes refuse every simulation', async t => {
  for (const queued of [[], ['a']]) {
    const { step, script, engine, kinds } = await packerWith(queued)
    const { simulate } = script
    engine.setWalletState({ ...engine.walletState(), controlPassed: false })
    script.simulate = () => failed('no fee coin provided')
    await step()
    t.strictSame(kinds(), ['simulations-refused'])
    script.simulate = simulate
    await step()
    t.strictSame(kinds(), [])
  }
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
  for (const log of ['no', 'failed to execute message; message index: 0: paused']) {
    const { step, script, store } = await packerWith(['a'], { simulate: () => failed(log) })
    script.simulate = (messages, isControlRequest) => {
      if (!isControlRequest) return failed(log)
      return messages === 1 ? passed(100_000) : failed(`${log} once`)
    }
    t.equal(await step(), 0)
    t.match(await store.find('a'), { status: 'queued' }, log)
  }
})

test('packs a message that is queued behind 101 postponed pairs', async t => {
  const { step, engine, queue, store, packed } = await packerWith([])
  for (let at = 0; at < 101; at += 1) {
    const id = `id-${at}`
    const first = request(`first of ${id}`, id, [{ kind: 'registration', value: id }])
    await store.take([{ ...request(id), follows: first }])
  }
  for (const { waitsFor } of await engine.store.queued(1000)) if (waitsFor) engine.evidence.backOff(waitsFor)
  await queue('last')
  t.equal(await step(), 0)
  t.strictSame(packed().submissionIds, ['last'])
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
