import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { AuthInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { UNTIL_WOKEN } from '../../../../services/async/loop.ts'
import type { BroadcastResult } from '../../../../services/chain-client/index.ts'
import { createBroadcaster } from '../../../../services/submission/send/broadcaster.ts'
import { createSlotRepair } from '../../../../services/submission/send/slot-repair.ts'
import { controlMessage, messagesOf } from '../../../../services/submission/sign/transaction.ts'
import { newestTx } from '../../../../services/submission/slots.ts'
import { test } from '../../../helpers/tap.ts'
import { type ChainScript, engineContext, failed, sequenceMismatch } from '../engine-context.ts'

function refused(code: number, log: string, codespace = 'sdk'): BroadcastResult {
  return { status: 'refused', code, codespace, log }
}

/** Creates a broadcaster with one slot per list of submissions, starting at sequence 7. */
const broadcasterWith = (...slots: string[][]) => broadcasterOf(slots)

/** Creates the same broadcaster with a second node whose responses `other` changes. */
async function broadcasterOf(slots: string[][], other?: Partial<ChainScript>) {
  const context = await engineContext(other && { other })
  await context.queue(...slots.flat())
  for (const ids of slots) await context.open(ids)
  let sent = 0
  const broadcaster = createBroadcaster(context.engine, () => {
    sent += 1
  })
  const slotAt = (sequence: number) => {
    const slot = context.engine.slots.get(sequence)
    if (!slot) throw new TypeError(`there is no slot ${sequence}`)
    return slot
  }
  return {
    ...context,
    broadcaster,
    slotAt,
    signedTxAt: (sequence: number) => newestTx(slotAt(sequence)),
    sent: () => sent,
    async blocks(count: number) {
      for (let left = count; left > 0; left--) {
        await context.applyBlock()
        broadcaster.blockApplied()
      }
    }
  }
}

test('sends each slot once, in sequence order, if the node accepts it', async t => {
  const { broadcaster, engine, script, signedTxAt, sent, slotAt } = await broadcasterWith(['a'], ['b'])
  const bytes: Uint8Array[] = []
  script.broadcast = each => {
    bytes.push(each)
    return { status: 'accepted' }
  }
  t.equal(await broadcaster.step(), 0)
  Object.defineProperty(engine.blocks, 'newest', { value: 104 })
  t.equal(await broadcaster.step(), 0)
  t.equal(await broadcaster.step(), UNTIL_WOKEN)
  t.strictSame(bytes, [signedTxAt(7).bytes, signedTxAt(8).bytes])
  t.equal(sent(), 2)
  t.equal(slotAt(7).sentAt, 100, 'sent at the cursor')
  t.equal(slotAt(8).sentAt, 104, 'sent at the newest block read')
})

test('a repair that waits for the lock while a block changes its slot signs nothing and blames nobody', async t => {
  const { engine, slotAt, signedTxAt } = await broadcasterWith(['a', 'b'], ['c', 'd'])
  const repair = createSlotRepair(engine)
  const slot = slotAt(7)
  const refusal = { code: 5, codespace: 'sdk', message: 'no' }
  const first = signedTxAt(7)
  for (const change of [() => engine.slots.leave('a'), () => engine.slots.remove(7)]) {
    let repairing: Promise<void> | undefined
    await engine.withSlotLock(async () => {
      repairing = repair.shrink(slot, refusal, 'node')
      change()
    })
    await repairing
    t.equal(slot.signedTxs.length, 1)
    t.equal(slot.signedTxs[0]?.hash, first.hash)
    t.equal(engine.blame.resting, 0)
  }
})

test('signs a slot again without the submissions that have left it, or as a self-transfer if none remains', async t => {
  const { broadcaster, engine, signedTxAt } = await broadcasterWith(['a', 'b', 'c'])
  const [, second, third] = messagesOf(signedTxAt(7))
  for (const [left, submissionIds, messages] of [
    ['a', ['b', 'c'], [second, third]],
    ['b', ['c'], [third]],
    ['c', [], [controlMessage(engine.wallet.address, 'unit')]]
  ] as const) {
    engine.slots.leave(left)
    t.equal(await broadcaster.step(), 0)
    t.strictSame(signedTxAt(7).submissionIds, submissionIds)
    t.strictSame(messagesOf(signedTxAt(7)), messages)
  }
})

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

/** Records for each broadcast whether it goes to all nodes. */
function recordEverywhere({ chain }: Awaited<ReturnType<typeof engineContext>>['engine']) {
  const everywhere: (boolean | undefined)[] = []
  const { broadcast } = chain
  chain.broadcast = (bytes, options) => {
    everywhere.push(options?.everywhere)
    return broadcast(bytes)
  }
  return everywhere
}

test('resends a transaction to all nodes if it is missing from the next two blocks', async t => {
  const { broadcaster, engine, slotAt, blocks, entries } = await broadcasterWith(['a'], ['b'])
  const everywhere = recordEverywhere(engine)
  await broadcaster.step()
  await broadcaster.step()
  await blocks(1)
  t.equal(slotAt(7).sentAt, 100)
  t.equal(await broadcaster.step(), UNTIL_WOKEN)
  await blocks(1)
  t.equal(slotAt(7).sentAt, undefined)
  t.equal(slotAt(8).sentAt, undefined, 'every later slot is resent too')
  await broadcaster.step()
  t.strictSame(everywhere, [false, false, true])
  t.equal(entries.filter(({ message }) => message === 'slot sent').length, 2)
})

test('sends a transaction that one node has refused to all nodes', async t => {
  for (const [code, log] of [
    [5, 'spendable balance 1unit is smaller than 1000unit'],
    [6, 'unknown request'],
    [32, sequenceMismatch(9, 7)]
  ] as const) {
    const { broadcaster, engine, script, slotAt } = await broadcasterWith(['a'])
    const everywhere = recordEverywhere(engine)
    script.broadcast = () => refused(code, log)
    await broadcaster.step()
    slotAt(7).sentAt = undefined
    await broadcaster.step()
    t.strictSame(everywhere, [false, true], log)
  }
})

/** Scripts a node that gives no usable response to transactions with more than `most` messages. */
const silentAbove =
  (most: number, answered = true) =>
  (bytes: Uint8Array): BroadcastResult => {
    const { messages } = TxBody.decode(TxRaw.decode(bytes).bodyBytes)
    const isLarge = messages.length > most && messages[0]?.typeUrl !== MsgSend.typeUrl
    return isLarge ? { status: 'unavailable', reason: 'computer says no', answered } : { status: 'accepted' }
  }

test('halves a transaction that gets no usable response if only a smaller transaction gets one', async t => {
  const { broadcaster, script, slotAt, signedTxAt, engine } = await broadcasterWith(['a', 'b', 'c', 'd', 'e'])
  const smaller: TxRaw[] = []
  script.broadcast = bytes => {
    if (!Buffer.from(bytes).equals(signedTxAt(7).bytes)) smaller.push(TxRaw.decode(bytes))
    return silentAbove(1)(bytes)
  }
  t.equal(await broadcaster.step(), 250)
  t.equal(await broadcaster.step(), 0, 'after a response to the smaller transaction, the original is resent')
  t.match(smaller, [{ signatures: [{ length: 0 }] }], 'the smaller transaction can never execute')
  t.equal(AuthInfo.decode(smaller[0]?.authInfoBytes ?? new Uint8Array()).fee?.gasLimit, 0n)
  t.equal(slotAt(7).signedTxs.length, 1)
  t.equal(await broadcaster.step(), 0)
  t.strictSame(signedTxAt(7).submissionIds, ['a', 'b'])
  t.strictSame(['a', 'b', 'c', 'd', 'e'].map(engine.blame.together), [undefined, undefined, 2, 2, 2])
  while (slotAt(7).sentAt === undefined) await broadcaster.step()
  t.strictSame(signedTxAt(7).submissionIds, ['a'])
})

test('halves a transaction for which a mempool is full that has room for a smaller one', async t => {
  const { broadcaster, script, signedTxAt } = await broadcasterWith(['a', 'b'])
  script.broadcast = bytes =>
    silentAbove(1)(bytes).status === 'accepted' ? { status: 'accepted' } : refused(20, 'mempool is full')
  for (let times = 0; times < 3; times++) await broadcaster.step()
  t.strictSame(signedTxAt(7).submissionIds, ['a'])
})

test('leaves a transaction unchanged while smaller transactions get no usable response either, or if it is a self-transfer', async t => {
  const none = { status: 'unavailable', reason: 'mempool is full', answered: true } as const
  const isAccepted = { status: 'accepted' } as const
  for (const [ids, answer, toSmaller] of [
    [['a', 'b'], none, none],
    [['a', 'b'], refused(20, 'mempool is full'), refused(20, 'mempool is full')],
    [[], none, isAccepted]
  ] as const) {
    const { broadcaster, script, slotAt, signedTxAt } = await broadcasterWith([...ids])
    script.broadcast = bytes => (signedTxAt(7).bytes === bytes ? answer : toSmaller)
    for (let times = 0; times < 10; times++) t.equal(await broadcaster.step(), 250)
    t.match(slotAt(7), { sentAt: undefined, signedTxs: { length: 1 } })
  }
})

test('counts only consecutive sends without a usable response', async t => {
  const { broadcaster, script, signedTxAt } = await broadcasterWith(['a', 'b'])
  for (const isAnswered of [false, false, true, false, false]) {
    script.broadcast = isAnswered ? () => refused(5, 'no funds') : silentAbove(1)
    await broadcaster.step()
  }
  t.strictSame(signedTxAt(7).submissionIds, ['a', 'b'])
})

test('requires more comparisons before it drops a lone message, and counts only error responses after four pauses as strikes', async t => {
  for (const [rests, answered, isConvicted] of [
    [3, true, false],
    [4, true, true],
    [10, false, false]
  ] as const) {
    const { broadcaster, script, signedTxAt, engine } = await broadcasterWith(['a'])
    const { blame } = engine
    for (let times = 0; times < rests; times++) blame.rest('a')
    script.broadcast = silentAbove(0, answered)
    t.equal(await broadcaster.step(), 250)
    for (let times = 0; times < 3; times++) {
      t.equal(await broadcaster.step(), 0)
      t.strictSame(signedTxAt(7).submissionIds, ['a'])
    }
    t.equal(await broadcaster.step(), 0)
    t.strictSame(signedTxAt(7).submissionIds, [])
    t.ok(blame.isResting('a'))
    const refusal = { code: 21, codespace: 'sdk', message: 'the tx is too large' }
    for (let times = 0; times < 2; times++) {
      t.equal(blame.convicted('a'), undefined)
      blame.failed({ suspects: ['a'], messages: 1, refusal, by: 'size' })
    }
    t.strictSame(blame.convicted('a'), isConvicted ? refusal : undefined)
  }
})

test('signs the transaction again after a node has reported it as known three times, backing off each time', async t => {
  for (const answer of [{ status: 'known' }, refused(19, 'tx already in mempool')] as const) {
    const { broadcaster, script, slotAt, signedTxAt, blocks } = await broadcasterWith(['a'])
    const first = signedTxAt(7)
    script.broadcast = () => answer
    for (const timesSent of [1, 2, 3]) {
      t.equal(await broadcaster.step(), 0)
      t.match(slotAt(7), { timesSent, sentAt: 98 + 2 * timesSent, signedTxs: { length: 1 } })
      await blocks(2)
    }
    t.equal(await broadcaster.step(), 0)
    t.match(slotAt(7), { timesSent: 0, sentAt: undefined, signedTxs: { length: 2 } })
    const { hash, feeAmount, submissionIds, gasLimit } = signedTxAt(7)
    t.not(hash, first.hash)
    t.match({ feeAmount, gasLimit }, { feeAmount: first.feeAmount + 1n, gasLimit: first.gasLimit })
    t.strictSame(submissionIds, ['a'])
    for (let times = 4; times < 60; times++) {
      await broadcaster.step()
      await blocks(2)
    }
    t.equal(slotAt(7).signedTxs.length, 5)
  }
})

const mismatch = (expected: number, got: number) => refused(32, sequenceMismatch(expected, got))

test('counts a transaction as sent if its sequence is already used', async t => {
  const { broadcaster, script, slotAt, sent } = await broadcasterWith(['a'], ['b'])
  script.broadcast = () => mismatch(8, 7)
  t.equal(await broadcaster.step(), 0)
  t.equal(slotAt(7).sentAt, 100)
  t.equal(sent(), 1)
})

test('resends all slots if a node lacks earlier transactions or gives no usable response', async t => {
  for (const answer of [
    mismatch(7, 8),
    mismatch(8, 8),
    refused(32, 'incorrect account sequence'),
    { status: 'unavailable', reason: 'no response' }
  ] as const) {
    const { broadcaster, script, slotAt } = await broadcasterWith(['a'], ['b'])
    await broadcaster.step()
    script.broadcast = () => answer
    t.equal(await broadcaster.step(), 250)
    t.equal(slotAt(7).sentAt, undefined)
    t.match(slotAt(8), { sentAt: undefined, timesSent: 0, signedTxs: { length: 1 } })
  }
})

for (const [kind, answers] of Object.entries({
  'insufficient-funds': [refused(5, 'no funds'), refused(9, 'unknown address')],
  'signature-refused': [refused(4, 'signature verification failed')],
  'fee-too-high': [refused(13, 'insufficient fees; got: 1000unit required: 100001unit: insufficient fee')]
})) {
  test(`raises ${kind} and leaves the slot unchanged`, async t => {
    for (const answer of answers) {
      const { broadcaster, script, kinds, slotAt } = await broadcasterWith(['a'])
      script.broadcast = () => answer
      t.equal(await broadcaster.step(), 2000)
      t.strictSame(kinds(), [kind])
      t.match(slotAt(7), { sentAt: undefined, signedTxs: { length: 1 } })
    }
  })
}

const insufficientFee = (required: number) =>
  refused(13, `insufficient fees; got: 1000unit required: ${required}unit: insufficient fee`)

test('pays a higher required fee in the same slot, up to the allowed multiple of the configured price', async t => {
  for (const fee of [1001, 5000]) {
    const { broadcaster, script, signedTxAt, slotAt } = await broadcasterWith(['a', 'b'])
    script.broadcast = () => insufficientFee(fee)
    t.equal(await broadcaster.step(), 0)
    t.match(signedTxAt(7), { feeAmount: BigInt(fee), submissionIds: ['a', 'b'], gasLimit: 100_000 })
    t.equal(slotAt(7).signedTxs.length, 2)
  }
})

test('pays the lower of two required fees if both nodes require more', async t => {
  for (const [one, two] of [
    [3000, 2000],
    [2000, 3000]
  ] as const) {
    const { broadcaster, script, signedTxAt } = await broadcasterOf([['a']], {
      broadcast: () => insufficientFee(two)
    })
    script.broadcast = () => insufficientFee(one)
    t.equal(await broadcaster.step(), 0)
    t.equal(signedTxAt(7).feeAmount, 2000n)
  }
})

test('pays a fee that only one node requires if two new blocks lack the transaction that the other node accepted', async t => {
  // Blocks that the nodes already have are not new, even if the cursor is behind them.
  for (const [newest, paidAt, status] of [
    [100, 102, 'accepted'],
    [103, 106, 'known']
  ] as const) {
    const { broadcaster, script, signedTxAt, slotAt, engine, blocks } = await broadcasterOf([['a']], {
      broadcast: () => ({ status })
    })
    script.height = newest
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

test('treats an insufficient-fee error as a refusal of the messages if the slot already pays the required fee', async t => {
  const { broadcaster, script, signedTxAt } = await broadcasterWith(['a', 'b'])
  script.broadcast = () => insufficientFee(1000)
  t.equal(await broadcaster.step(), 250)
  t.equal(await broadcaster.step(), 0)
  t.strictSame(signedTxAt(7).submissionIds, ['a'])
})

test('raises the gas by half each time CheckTx runs out of gas, up to four times the simulated gas', async t => {
  // With a cap of 380,000 for both messages, the last raise is a smaller one.
  for (const [maxMessageGas, most] of [
    [10_000_000, 337_500],
    [190_000, 380_000]
  ] as const) {
    const { broadcaster, script, slotAt, signedTxAt, kinds, engine } = await broadcasterWith(['a', 'b'])
    Object.assign(engine.settings, { maxMessageGas })
    script.broadcast = () => refused(11, 'out of gas')
    t.equal(await broadcaster.step(), 0)
    t.match(signedTxAt(7), { gasLimit: 150_000, feeAmount: 1500n, submissionIds: ['a', 'b'] })
    while ((await broadcaster.step()) < 2000) t.ok(slotAt(7).signedTxs.length < 8, 'signing stops')
    t.strictSame(kinds(), ['transactions-refused'])
    t.equal(Math.max(...slotAt(7).signedTxs.map(({ gasLimit }) => gasLimit)), most)
    const signed = slotAt(7).signedTxs.length
    await broadcaster.step()
    t.equal(slotAt(7).signedTxs.length, signed, 'nothing more is signed')
  }
})

test('replaces the messages of a slot that requested no gas with a self-transfer', async t => {
  const { broadcaster, script, signedTxAt, open, queue } = await broadcasterWith()
  await queue('a')
  await open(['a'], { gasLimit: 0, feeAmount: 0n })
  script.broadcast = () => refused(11, 'out of gas')
  t.equal(await broadcaster.step(), 250)
  t.equal(await broadcaster.step(), 0)
  t.match(signedTxAt(7), { submissionIds: [], gasLimit: 200_000 })
})

test('halves a refused transaction until only a self-transfer is left', async t => {
  const all = ['a', 'b', 'c', 'd', 'e']
  const { broadcaster, script, signedTxAt, slotAt, engine, store, kinds } = await broadcasterWith(all)
  Object.assign(engine.settings, { maxMessageGas: 40_000 })
  script.broadcast = () => refused(5, 'not the SDK’s code 5', 'other')
  for (const [submissionIds, gasLimit] of [
    [['a', 'b'], 80_000],
    [['a'], 40_000],
    [[], 200_000]
  ] as const) {
    t.equal(await broadcaster.step(), 250, 'the first refusal must be confirmed')
    t.equal(await broadcaster.step(), 0)
    t.match(signedTxAt(7), { gasLimit, feeAmount: BigInt(gasLimit / 100) })
    t.strictSame(signedTxAt(7).submissionIds, submissionIds)
  }
  t.strictSame(all.map(engine.blame.together), [1, 1, 2, 2, 2])
  t.match(await store.find('e'), { status: 'broadcast' }, 'dropped submissions stay bound to the slot')
  t.equal(await broadcaster.step(), 250)
  t.equal(await broadcaster.step(), 2000)
  t.equal(slotAt(7).signedTxs.length, 4, 'no further transaction is signed')
  t.strictSame(kinds(), ['transactions-refused'])
  t.equal(engine.blame.together('a'), undefined, 'no message is blamed')
  t.equal(engine.blame.failures('a'), 0)
  t.ok(engine.blame.isResting('a'), 'the last remaining message pauses')
  t.notOk(engine.blame.isResting('b'))
})

test('drops the messages of a slot that requests more gas than a block allows, and blames none of them', async t => {
  const { broadcaster, script, signedTxAt, slotAt, engine } = await broadcasterWith(['a', 'b'])
  script.broadcast = () => refused(41, 'invalid gas limit')
  script.blockGas = 100_000
  t.equal(await broadcaster.step(), 250, 'the block limit contradicts the refusal')
  t.equal(signedTxAt(7).submissionIds.length, 2)
  script.blockGas = 99_999
  t.equal(await broadcaster.step(), 0)
  t.match(signedTxAt(7), { submissionIds: [], gasLimit: 200_000, feeAmount: 2000n })
  t.equal(engine.blame.together('a'), undefined)
  t.equal((await engine.blockLimits.read()).gas, 99_999, 'the next batch uses the lower limit')
  t.equal(await broadcaster.step(), 250)
  t.equal(await broadcaster.step(), 2000)
  t.equal(slotAt(7).signedTxs.length, 2, 'no further transaction is signed')
})

test('blames no message while the chain refuses the canary too', async t => {
  const { broadcaster, script, slotAt, kinds } = await broadcasterWith(['a', 'b'])
  const log = 'the module is paused'
  script.simulate = () => failed(log, 3, 'transaction')
  script.broadcast = () => refused(3, log, 'transaction')
  t.equal(await broadcaster.step(), 250)
  t.equal(await broadcaster.step(), 2000)
  t.strictSame(kinds(), ['requests-refused'])
  t.equal(slotAt(7).signedTxs.length, 1)
  script.broadcast = () => ({ status: 'accepted' })
  t.equal(await broadcaster.step(), 0)
  t.strictSame(kinds(), [])
})

test('limits the number of transactions signed for a node that requires a slightly higher fee each time', async t => {
  const { broadcaster, script, slotAt, signedTxAt, kinds } = await broadcasterWith(['a'])
  script.broadcast = () => insufficientFee(Number(signedTxAt(7).feeAmount) + 1)
  while ((await broadcaster.step()) === 0) t.ok(slotAt(7).signedTxs.length < 16)
  t.strictSame(kinds(), ['fee-too-high'])
  t.equal(signedTxAt(7).feeAmount, 5000n)
})

test('signs new bytes even for a slot signed many times if a node reports the current bytes as known', async t => {
  const { broadcaster, script, slotAt, signedTxAt, blocks } = await broadcasterWith(['a'])
  script.broadcast = () => insufficientFee(Number(signedTxAt(7).feeAmount) + 1)
  for (let times = 0; times < 13; times++) await broadcaster.step()
  const { length } = slotAt(7).signedTxs
  t.ok(length > 4, `signed ${length} times`)
  script.broadcast = () => ({ status: 'known' })
  for (let times = 0; times < 4; times++) {
    await broadcaster.step()
    await blocks(2)
  }
  t.equal(slotAt(7).signedTxs.length, length + 1)
})

test('does not touch a slot that a block consumes during its broadcast or repair', async t => {
  for (const answer of [insufficientFee(2000), refused(11, 'out of gas'), refused(18, 'invalid')]) {
    const during = await broadcasterWith(['a', 'b'])
    during.slotAt(7).refusals = 1
    during.script.broadcast = () => {
      during.engine.slots.remove(7)
      return answer
    }
    t.equal(await during.broadcaster.step(), 0)
    t.equal((await during.engine.store.openSignedTxs()).length, 1)
    t.strictSame(during.entries, [], 'the response is ignored')

    const late = await broadcasterWith(['a', 'b'])
    late.script.broadcast = () => answer
    late.slotAt(7).refusals = 1
    const { withSlotLock } = late.engine
    late.engine.withSlotLock = task => {
      late.engine.slots.remove(7)
      return withSlotLock(task)
    }
    await createBroadcaster(late.engine, () => {}).step()
    t.equal((await late.engine.store.openSignedTxs()).length, 1)
    t.equal(late.engine.slots.size, 0)
  }
})

test('waits after a signer failure in a repair', async t => {
  const { broadcaster, script, engine, kinds } = await broadcasterWith(['a'])
  script.broadcast = () => insufficientFee(2000)
  Object.assign(engine.wallet, { signDirect: () => Promise.reject(new Error('away')) })
  t.equal(await broadcaster.step(), 1000)
  t.strictSame(kinds(), ['signer-unavailable'])
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

test('resends all slots after a node change, and wakes the loop unless a broadcast is in progress', async t => {
  const { broadcaster, script, slotAt } = await broadcasterWith(['a'])
  await broadcaster.step()
  t.ok(broadcaster.nodeChanged())
  t.equal(slotAt(7).sentAt, undefined)
  const broken = new TypeError('the client is broken')
  for (const [answer, outcome] of [
    [{ status: 'unavailable', reason: 'no response' }, 250],
    [broken, broken]
  ] as const) {
    script.broadcast = async () => {
      t.notOk(broadcaster.nodeChanged())
      if (answer instanceof Error) throw answer
      return answer
    }
    t.equal(await broadcaster.step().catch(error => error), outcome)
    t.ok(broadcaster.nodeChanged(), 'the broadcast has ended')
  }
})
