import { createBroadcaster } from '../../../../services/submission/act/sending.ts'
import { currentTx } from '../../../../services/submission/slots.ts'
import { feeDenomOf } from '../../../../services/submission/transaction.ts'
import { test } from '../../../helpers/tap.ts'
import { engineContext } from './engine-context.ts'

const refused = (code: number, log: string) => ({ status: 'refused', code, codespace: 'sdk', log }) as const

const insufficientFee = (required: number) =>
  refused(13, `insufficient fees; got: 1000unit required: ${required}unit: insufficient fee`)

/** Creates a broadcaster with one slot per list of submissions, starting at sequence 7. */
async function broadcasterWith(...slots: string[][]) {
  const context = await engineContext()
  await context.queue(...slots.flat())
  for (const ids of slots) await context.open(ids)
  return {
    ...context,
    broadcaster: createBroadcaster(context.engine, () => {}),
    signedTxAt(sequence: number) {
      const slot = context.engine.slots.get(sequence)
      if (!slot) throw new TypeError(`there is no slot ${sequence}`)
      return currentTx(slot)
    }
  }
}

test('replaces a transaction above the daily fee limit only at no extra cost', async t => {
  const { broadcaster, script, engine, signedTxAt } = await broadcasterWith(['a', 'b'], ['c'])
  const { settings, blockers } = engine
  script.broadcast = () => insufficientFee(2000)
  settings.dailyFeeLimit = 2999n
  t.equal(await broadcaster.step(), 2000)
  t.match(blockers.present, [{ kind: 'daily-fee-limit', reason: /inOpenSlots 2000, added 1000, limit 2999/ }])
  t.equal(signedTxAt(7).feeAmount, 1000n)
  settings.dailyFeeLimit = 3000n
  t.equal(await broadcaster.step(), 0)
  t.equal(signedTxAt(7).feeAmount, 2000n)
  t.notOk(blockers.has('daily-fee-limit'))

  settings.dailyFeeLimit = 1n
  script.broadcast = () => refused(7, 'no')
  while (signedTxAt(7).submissionIds.length === 2) await broadcaster.step()
  t.match(signedTxAt(7), { feeAmount: 2000n, submissionIds: ['a'] })
})

test('signs a slot again in the corrected denomination, also for the same fee', async t => {
  const { broadcaster, script, engine, signedTxAt } = await broadcasterWith(['a'])
  script.broadcast = () => insufficientFee(2000)
  t.equal(await broadcaster.step(), 0)
  engine.settings.feeDenom = 'other'
  t.equal(await broadcaster.step(), 0)
  t.match(signedTxAt(7), { feeAmount: 2000n })
  t.equal(feeDenomOf(signedTxAt(7)), 'other')
})

test('reports that nodes require more than twice the configured price', async t => {
  for (const [required, expected] of [
    [2000, []],
    [2001, ['fees-risen']]
  ] as const) {
    const { broadcaster, script, kinds } = await broadcasterWith(['a'])
    script.broadcast = () => insufficientFee(required)
    t.equal(await broadcaster.step(), 0)
    t.strictSame(kinds(), expected)
  }
})

test('keeps the messages that fit into the accepted gas, also in the next transactions', async t => {
  const { broadcaster, script, engine, signedTxAt } = await broadcasterWith(['a', 'b', 'c', 'd'])
  script.broadcast = () => refused(11, 'Too much gas wanted: out of gas')
  t.equal(await broadcaster.step(), 0)
  t.match(signedTxAt(7), { gasLimit: 75_000, feeAmount: 750n, submissionIds: ['a', 'b', 'c'] })
  t.match(await engine.blockLimits.read(), { ceiling: 75_000 })
})

test('returns a slot to its messages if a transfer in their place is refused as well', async t => {
  const { broadcaster, script, engine, kinds, signedTxAt } = await broadcasterWith(['a'])
  script.broadcast = () => refused(7, 'the lane is closed')
  while (signedTxAt(7).submissionIds.length > 0) await broadcaster.step()
  while (kinds().length === 0) await broadcaster.step()
  t.strictSame(kinds(), ['transactions-refused'])
  t.strictSame(signedTxAt(7).submissionIds, ['a'])
  t.match(engine.slots.get(7), { timesRestored: 1 })
  script.broadcast = () => ({ status: 'accepted' })
  await broadcaster.step()
  t.strictSame(kinds(), [])
})

test('sends a slot again after 250 ms while no node accepts it, and logs when one does', async t => {
  const { broadcaster, script, entries } = await broadcasterWith(['a'])
  script.broadcast = () => refused(20, 'mempool is full')
  t.equal(await broadcaster.step(), 250)
  script.broadcast = () => ({ status: 'accepted' })
  t.equal(await broadcaster.step(), 0)
  t.match(entries.at(-1), { message: 'slot sent', fields: { sequence: 7 } })
})

test('does not send a transaction that could not be stored', async t => {
  const { broadcaster, script, engine } = await broadcasterWith(['a', 'b'])
  script.broadcast = () => refused(18, 'invalid')
  engine.store.addSignedTx = async () => {
    throw new Error('the disk is full')
  }
  await broadcaster.step()
  await t.rejects(broadcaster.step(), { message: 'the disk is full' })
  t.equal(engine.slots.get(7)?.signedTxs.length, 1)
})
