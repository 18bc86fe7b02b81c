import { createBroadcaster } from '../../../../services/submission/act/sending.ts'
import { currentTx } from '../../../../services/submission/slots.ts'
import { test } from '../../../helpers/tap.ts'
import { type ChainScript, engineContext, passed } from './engine-context.ts'

const refused = (code: number, log: string) => ({ status: 'refused', code, codespace: 'sdk', log }) as const

const insufficientFee = (required: number) =>
  refused(13, `insufficient fees; got: 1000unit required: ${required}unit: insufficient fee`)

/** Creates a broadcaster with one slot per list of submissions, starting at sequence 7. */
const broadcasterWith = (...slots: string[][]) => broadcasterOf(slots)

/** Creates the same broadcaster with a second node whose responses `other` changes. */
async function broadcasterOf(slots: string[][], other?: Partial<ChainScript>) {
  const context = await engineContext(other && { other })
  await context.queue(...slots.flat())
  for (const ids of slots) await context.open(ids)
  const broadcaster = createBroadcaster(context.engine, () => {})
  const slotAt = (sequence: number) => {
    const slot = context.engine.slots.get(sequence)
    if (!slot) throw new TypeError(`there is no slot ${sequence}`)
    return slot
  }
  return {
    ...context,
    broadcaster,
    slotAt,
    signedTxAt: (sequence: number) => currentTx(slotAt(sequence)),
    async blocks(count: number) {
      for (let left = count; left > 0; left--) {
        await context.applyBlock()
        broadcaster.blockApplied()
      }
    }
  }
}

test('clears its blockers when a transaction is accepted, even if a block contains it before the response arrives', async t => {
  const kinds = ['insufficient-funds', 'fee-too-high', 'signature-refused', 'transactions-refused'] as const
  for (const isInBlock of [false, true]) {
    const { broadcaster, engine, script } = await broadcasterWith(['a'])
    for (const kind of kinds) engine.blockers.raise(kind, 'x')
    script.broadcast = () => {
      if (isInBlock) engine.slots.remove(7)
      return { status: 'accepted' }
    }
    await broadcaster.step()
    t.equal(engine.blockers.present.length, isInBlock ? kinds.length : 0)
    await broadcaster.step()
    t.strictSame(engine.blockers.present, [])
  }
})

test('pays a fee that only one node requires if two new blocks lack the transaction that the other node accepted', async t => {
  // Blocks that the nodes already have are not new, even if the cursor is behind them. A node may overstate its height.
  for (const [newest, paidAt, status, claimed = newest] of [
    [100, 102, 'accepted'],
    [103, 106, 'known'],
    [100, 104, 'accepted', 1_000_000]
  ] as const) {
    const { broadcaster, script, signedTxAt, slotAt, engine, blocks } = await broadcasterOf([['a']], {
      broadcast: () => ({ status })
    })
    script.height = claimed
    script.broadcast = () => insufficientFee(2000)
    while (engine.walletState().cursorHeight < paidAt) {
      t.equal(await broadcaster.step(), 0)
      t.match(slotAt(7), { sentAt: engine.walletState().cursorHeight, signedTxs: { length: 1 } })
      await blocks(2)
      script.height = Math.max(newest, engine.walletState().cursorHeight)
    }
    t.equal(await broadcaster.step(), 0)
    t.equal(signedTxAt(7).feeAmount, 2000n)
  }
})

test('replaces a transaction if the daily fee limit allows it, and above the limit only at no extra cost', async t => {
  const { broadcaster, script, engine, slotAt, signedTxAt } = await broadcasterWith(['a', 'b'], ['c'])
  const { settings, blockers } = engine
  script.broadcast = () => insufficientFee(2000)
  settings.dailyFeeLimit = 2999n
  t.equal(await broadcaster.step(), 2000)
  t.match(blockers.present, [{ kind: 'daily-fee-limit', reason: /inOpenSlots 2000, added 1000, limit 2999/ }])
  t.equal(slotAt(7).signedTxs.length, 1)
  settings.dailyFeeLimit = 3000n
  t.equal(await broadcaster.step(), 0)
  t.equal(signedTxAt(7).feeAmount, 2000n)
  t.notOk(blockers.has('daily-fee-limit'))

  settings.dailyFeeLimit = 1n
  script.broadcast = () => refused(7, 'no')
  while (signedTxAt(7).submissionIds.length === 2) await broadcaster.step()
  t.match(signedTxAt(7), { feeAmount: 2000n, submissionIds: ['a'] })
})

test('keeps trying its messages without endless signing while a node refuses everything', async t => {
  const { broadcaster, script, slotAt, signedTxAt, kinds } = await broadcasterWith(['a', 'b'])
  script.broadcast = () => refused(7, 'the lane is closed')
  const sent = new Set<string>()
  for (let blocked = 0; blocked < 20; ) {
    sent.add(signedTxAt(7).submissionIds.join())
    if ((await broadcaster.step()) === 2000) blocked += 1
  }
  t.strictSame(sent, new Set(['a,b', 'a', '', 'b']))
  t.equal(slotAt(7).signedTxs.length, sent.size)
  t.strictSame(kinds(), ['transactions-refused'])
  script.broadcast = () => ({ status: 'accepted' })
  t.equal(await broadcaster.step(), 0)
  t.match(signedTxAt(7), { submissionIds: ['a', 'b'] })
  t.strictSame(kinds(), [])
})

test('packs no more gas into a transaction than the chain accepted', async t => {
  const { broadcaster, script, signedTxAt, engine, queue, open } = await broadcasterWith(['a', 'b', 'c', 'd'])
  await queue('e')
  const { broadcast } = script
  script.simulate = messages => passed(20_000 * messages)
  script.broadcast = () => refused(11, 'Too much gas wanted: 100000, maximum is 50,000: out of gas')
  t.equal(await broadcaster.step(), 0)
  script.broadcast = broadcast
  t.match(signedTxAt(7), { submissionIds: ['a', 'b'], gasLimit: 50_000 })
  t.match(await engine.blockLimits.read(), { ceiling: 50_000 })
  t.equal(engine.evidence.of('c').maxBatch, undefined, 'it is no suspect')
  await broadcaster.step()
  t.match(await engine.blockLimits.read(), { ceiling: 50_000 })
  await open(['e'], { gasLimit: 50_001 })
  await broadcaster.step()
  t.match(await engine.blockLimits.read(), { ceiling: Number.POSITIVE_INFINITY }, 'the chain accepts more')
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
